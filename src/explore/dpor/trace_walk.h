// Dynamic partial-order reduction: of all executions that differ only in the order of steps that commute, one is run.
//
// The walk keeps the steps of the current execution as nodes. Each node has a sleep set (steps whose executions are explored already, so that they need not
// come first again until a dependent step was taken) and a wake-up tree (sequences of steps to explore from there). At the end of an execution
// every race in it is turned round: at the node of the earlier step, the steps that do not come after it, followed by the later step, are a sequence to
// explore, unless a sleeping step could begin it. What processes are about to do at the end, blocked or not, takes part in races as if it were taken.
//
// A data choice is a step of the trace, and has a node. All values are explored there with the same sleep set, except where the choice is part of a planned
// sequence: then those that are planned. Executions with other values plan their own sequences. A step that was not explored with all of its values does not
// sleep: sequences with other values may still come.
//
//   Method::kOptimal  sequences are kept, as far as they are needed (wakeup_tree.h); no execution is run twice, and none is blocked by its sleep set.
//                     Optimal-DPOR in the paper. With more than `plans` steps in wake-up trees it goes on as Method::kSource does, to the end: a step that
//                     sleeps then covers only sequences that it begins. So it does from the first data choice on: sequences with choices miss traces where
//                     steps may have to wait or end the program (dpor_test.cc, RunsEachTraceOfProgramsThatWereMissed), and why is not understood yet.
//   Method::kSource   only the first step of a sequence is kept, and only if no step planned there could begin it. Source-DPOR.
//
// Fair scheduling, bounds and caches are not combined with it. Executions that reach --max-depth are cut, and then it proves nothing.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014. Invariants: two executions that came to an end are different
// traces; every trace has one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/execution.h"
#include "core/search.h"
#include "explore/dpor/partial_order.h"
#include "explore/dpor/wakeup_tree.h"
#include "explore/runner.h"
#include "store/memory_budget.h"

namespace tarry {

class SharedWalk;

class TraceWalk final : private Policy {
  friend class SharedWalk;

 public:
  enum class Method { kSource, kOptimal };

  /// `plans`: wake-up trees that hold more steps than that grow by first steps only.
  TraceWalk(Session& session, Method method, std::uint64_t plans, MemoryBudget& budget);

  /// Whether the program reports footprints.
  static bool possible(Session& session) { return Runner(session, 0, Runner::Schedules::kAll).watch_footprints() != nullptr; }

  /// Runs so many executions at most. False: there is nothing left, or the session wants no more.
  bool go_on(std::uint64_t executions);
  /// What was explored means nothing any more.
  void start_over();
  /// Every trace was explored.
  bool is_complete() const { return done_ && !session_.stopping() && can_prove(); }
  /// False: it can go on, but what it explores will not be everything.
  bool can_prove() const { return surprise_ == nullptr && cut_ == 0 && !failed_; }
  /// Of all executions since it started over.
  std::uint64_t steps() const { return explored_.transitions; }
  void conclude();

 private:
  struct Node {
    std::vector<const Event*> sleep;  // steps that sleep at earlier nodes and were not woken since, then steps that were taken from here, each with every step that follows it
    std::uint32_t open = 0;           // so many of the first of them cover only sequences that they begin (shared_walk.h)
    bool late = false;                // every step that sleeps here also sleeps in branches that begin from now on
    WakeupTrees::Tree planned = 0;
    bool in_part = false;             // the step that was taken from here was not explored with all values that it can choose
    std::uint32_t given = 0;          // so many parts behind this node were given to other workers, and are not explored yet

    // Of a data choice.
    std::uint32_t alternatives = 0;     // so many values; 0: a process is chosen here
    std::uint32_t next_value = 0;       // those before it are explored, or planned
    bool all_values = true;             // not only those that are planned
    std::vector<std::uint32_t> chosen;  // those that were planned
    WakeupTrees::Tree with_any = 0;     // planned for all values

    bool was_chosen(std::uint32_t value) const { return std::find(chosen.begin(), chosen.end(), value) != chosen.end(); }
    bool has_more_values() const {
      std::uint32_t value = next_value;
      while (value < alternatives && was_chosen(value)) ++value;
      return value < alternatives;
    }
  };

  /// A part of the tree of executions: all executions that begin with the same steps. Several workers (shared_walk.h) have parts; one worker has one, the whole tree.
  struct Part {
    PartialOrder trace;
    std::vector<Node> nodes;          // one for each step of the trace; one more where a step comes next
    std::uint32_t node_count = 0;
    std::uint32_t complete = 0;       // steps of the trace whose footprint is known
    std::uint32_t new_from = 0;       // steps from here on were not part of the execution before

    // Of a part that another worker gave.
    std::uint32_t first = 0;                // nodes in front of this one are copies: they show what need not be told to the giver
    std::vector<const Event*> repeated;     // the steps that all its executions begin with, until they were taken once
    std::vector<std::uint32_t> settled;     // Race::settled of their races
    std::uint32_t giver = 0, number_of_giver = 0;  // the worker, and its part
    std::uint32_t number = 0;
  };

  /// A race to reverse, in an execution of this worker or of another.
  struct Reversal {
    std::uint32_t early, late;  // as in Race
    const Event* event;         // the late step, as it is planned
  };

  /// A sequence to plan at a node of another worker.
  struct Sequence {
    std::uint32_t node;
    std::vector<const Event*> events;
  };

  /// Why several workers begin anew.
  enum class Trouble : std::uint8_t { kNone, kPoints, kStrange };

  void begin(const Survey& first) override;
  std::uint32_t pick(const ChoicePoint& point) override;
  std::uint32_t repeats() const override;

  std::uint32_t pick_process(const ChoicePoint& point);
  std::uint32_t pick_value(const ChoicePoint& point);
  std::uint32_t pick_planned(const ChoicePoint& point, Node& node);
  std::uint32_t pick_awake(const ChoicePoint& point, const Node& node) const;
  std::uint32_t pick_new_value(Node& node);
  Node& enter_node();
  void end_part();
  void run_once();
  void collect_pending();
  void turn_round();
  /// Are only first steps to be planned? Once they were, sleeping steps no longer cover what they only commute with.
  bool by_source() { return method_ == Method::kSource || (dropped_ |= chooses_ || plans_.size() >= most_plans_); }
  const Event& late_step(const Race& race);
  void turn_round_race(Race& race);
  bool plan_first(const PartialOrder& trace, const Reversal& race, const Event* taken);
  void plan(std::uint32_t node, std::uint32_t before, const Event& late);
  bool plan_sent(std::uint32_t node, std::span<const Event* const> sequence, const Event* taken);
  bool plan_to_send(WakeupTrees::Tree& sent);
  /// Sequences with other values are planned only while whole sequences are.
  bool explores_all_values(const Node& node) const { return node.all_values || dropped_; }
  void count_memory();
  bool backtrack();
  std::uint32_t diverge();

  Session& session_;
  Method method_;
  std::uint64_t most_plans_;
  MemoryBudget& budget_;
  Runner runner_;
  const Footprints* footprints_;
  EventTable events_;
  WakeupTrees plans_{events_};
  Part part_;
  WakeupTrees::Taken handed_down_;     // to the next node
  std::uint32_t begun_ = 0;           // steps of this execution, choices included
  std::uint32_t ended_ = 0;           // so many of them are over
  std::size_t told_ = 0;              // so many touches of the step that goes on are part of events already
  std::vector<std::uint64_t> asleep_;  // processes that could run at the end of an execution in vain
  std::vector<PendingStep> pending_;
  Event begun_event_, other_;           // of the step that goes on; to look events up
  std::vector<ObjectUse> touched_;
  WakeupSequence sequence_;             // Method::kOptimal
  std::vector<const Event*> leading_;   // Method::kSource
  SharedWalk* shared_ = nullptr;        // there are several workers
  std::vector<Reversal> for_giver_;     // Method::kSource: in the execution that was run last
  std::vector<Sequence> to_send_;       // Method::kOptimal
  Trouble trouble_ = Trouble::kNone;
  bool chooses_ = false;              // a step made a data choice
  bool dropped_ = false;              // only first steps are planned from now on
  bool done_ = false, diverged_ = false;
  bool failed_ = false;               // an execution, and the search went on
  const char* surprise_ = nullptr;    // why the program is not explored
  std::uint64_t executions_ = 0, cut_ = 0, in_vain_ = 0;
  Progress::Totals explored_;
  std::uint64_t counted_ = 0;         // bytes that the budget knows of
};

/// Explores the program by one method, to its end or until the session wants no more.
void walk_traces(Session& session, TraceWalk::Method method, std::uint64_t plans = 0);

}  // namespace tarry
