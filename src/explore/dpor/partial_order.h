// An execution as a Mazurkiewicz trace: its steps, the order that dependence gives them, and the pairs of them that can be turned round.
//
// Every step has a vector clock: by process, the last step of that process that comes before it, plus 1. A step e' of process q races with an earlier step e
// of another process if they are dependent, nothing orders e before what q did last, and q could have taken e' in the place of e. Of several such e, those
// are left out that come before another one: turning that one round shows them later.
//
// An operation that waits (a lock) comes after what let it go on (the unlock), but what it can be turned round with is further back (the lock). So steps in
// whose place q could not have gone on are passed over, and the search for races goes on behind them. Where that is not known, as q came to its operation
// only later, both are taken.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014: happens-before and reversible races. Operations that wait: ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/footprint.h"
#include "core/program.h"
#include "explore/dpor/event.h"

namespace tarry {

struct OrderedStep {
  Event event;
  std::optional<std::uint64_t> waits_for = {};
  std::uint32_t before = 0;                 // the last step of the process, or the one that created it, plus 1
  std::vector<std::uint64_t> open;          // who could run ahead of it
};

/// What a process that is alive would do next, at the end.
struct PendingStep {
  Event event;
  std::optional<std::uint64_t> waits_for = {};
  bool open = false;  // it could go on, had the program not ended
};

struct Race {
  std::uint32_t early;
  std::uint32_t late;  // a step; behind the last: `late` - size() is the index of a pending one
  bool certain;        // the process could have taken the late step in the place of the early one; else it may have to wait there
};

class PartialOrder {
 public:
  std::uint32_t size() const { return size_; }
  OrderedStep& operator[](std::uint32_t i) { return steps_[i]; }
  const OrderedStep& operator[](std::uint32_t i) const { return steps_[i]; }

  void truncate(std::uint32_t size);
  /// A process is there from now on: the last step has created it. Nothing happens if it is known.
  void meet(std::uint32_t process);
  std::uint32_t met() const { return static_cast<std::uint32_t>(born_.size()); }  // processes, or fewer
  bool has_met(std::uint32_t process) const { return born_[process] != 0; }
  OrderedStep& add(std::uint32_t process, const Survey& survey, std::optional<std::uint64_t> waits_for);

  /// Could the process run when the last step was taken?
  bool was_open(std::uint32_t process) const { return (steps_[size_ - 1].open[process / 64] >> (process % 64) & 1) != 0; }

  /// Orders the steps, and finds what races.
  void analyse(const std::vector<PendingStep>& pending, std::vector<Race>& races);
  /// After `analyse`.
  bool comes_before(std::uint32_t early, std::uint32_t late) const { return clocks_[std::size_t{late} * width_ + steps_[early].event.process] > early; }

 private:
  struct Visit {  // of an object
    std::uint32_t step;
    Use use;
    std::uint32_t before;  // the visit before of the same object, plus 1
  };
  struct Slot {
    std::uint64_t object;
    std::uint32_t round = 0, last = 0;  // the last visit, plus 1, in this round of `analyse`
  };
  struct Search {  // for races of one operation
    std::uint32_t process;
    std::span<const ObjectUse> touches;
    std::optional<std::uint64_t> waits_for;
    std::uint32_t before, late;
    bool open;  // it could go on at last
  };

  std::uint32_t* clock(std::uint32_t step) { return clocks_.data() + std::size_t{step} * width_; }
  bool knows(const std::vector<std::uint32_t>& clock, std::uint32_t step) const { return clock[steps_[step].event.process] > step; }
  void join(std::vector<std::uint32_t>& into, std::uint32_t step) const;
  void start_from(std::uint32_t before);
  void place(std::uint32_t step);
  Slot& slot(std::uint64_t object);
  void grow();
  enum class CouldGo { kYes, kNo, kMaybe };
  CouldGo could_go(const Search& search, std::uint32_t step) const;
  CouldGo could_go_at(std::uint64_t object, const Search& search, std::uint32_t step) const;
  const Slot* known_slot(std::uint64_t object) const;
  void gather(const Search& search);
  void gather_of(const ObjectUse& touch, const Search& search);
  void find(const Search& search, std::vector<Race>& races);

  std::vector<OrderedStep> steps_;  // `size_` of them are valid, the others keep their memory
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> born_;     // by process: the step that created it plus 2; 1: it was there at the start; 0: not met
  std::vector<std::uint32_t> clocks_;
  std::uint32_t width_ = 0;             // processes
  std::vector<std::uint32_t> last_of_;  // by process: its last step, plus 1
  std::vector<Slot> table_;
  std::uint32_t round_ = 0, used_ = 0;
  std::vector<Visit> visits_;
  std::uint32_t last_global_ = 0;       // the last step that touches everything, plus 1
  std::vector<std::uint32_t> known_;
  std::vector<std::uint32_t> suspects_;
};

}  // namespace tarry
