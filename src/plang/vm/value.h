// Values of a running P program.
//
// A value is one 64-bit word: a tag and either the value itself (numbers, events, machines) or where its object is. Objects are
// immutable and shared by all workers once they are interned (then equal objects have one number); while a step runs, objects it
// makes are its own, and may be changed in place as long as they are not shared (value_heap.h).
//
// Everything in P is a value, so copying is copying the word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace tarry::plang {

enum class Tag : std::uint8_t {
  kNull,
  kBool,
  kInt,         // fits into 56 bits; enum elements too
  kBigInt,      // does not: an object of one word
  kFloat,       // an object of one word
  kString,      // an object of bytes
  kEvent,       // number of the event
  kMachine,     // slot, permissions
  kSeq,
  kSet,
  kMap,
  kTuple,
  kNamedTuple,
  kForeign,     // an object of bytes with the type's number
  kHole,        // a free slot of a set or map, with the next free one
};

struct Object;

class Value {
 public:
  constexpr Value() = default;
  static constexpr Value null() { return {}; }
  static constexpr Value boolean(bool b) { return Value(Tag::kBool, b ? 1 : 0); }
  static constexpr bool is_small(std::int64_t n) { return n >= -(std::int64_t{1} << 55) && n < (std::int64_t{1} << 55); }
  static constexpr Value small(std::int64_t n) { return Value(Tag::kInt, static_cast<std::uint64_t>(n)); }
  static constexpr Value event(std::uint32_t number) { return Value(Tag::kEvent, number); }
  static constexpr Value machine(std::uint32_t slot, std::uint32_t permissions) {
    return Value(Tag::kMachine, slot | std::uint64_t{permissions} << 16);
  }
  static constexpr Value hole(std::uint32_t next) { return Value(Tag::kHole, next); }
  static constexpr Value interned(Tag tag, std::uint32_t id) { return Value(tag, id); }
  static Value local(Tag tag, const Object* object) {
    Value v(tag, std::bit_cast<std::uint64_t>(object));
    v.bits_ |= kLocalBit;
    return v;
  }
  static constexpr Value from_bits(std::uint64_t bits) {
    Value v;
    v.bits_ = bits;
    return v;
  }

  constexpr Tag tag() const { return static_cast<Tag>(bits_ & 15); }
  constexpr bool is(Tag tag) const { return this->tag() == tag; }
  constexpr bool is_null() const { return bits_ == 0; }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr std::int64_t number() const { return static_cast<std::int64_t>(bits_) >> 8; }
  constexpr bool truth() const { return (bits_ >> 8) != 0; }
  constexpr std::uint32_t event_number() const { return static_cast<std::uint32_t>(bits_ >> 8); }
  constexpr std::uint32_t slot() const { return static_cast<std::uint32_t>(bits_ >> 8) & 0xffff; }
  constexpr std::uint32_t permissions() const { return static_cast<std::uint32_t>(bits_ >> 24); }
  constexpr std::uint32_t next_hole() const { return static_cast<std::uint32_t>(bits_ >> 8); }

  /// Does it have an object?
  constexpr bool has_object() const {
    constexpr std::uint32_t with = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13;
    return (with >> (bits_ & 15) & 1) != 0;
  }
  constexpr bool is_local() const { return (bits_ & kLocalBit) != 0; }
  const Object* local_object() const { return std::bit_cast<const Object*>(bits_ >> 8); }
  constexpr std::uint32_t id() const { return static_cast<std::uint32_t>(bits_ >> 8); }

  /// The same word. Not equality of P: see `equal` in value_operations.h.
  friend constexpr bool operator==(Value, Value) = default;

 private:
  static constexpr std::uint64_t kLocalBit = 16;
  constexpr Value(Tag tag, std::uint64_t payload) : bits_(payload << 8 | static_cast<std::uint64_t>(tag)) {}
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(Value) == 8);

/// What a value with an object looks like in memory, interned or not.
///  seq, tuples: the items. set: the slots. map: key and value of slot 0, of slot 1, …
///  string: bytes. big int and float: one word.
struct Object {
  std::uint32_t size;   // items (of a map: twice the slots), or bytes
  std::uint32_t extra;  // named tuple: its shape; set, map: the first free slot + 1; foreign: number of its type
  // What follows in memory.
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Value* items() { return reinterpret_cast<Value*>(this + 1); }
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  char* bytes() { return reinterpret_cast<char*>(this + 1); }
};
static_assert(sizeof(Object) == 8);

}  // namespace tarry::plang
