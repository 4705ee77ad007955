// The memory that the tables of a check may take together. It is counted at allocation, so that it can be tested.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tarry {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}

  /// Takes `bytes` if they are available. Returns whether they were.
  bool take(std::uint64_t bytes) {
    const std::uint64_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now <= limit_) {
      raise_peak(now);
      return true;
    }
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }

  /// Takes `bytes` even if they are not available: for memory that the search needs in any case.
  void force(std::uint64_t bytes) { raise_peak(used_.fetch_add(bytes, std::memory_order_relaxed) + bytes); }
  void give(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  bool exceeded() const { return used() > limit_; }

 private:
  void raise_peak(std::uint64_t now) {
    std::uint64_t seen = peak_.load(std::memory_order_relaxed);
    while (seen < now && !peak_.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
    }
  }

  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
};

}  // namespace tarry
