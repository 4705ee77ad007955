// A move is the process that runs and its data choices. A schedule is a sequence of moves.
//
// A move is one 32-bit number, because stacks, frontiers and paths hold one per state. It has as many bits for the process as the
// program needs, at most 12. The rest is empty, one value, or the number of a list of values kept in `Moves`. A program with more processes than
// 12 bits can name has the last of these numbers for all further processes; then the list begins with the process.
#pragma once

#include <tarry/explorer.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/virtual_array.h"

namespace tarry {

enum class Move : std::uint32_t {};

/// The data choices of moves. All workers share it: lists are added under a lock and never change.
class Moves {
 public:
  static constexpr std::uint32_t kMostWithoutList = 4096;

  /// Creates a table for at most `processes` processes. Fewer processes leave room for more lists of values.
  explicit Moves(std::uint32_t processes = kMostWithoutList);

  Move make(ProcessId process, std::span<const std::uint32_t> values) {
    return values.empty() && index(process) < first_listed_ ? Move{index(process)} : make_with(process, values);
  }
  ProcessId process(Move move) const {
    const std::uint32_t number = static_cast<std::uint32_t>(move) & process_mask_;
    return number < first_listed_ ? ProcessId{number} : ProcessId{list(list_of(move))[0]};
  }
  std::vector<std::uint32_t> values(Move move) const;

  /// Copies at most `room` values. Returns the number of values. Takes no lock, so signal handlers may call it.
  std::size_t copy_values(Move move, std::uint32_t* out, std::size_t room) const noexcept;

  /// Returns whether more than half of the list numbers are used. A long search would run out of them.
  bool nearly_full() const { return std::atomic_ref(count_).load(std::memory_order_relaxed) > room_ / 2; }
  /// Returns the number of different lists before nearly_full().
  std::uint32_t enough() const { return room_ / 2; }
  /// Returns the memory of the lists.
  std::uint64_t bytes() const;

 private:
  static constexpr std::uint32_t kSingle = 1u << 31;  // the remaining bits are one value

  Move make_with(ProcessId process, std::span<const std::uint32_t> values);
  /// Returns the number of the list, with its lock held. Adds the list if it is new.
  std::uint32_t number_of(std::span<const std::uint32_t> values);
  std::uint32_t list_of(Move move) const { return (static_cast<std::uint32_t>(move) & ~kSingle) >> process_bits_; }
  std::span<const std::uint32_t> list(std::uint32_t id) const { return {words_.data() + ends_[id - 1], words_.data() + ends_[id]}; }
  /// Returns the place of the list in the table, or the place where it belongs.
  std::size_t place_of(std::span<const std::uint32_t> values) const;
  void grow();

  unsigned process_bits_;
  std::uint32_t process_mask_;
  std::uint32_t first_listed_;              // processes from here on stand first in a list
  std::uint32_t room_;                      // numbers for lists, and values that need no list
  std::mutex mutex_;                        // guards the table and all growth
  std::vector<std::uint32_t> table_;        // numbers of lists by hash; 0: free
  VirtualArray<std::uint64_t> ends_;        // list n is in words_ from the end of list n - 1 to its own end
  VirtualArray<std::uint32_t> words_;
  mutable std::uint32_t count_ = 1;         // list 0 is the empty list
};

/// One choice of a schedule, as written to a trace: a process to run, or a value.
struct Choice {
  enum class Kind : std::uint8_t { kProcess, kValue };
  Kind kind;
  std::uint32_t number;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The one form of a choice as a number, for memory and pipes between processes. (Trace files have a form of their own, docs/trace-format.md.)
constexpr std::uint64_t code_of(const Choice& choice) { return std::uint64_t{choice.number} * 2 + static_cast<std::uint64_t>(choice.kind); }
constexpr Choice choice_of(std::uint64_t code) { return {static_cast<Choice::Kind>(code & 1), static_cast<std::uint32_t>(code >> 1)}; }

/// Returns the schedule as choices: for each move its process, then its values.
std::vector<Choice> choices_of(const Moves& moves, std::span<const Move> path);

}  // namespace tarry
