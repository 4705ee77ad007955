// Bitstate hashing (Holzmann): three bits per state. A state whose bits are all set counts as visited, so some states may be
// missed; in return a state costs a few bits.
//
// The bits of an array cannot be spread over a larger array, because the states that set them are no longer known. So a search
// begins with a small array, and each further array has four times the bytes of the previous one. A state is visited if one of
// the arrays has it. Except for the last array, an array is closed while it is sparse (one state in kBitsPerState bits: 0.1 % of
// new states are missed). Only the last array fills up. This costs a quarter of the memory and one look-up per array. A program
// of a few states takes one megabyte, not half of --memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "base/virtual_array.h"
#include "store/first_sizes.h"
#include "store/lane_table.h"

namespace tarry {

class BitArray {
 public:
  /// Creates an array. Requires: `bytes` is a power of two, at least 8.
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

/// Arrays of growing size, together at most `most` bytes (at least one array of the smallest size).
class BitArrays {
 public:
  static constexpr std::uint64_t kBitsPerState = 32;  // in an array that is closed

  explicit BitArrays(std::uint64_t most) : most_(most) { add(std::min(kFirstBitBytes, std::bit_floor(std::max<std::uint64_t>(most, 64)))); }

  bool contains(std::uint64_t key) const {
    return std::any_of(arrays_.rbegin(), arrays_.rend(), [&](const BitArray& array) { return array.contains(key); });
  }
  Visit insert(std::uint64_t key) {
    for (std::size_t i = 0; i + 1 < arrays_.size(); ++i)
      if (arrays_[i].contains(key)) return Visit::kSeen;
    const Visit visit = arrays_.back().insert(key);
    // Only one in kCounted states is counted, for all: workers rarely meet at the counter, and the same states fill the array in
    // every run.
    if (visit == Visit::kNew && mix64(key) % kCounted == 0) states_.fetch_add(kCounted, std::memory_order_relaxed);
    return visit;
  }
  void touch(std::uint64_t key) const {
    for (const BitArray& array : arrays_) array.touch(key);
  }
  std::uint64_t bytes() const { return bytes_; }

  /// Returns whether the last array has as many states as a closed array may have.
  bool crowded() const { return states_.load(std::memory_order_relaxed) >= room_.load(std::memory_order_relaxed); }
  /// Returns the bytes that grow() would take, or 0 if it cannot grow.
  std::uint64_t growth_bytes() const {
    const std::uint64_t rest = most_ - std::min(most_, bytes_);
    const std::uint64_t next = std::min(arrays_.back().bytes() * 4, std::bit_floor(rest));
    return next > arrays_.back().bytes() ? next : 0;
  }
  /// Adds an array. Requires: no other worker uses the arrays, and growth_bytes() is not 0.
  void grow() { add(growth_bytes()); }
  /// Makes the last array final: it is never crowded again.
  void close() { room_.store(~std::uint64_t{0}, std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kCounted = 16;

  void add(std::uint64_t bytes) {
    arrays_.emplace_back(bytes);
    bytes_ += bytes;
    states_.store(0, std::memory_order_relaxed);
    room_.store(bytes * 8 / kBitsPerState, std::memory_order_relaxed);
  }

  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::vector<BitArray> arrays_;  // changes only in grow()
  std::atomic<std::uint64_t> states_{0};  // in the last array, approximately
  std::atomic<std::uint64_t> room_{0};
};

}  // namespace tarry
