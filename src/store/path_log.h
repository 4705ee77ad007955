// Records how states were reached: for each state its predecessor and the move between them. Eight bytes per state.
//
// Walking from an entry to the root gives the schedule. Each entry is written by one worker and never changes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "base/virtual_array.h"
#include "core/move.h"
#include "store/memory_budget.h"

namespace tarry {

enum class PathId : std::uint32_t { kRoot = 0 };

class PathLog {
 public:
  explicit PathLog(MemoryBudget& budget) : entries_(std::min<std::uint64_t>(budget.limit() / 8 + (1 << 20), kMost)), budget_(budget) {}
  ~PathLog() { budget_.give(taken_.load() * 8); }

  /// Writes entries for one worker. It takes room in blocks, so workers rarely contend.
  class Writer {
   public:
    explicit Writer(PathLog& log) : log_(log) {}
    PathId add(PathId parent, Move move) {
      if (next_ == end_) {
        next_ = log_.take_block();
        end_ = (next_ / kBlock + 1) * kBlock;
      }
      log_.entries_[next_] = static_cast<std::uint64_t>(parent) << 32 | static_cast<std::uint32_t>(move);
      return PathId{next_++};
    }

   private:
    PathLog& log_;
    std::uint32_t next_ = 0, end_ = 0;
  };

  PathId parent(PathId id) const { return PathId{static_cast<std::uint32_t>(entries_[static_cast<std::uint32_t>(id)] >> 32)}; }
  Move move(PathId id) const { return Move{static_cast<std::uint32_t>(entries_[static_cast<std::uint32_t>(id)])}; }

  /// Returns the moves from the root to the entry.
  std::vector<Move> path(PathId id) const {
    std::vector<Move> out;
    for (; id != PathId::kRoot; id = parent(id)) out.push_back(move(id));
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  static constexpr std::uint32_t kBlock = 4096;
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

  std::uint32_t take_block() {
    const std::uint64_t first = taken_.fetch_add(kBlock, std::memory_order_relaxed);
    TARRY_ASSERT(first + 2 * kBlock < entries_.capacity());
    budget_.force(kBlock * 8);
    return static_cast<std::uint32_t>(first + (first == 0 ? 1 : 0));  // entry 0 is the root
  }

  VirtualArray<std::uint64_t> entries_;
  MemoryBudget& budget_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace tarry
