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
// Clocks, visits of objects and races of a step depend on earlier steps only. They stay while the step does, so each execution pays for its new steps.
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

/// By process: so many of the first steps of the execution are known, where a step counts that is of the process.
using Clock = std::vector<std::uint32_t>;

struct OrderedStep {
  std::uint32_t process = 0;
  std::uint32_t choice = 0;         // the value of a data choice, plus 1; 0: it is none
  std::uint32_t begins = 0;         // the step that it is part of begins with this one
  const Event* event = nullptr;     // once it is over
  std::optional<std::uint64_t> waits_for = {};
  std::uint32_t before = 0;         // the last step of the process, or the step that created it, plus 1
  std::uint32_t own_before = 0;     // the last step of the process, plus 1
  std::uint32_t global_before = 0;  // the last step that touches everything, plus 1
};

/// What a process that is alive would do next, at the end.
struct PendingStep {
  const Event* event = nullptr;
  std::optional<std::uint64_t> waits_for = {};
  bool open = false;  // it could go on, had the program not ended
};

/// Nothing can come between a choice and the step that it is part of: what races with a choice is turned round at that step.
struct Race {
  static constexpr std::uint32_t kUnsettled = ~std::uint32_t{0};

  std::uint32_t early;
  std::uint32_t late;  // a step; behind the last: `late` - size() is the index of a pending one
  bool certain;        // the process could have taken the late step in the place of the early one; else it may have to wait there
  std::uint32_t settled = kUnsettled;  // no plan is needed for it as long as this step is part of the execution
};

class PartialOrder {
 public:
  std::uint32_t size() const { return size_; }
  OrderedStep& operator[](std::uint32_t i) { return steps_[i]; }
  const OrderedStep& operator[](std::uint32_t i) const { return steps_[i]; }
  const Event& event(std::uint32_t i) const { return *steps_[i].event; }

  void truncate(std::uint32_t size);
  /// A process is there from now on: the last step has created it. Nothing happens if it is known.
  void meet(std::uint32_t process);
  std::uint32_t met() const { return static_cast<std::uint32_t>(born_.size()); }  // processes, or fewer
  bool has_met(std::uint32_t process) const { return born_[process] != 0; }
  void add(std::uint32_t process, const Survey& survey, std::optional<std::uint64_t> waits_for);
  /// A step of another execution, which was analysed elsewhere: for `order`.
  void add(const Event& event);
  /// When the process was met: the step that created it plus 2; 1: it was there at the start; 0: not met.
  std::uint32_t born(std::uint32_t process) const { return born_[process]; }
  /// The process of the last step has chosen a value in it.
  void add_choice(std::uint32_t value);

  /// Could the process run when the last step was taken? Requires: that step was added, and nothing was taken back since.
  bool was_open(std::uint32_t process) const { return (open_[process / 64] >> (process % 64) & 1) != 0; }

  /// Orders the steps, and finds what races: see races() and pending_races().
  void analyse(const std::vector<PendingStep>& pending);
  /// Only orders the steps.
  void order();
  std::vector<Race>& races() { return races_; }  // by `late`
  const std::vector<Race>& pending_races() const { return pending_races_; }

  // After `analyse` or `order`:
  bool comes_before(std::uint32_t early, std::uint32_t late) const { return clocks_[std::size_t{late} * width_ + steps_[early].process] > early; }
  /// Tells which of the later steps a step comes before. Valid until the order changes.
  class Successors {
   public:
    Successors(const PartialOrder& order, std::uint32_t early) : clocks_(order.clocks_.data() + order.steps_[early].process), width_(order.width_), early_(early) {}
    bool contain(std::uint32_t late) const { return clocks_[std::size_t{late} * width_] > early_; }

   private:
    const std::uint32_t* clocks_;
    std::size_t width_;
    std::uint32_t early_;
  };
  Successors successors(std::uint32_t early) const { return {*this, early}; }
  bool knows(const Clock& clock, std::uint32_t step) const { return clock[steps_[step].process] > step; }
  /// Adds the step and everything that comes before it.
  void join(Clock& into, std::uint32_t step) const;
  /// `into` becomes what a process knows after this step (plus 1).
  void start_from(Clock& into, std::uint32_t before) const;
  /// What a process has done last, or the step that created it, plus 1.
  std::uint32_t last_of(std::uint32_t process) const { return added_[process] != 0 ? added_[process] : born_[process] - 1; }

 private:
  struct Visit {  // of an object
    std::uint64_t object;
    std::uint32_t step;
    Use use;
    std::uint32_t before;  // the visit before of the same object, plus 1
  };
  struct Slot {
    std::uint64_t object;
    std::uint32_t last = 0;  // the last visit, plus 1
    bool used = false;
  };
  struct Search {  // for races of one operation
    std::uint32_t process;
    const Event& event;
    std::optional<std::uint64_t> waits_for;
    std::uint32_t before, late;
    bool open;  // it could go on at last
  };

  void widen();
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

  std::vector<OrderedStep> steps_;    // `size_` of them are valid
  std::uint32_t size_ = 0;
  std::uint32_t placed_ = 0;          // steps that are analysed
  std::vector<std::uint64_t> open_;   // who could run ahead of the last step
  std::vector<std::uint32_t> born_;   // by process: the step that created it plus 2; 1: it was there at the start; 0: not met
  std::vector<std::uint32_t> clocks_;
  std::uint32_t width_ = 0;           // processes that clocks have room for
  std::vector<std::uint32_t> added_;  // by process: its last step, plus 1
  std::vector<std::uint32_t> last_of_;  // of those that are placed
  std::vector<Slot> table_;
  std::uint32_t used_ = 0;
  std::vector<Visit> visits_;
  std::uint32_t last_global_ = 0;     // the last step placed that touches everything, plus 1
  std::vector<Race> races_, pending_races_;
  Clock known_;
  std::vector<std::uint32_t> suspects_;
};

}  // namespace tarry
