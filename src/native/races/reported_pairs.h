// The pairs of places whose races were already reported: a set that outlives executions.
#pragma once

#include <cstdint>
#include <utility>

#include "native/races/memory.h"

namespace tarry::native {

class ReportedPairs {
 public:
  explicit ReportedPairs(Memory& memory) : memory_(memory) {}

  /// Adds the pair, in either order. Returns whether it is new.
  bool insert(std::uintptr_t a, std::uintptr_t b);
  void clear();

 private:
  struct Pair {
    std::uint64_t low, high;  // both 0: empty; bit 63 of `high` is always set otherwise
  };
  static constexpr unsigned kFirstBits = 8;

  bool enter(const Pair& pair);

  Memory& memory_;
  Pair* table_ = nullptr;
  unsigned bits_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace tarry::native
