// The interface between Tarry and the foreign functions of a P program. It has plain data and plain functions only, so Tarry
// recognises and refuses an object built by another compiler or against an older header, instead of crashing.
//
// An object exports one function, `tarry_foreign_v1`, which fills in a `ForeignTable`. The TARRY_FOREIGN macro of
// <tarry/foreign.h> generates everything here; do not write it by hand.
//
// Values cross the interface as bytes, so neither side depends on the other's representation. Numbers are written with the most
// significant byte first. A value is its kind, followed by
//   null           nothing
//   bool           1 byte
//   int, float     8 bytes; a float is its IEEE bits
//   string, event  32-bit size, bytes; an event is its name
//   machine        the events it may receive (32 bits), the number of ancestors (32 bits), and two 32-bit numbers for each
//   ancestor,
//                  the oldest first: its number among its creator's children, and its interface. The same in every execution.
//   seq, set, map  32-bit size, elements (of a map: key, value, key, value, …)
//   tuple          32-bit size, items
//   named tuple    32-bit size, names and items in turn; a name is a size and bytes
//   foreign        size and name of the type, size and bytes of the value
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::abi {

inline constexpr std::uint32_t kForeignMagic = 0x46525254;  // "TRRF"
inline constexpr std::uint32_t kForeignVersion = 1;
inline constexpr std::uint32_t kAnyArity = ~std::uint32_t{0};

enum class ForeignKind : std::uint8_t { kNull, kBool, kInt, kFloat, kString, kEvent, kMachine, kSeq, kSet, kMap, kTuple, kNamedTuple, kForeign };
inline constexpr std::uint8_t kForeignKinds = 13;

/// One call. The function calls exactly one of `result` and `problem`, once. Both copy the bytes they are given.
struct ForeignCall {
  const char* arguments;  // the values, one after the other
  std::size_t size;
  void* self;
  void (*result)(void* self, const char* data, std::size_t size);
  void (*problem)(void* self, const char* text, std::size_t size);
};

/// A foreign function. It throws no exception to the caller.
struct ForeignFunction {
  const char* name;     // "AddToQueue", or "Server.Pick" for a method
  std::uint32_t arity;  // kAnyArity: any number of arguments
  void (*call)(ForeignCall* call);
  const ForeignFunction* next;
};

/// Shows values of a foreign type: `text` takes one value and returns a string.
struct ForeignType {
  const char* name;
  void (*text)(ForeignCall* call);
  const ForeignType* next;
};

struct ForeignTable {
  std::uint32_t magic;
  std::uint32_t version;
  const ForeignFunction* functions;
  const ForeignType* types;
};

}  // namespace tarry::abi
