// A move: which process runs, and what its data choices are. A schedule is a sequence of moves.
//
// A move is one 32-bit number, because stacks, frontiers and paths hold one per state: 12 bits for the process; then nothing,
// one value, or the number of a list of values kept in `Moves`.
#pragma once

#include <tarry/explorer.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tarry {

enum class Move : std::uint32_t {};

/// The data choices of moves. Shared by all workers: lists are added under a lock and never change.
class Moves {
 public:
  Move make(ProcessId process, std::span<const std::uint32_t> values) {
    return values.empty() && index(process) <= kProcessMask ? Move{index(process)} : make_with(process, values);
  }
  static ProcessId process(Move move) { return ProcessId{static_cast<std::uint32_t>(move) & kProcessMask}; }
  std::vector<std::uint32_t> values(Move move) const;

  /// For signal handlers: copies at most `room` values and returns how many there are. Takes no lock.
  std::size_t copy_values(Move move, std::uint32_t* out, std::size_t room) const noexcept;

 private:
  static constexpr unsigned kProcessBits = 12;
  static constexpr std::uint32_t kProcessMask = (1u << kProcessBits) - 1;
  static constexpr std::uint32_t kSingle = 1u << 31;  // the rest is one value
  static constexpr std::uint32_t kMaxLists = 1u << 19;
  static constexpr std::uint32_t kPerBlock = 1024;

  using List = std::vector<std::uint32_t>;
  Move make_with(ProcessId process, std::span<const std::uint32_t> values);
  const List& list(std::uint32_t id) const { return blocks_[id / kPerBlock][id % kPerBlock]; }

  std::mutex mutex_;                      // guards ids_ and the growth of blocks_
  std::map<List, std::uint32_t> ids_;
  std::array<std::unique_ptr<List[]>, kMaxLists / kPerBlock> blocks_;
  std::uint32_t count_ = 1;               // list 0 is the empty one
};

/// One choice of a schedule, as it is written to a trace: a process to run, or a value.
struct Choice {
  enum class Kind : std::uint8_t { kProcess, kValue };
  Kind kind;
  std::uint32_t number;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The schedule as choices: each move is its process, then its values.
std::vector<Choice> choices_of(const Moves& moves, std::span<const Move> path);

}  // namespace tarry
