// Vector clocks: for each thread the last known tick. Clocks of up to eight threads need no further memory.
//
// Invariant: ticks beyond the capacity count as 0, and all ticks within it are set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "native/races/memory.h"

namespace tarry::native {

/// A point in a thread's time. All threads draw ticks from one counter, so each tick belongs to one thread only; 0 is before all
/// ticks.
using Tick = std::uint32_t;

/// Memory for the clocks of more than eight threads: blocks of 16, 32, … ticks, reused after a restart.
class ClockRoom {
 public:
  explicit ClockRoom(Memory& memory) : memory_(memory) {}

  /// Returns a block. Requires: `capacity` is a power of two, at least 16. The block has old contents.
  Tick* take(std::uint32_t capacity) {
    Class& blocks = classes_[std::countr_zero(capacity) - 4];
    if (blocks.free == nullptr) return static_cast<Tick*>(fresh(capacity));
    Block* block = blocks.free;
    blocks.free = block->next;
    block->next = blocks.taken;
    blocks.taken = block;
    return block->ticks();
  }
  void restart() {
    for (Class& blocks : classes_) {
      while (blocks.taken != nullptr) {
        Block* block = blocks.taken;
        blocks.taken = block->next;
        block->next = blocks.free;
        blocks.free = block;
      }
    }
  }

 private:
  struct Block {
    Block* next;
    std::uint64_t padding;
    Tick* ticks() { return reinterpret_cast<Tick*>(this + 1); }
  };
  struct Class {
    Block *free = nullptr, *taken = nullptr;
  };

  void* fresh(std::uint32_t capacity);

  Memory& memory_;
  Class classes_[9];  // up to 4096
};

class Clock {
 public:
  static constexpr std::uint32_t kInline = 8;

  /// Prepares the clock before its first use in an execution: blocks of earlier executions have been reused.
  void start() {
    capacity_ = kInline;
    std::fill_n(few_, kInline, 0);
  }
  void clear() { std::fill_n(ticks(), capacity_, 0); }
  Tick at(std::uint32_t thread) const { return thread < capacity_ ? ticks()[thread] : 0; }
  void set(std::uint32_t thread, Tick tick, ClockRoom& room) {
    if (thread >= capacity_) [[unlikely]]
      extend(std::bit_ceil(thread + 1), room);
    ticks()[thread] = tick;
  }
  /// Joins with `other`: takes the later tick of each thread.
  void join(const Clock& other, ClockRoom& room) {
    if (other.capacity_ > capacity_) [[unlikely]]
      extend(other.capacity_, room);
    Tick* mine = ticks();
    const Tick* theirs = other.ticks();
    for (std::uint32_t i = 0; i < other.capacity_; i += 4) {
      const Four a = *reinterpret_cast<const Four*>(mine + i), b = *reinterpret_cast<const Four*>(theirs + i);
      *reinterpret_cast<Four*>(mine + i) = a > b ? a : b;
    }
  }
  void assign(const Clock& other, ClockRoom& room) {
    if (other.capacity_ > capacity_) [[unlikely]]
      extend(other.capacity_, room);
    Tick* mine = ticks();
    std::copy_n(other.ticks(), other.capacity_, mine);
    std::fill(mine + other.capacity_, mine + capacity_, 0);
  }

 private:
  typedef Tick Four __attribute__((vector_size(16), aligned(4), may_alias));  // NOLINT: attributes do not go with `using`

  Tick* ticks() { return capacity_ == kInline ? few_ : many_; }
  const Tick* ticks() const { return capacity_ == kInline ? few_ : many_; }
  void extend(std::uint32_t capacity, ClockRoom& room);

  std::uint32_t capacity_ = kInline;
  Tick* many_ = nullptr;  // valid if capacity_ > kInline
  Tick few_[kInline] = {};
};

}  // namespace tarry::native
