// Bitstate hashing (Holzmann): three bits for a state. A state whose bits are all set is taken for a visited one, so some states
// may be missed; in return a state costs a few bits.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/rng.h"
#include "base/virtual_array.h"
#include "store/lane_table.h"

namespace tarry {

class BitArray {
 public:
  /// Requires: `bytes` is a power of two, 8 at least.
  explicit BitArray(std::uint64_t bytes) : words_(bytes / 8), mask_(bytes * 8 - 1) {}

  bool contains(std::uint64_t key) const {
    for (unsigned i = 0; i < kHashes; ++i) {
      const std::uint64_t bit = place(key, i);
      const std::uint64_t word = std::atomic_ref(const_cast<std::uint64_t&>(words_[bit / 64])).load(std::memory_order_relaxed);
      if ((word >> (bit % 64) & 1) == 0) return false;
    }
    return true;
  }
  Visit insert(std::uint64_t key) {
    bool fresh = false;
    for (unsigned i = 0; i < kHashes; ++i) {
      const std::uint64_t bit = place(key, i);
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      fresh |= (std::atomic_ref(words_[bit / 64]).fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
    }
    return fresh ? Visit::kNew : Visit::kSeen;
  }
  void touch(std::uint64_t key) const {
    for (unsigned i = 0; i < kHashes; ++i) {
      const std::uint64_t word = std::atomic_ref(const_cast<std::uint64_t&>(words_[place(key, i) / 64])).load(std::memory_order_relaxed);
      asm volatile("" : : "r"(word));
    }
  }
  std::uint64_t bytes() const { return words_.capacity() * 8; }

 private:
  static constexpr unsigned kHashes = 3;
  std::uint64_t place(std::uint64_t key, unsigned i) const { return mix64(key + i * 0x9e3779b97f4a7c15u) & mask_; }

  VirtualArray<std::uint64_t> words_;
  std::uint64_t mask_;
};

}  // namespace tarry
