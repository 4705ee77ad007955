// Where objects live.
//
// `Pool` holds the interned ones: shared by all workers of a search, never freed, equal objects once. `Heap` belongs to one worker and
// holds what a step makes; `reset` forgets all of it at the end of the step, after what is kept has been interned.
//
// Changing in place: an object of the heap knows whether it may be reached in more than one way ("shared"). Reading a variable or an
// element marks what it gives as shared; only objects that are not are changed in place, others are copied first. So a loop that
// appends to a sequence does not copy it each time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "base/resident.h"
#include "base/virtual_array.h"
#include "plang/vm/value.h"
#include "store/interner.h"

namespace tarry::plang {

class Pool {
 public:
  /// Numbers have 29 bits: a word of the state has three more (step.h). So many objects take tens of gigabytes.
  static constexpr std::uint32_t kMostObjects = 1u << 29;

  Pool() : budget_(std::uint64_t{kMostObjects} * 8), interner_(budget_) {}
  std::uint32_t intern(std::span<const std::uint64_t> words) { return checked(interner_.intern(words)); }
  std::span<const std::uint64_t> words(std::uint32_t id) const { return interner_.get<std::uint64_t>(id); }
  /// Lists of numbers of other objects: there are many, and half the size is enough.
  std::uint32_t intern_list(std::span<const std::uint32_t> numbers) { return checked(interner_.intern(numbers)); }
  std::span<const std::uint32_t> list(std::uint32_t id) const { return interner_.get<std::uint32_t>(id); }
  /// Bytes that the caller has packed (compact.h).
  std::uint32_t intern_packed(std::span<const std::uint8_t> bytes) { return checked(interner_.intern(bytes)); }
  std::span<const std::uint8_t> packed(std::uint32_t id) const { return interner_.get<std::uint8_t>(id); }
  const Object* object(std::uint32_t id) const { return reinterpret_cast<const Object*>(interner_.get<std::uint64_t>(id).data()); }
  std::uint64_t bytes() const { return budget_.used(); }

  // Memory. What a search keeps and what its steps make share one limit: a limit of ours, never a failure of the program.

  /// From now on values, here and in heaps, may take so many bytes, and no heap grows where the whole process would hold more than `process`.
  void limit(std::uint64_t values, std::uint64_t process) {
    most_ = values;
    most_held_ = process;
    exhausted_ = false;
  }
  void lift_limit() { limit(kNoLimit, kNoLimit); }
  /// Bytes for a heap, or about to be interned. False if they are not there.
  bool lend(std::uint64_t bytes) {
    const std::uint64_t lent = lent_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (budget_.used() + lent <= most_ && (bytes < kLooked || resident_bytes() + bytes <= most_held_)) return true;
    give_back(bytes);
    exhausted_ = true;
    return false;
  }
  void give_back(std::uint64_t bytes) { lent_.fetch_sub(bytes, std::memory_order_relaxed); }
  bool full() const { return exhausted_ || budget_.used() + lent_.load(std::memory_order_relaxed) > most_; }
  /// Something was refused since the limit was set: what failed for that need not fail when it is tried again.
  bool exhausted() const { return exhausted_; }

 private:
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0} / 2;
  static constexpr std::uint64_t kLooked = std::uint64_t{1} << 19;  // for so much the kernel is asked what the process holds

  static std::uint32_t checked(std::uint32_t id) {
    if (id >= kMostObjects) [[unlikely]] throw std::bad_alloc();
    return id;
  }

  MemoryBudget budget_;
  Interner interner_;
  std::uint64_t most_ = kNoLimit, most_held_ = kNoLimit;
  std::atomic<std::uint64_t> lent_{0};
  std::atomic<bool> exhausted_{false};
};

/// Thrown when a step makes more than the heap may hold, or a value inside a value inside a value … without end.
struct HeapFull : std::bad_alloc {
  enum class Why { kStep, kMemory, kNesting } why;
  explicit HeapFull(Why reason) : why(reason) {}
};
inline constexpr unsigned kMaxValueDepth = 1000;

class Heap {
 public:
  explicit Heap(Pool& pool) : pool_(pool) {}
  ~Heap() { pool_.give_back(lent()); }
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  Pool& pool() { return pool_; }
  const Object* object(Value v) const { return v.is_local() ? v.local_object() : pool_.object(v.id()); }
  std::span<const Value> items(Value v) const {
    const Object* o = object(v);
    return {o->items(), o->size};
  }
  std::string_view text(Value v) const {
    const Object* o = object(v);
    return {o->bytes(), o->size};
  }

  // Making.
  Value integer(std::int64_t n) { return Value::is_small(n) ? Value::small(n) : boxed(Tag::kBigInt, std::bit_cast<std::uint64_t>(n)); }
  Value real(double d) { return boxed(Tag::kFloat, std::bit_cast<std::uint64_t>(d)); }
  std::int64_t integer_of(Value v) const {
    return v.is(Tag::kInt) ? v.number() : static_cast<std::int64_t>(object(v)->items()[0].bits());
  }
  double real_of(Value v) const { return std::bit_cast<double>(object(v)->items()[0].bits()); }
  Value string(std::string_view text);
  Value joined(std::string_view a, std::string_view b);
  /// Throws HeapFull if so many bytes more are too many: for what is put together outside of the heap.
  void expect_room(std::size_t bytes) const;
  Value bytes(Tag tag, std::string_view data, std::uint32_t extra);
  /// Takes over the items; what else refers to them is shared from now on.
  Value make(Tag tag, std::span<const Value> items, std::uint32_t extra = 0);
  /// Allocates an object with room to grow; the caller fills in the items.
  Object* allocate(std::uint32_t size, std::uint32_t capacity);

  /// Marks the value as shared.
  static void share(Value v) {
    if (v.is_local()) header(v.local_object()).shared = 1;
  }
  /// Returns an object to change: the value's own if it is not shared, else a copy that the value now has. Room for `more` items.
  Object* own(Value& v, std::uint32_t more = 0);

  /// The value with every object in it interned. Equal values give equal words (except the order of sets and maps: value_operations.h).
  Value intern(Value v, unsigned depth = 0);

  void reset();
  /// What was made by now, to come back to: `rewind` forgets everything that was made later. Objects that must be unchanged then have to
  /// be shared when the mark is set.
  struct Mark {
    std::size_t blocks;
    std::byte *next, *end;
    std::size_t taken;
  };
  Mark mark() const { return {blocks_.size(), next_, end_, taken_}; }
  void rewind(const Mark& mark);

 private:
  struct Header {
    std::uint32_t capacity;
    std::uint32_t shared : 1;
    std::uint32_t interned : 31;  // its number in the pool + 1, once that is known and nothing in it can change any more: it is shared
  };
  static Header& header(const Object* o) { return reinterpret_cast<Header*>(const_cast<Object*>(o))[-1]; }
  Value boxed(Tag tag, std::uint64_t word);
  std::byte* take(std::size_t bytes);
  void add_block(std::size_t size);
  Object* of_bytes(std::size_t size);
  std::uint32_t intern_words(std::span<const std::uint64_t> words);
  /// The first block is nothing: every heap has one.
  std::size_t lent() const { return taken_ - std::min(taken_, kBlock); }
  void forget(std::size_t blocks, std::size_t taken);

  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  static constexpr std::size_t kLargeBlock = std::size_t{1} << 24;
  static constexpr std::size_t kMost = std::size_t{1} << 30;

  Pool& pool_;
  std::vector<VirtualArray<std::byte>> blocks_;  // the first has kBlock bytes and is kept for ever
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t taken_ = 0;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace tarry::plang
