// Dynamic partial-order reduction: of all executions that differ only in the order of steps that commute, one is run.
//
// The walk keeps the steps of the current execution as nodes. Each node has a sleep set (steps whose executions are explored already, so that they need not
// come first again until a dependent step was taken) and a wake-up tree (sequences of steps that are to be explored from there). At the end of an execution
// every race in it is turned round: at the node of the earlier step, the steps that do not come after it, followed by the later step, are a sequence to
// explore, unless a sleeping step could begin it. A data choice is turned round in the same way, with another value of the same step. What processes are about
// to do at the end, blocked or not, takes part in races as if it were taken.
//
//   Method::kOptimal  sequences are kept, as far as they are needed (wakeup_tree.h); no execution is run twice, and none is blocked by its sleep set.
//                     Optimal-DPOR in the paper. With more than `plans` steps in wake-up trees it goes on as Method::kSource does, to the end: a step that
//                     sleeps then covers only sequences that it begins.
//   Method::kSource   only the first step of a sequence is kept, and only if no step that is to be explored there could begin it. Source-DPOR.
//
// Fair scheduling, bounds and caches are not combined with it. Executions that reach --max-depth are cut, and then it proves nothing.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014. Invariants: two executions that came to an end are different
// traces; every trace has one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/execution.h"
#include "core/search.h"
#include "explore/dpor/partial_order.h"
#include "explore/dpor/wakeup_tree.h"
#include "explore/runner.h"
#include "store/memory_budget.h"

namespace tarry {

class TraceWalk final : private Policy {
 public:
  enum class Method { kSource, kOptimal };

  /// `plans`: wake-up trees that hold more steps than that grow by first steps only.
  TraceWalk(Session& session, Method method, std::uint64_t plans, MemoryBudget& budget);

  /// Runs so many executions at most. False: there is nothing left, or the session wants no more.
  bool go_on(std::uint64_t executions);
  /// What was explored means nothing any more.
  void start_over();
  void conclude();

 private:
  struct Node {
    std::vector<const Event*> sleep;  // steps that were taken from here, each with all that follows it, and those of earlier nodes that nothing has woken since
    WakeupTrees::Tree planned = 0;
    Values values;                    // of the step that is being taken, as planned
    std::size_t open_from = 0;        // so many of them were given; none were asked for if it was not planned: ~0
  };

  void begin(const Survey& first) override;
  std::uint32_t pick(const ChoicePoint& point) override;

  std::uint32_t pick_process(const ChoicePoint& point);
  std::uint32_t pick_value(const ChoicePoint& point);
  std::uint32_t pick_planned(const ChoicePoint& point, Node& node);
  std::uint32_t pick_awake(const ChoicePoint& point, Node& node) const;
  Node& enter_node();
  void end_step();
  void run_once();
  void collect_pending();
  void turn_round();
  /// Are only first steps to be planned? Once they were, sleeping steps no longer cover what they only commute with.
  bool by_source() { return method_ == Method::kSource || (dropped_ |= plans_.size() >= most_plans_); }
  const Event& late_step(const Race& race);
  void turn_round_race(Race& race);
  void turn_round_choices(std::uint32_t step);
  void plan_value(Node& node, const Event& event);
  void plan_first(std::uint32_t node, std::uint32_t end, const Event& late);
  bool plan(std::uint32_t node, std::uint32_t before, const Event& late);
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
  PartialOrder trace_;
  std::vector<Node> nodes_;           // one for each step of the trace; one more where a step is to be taken
  std::uint32_t node_count_ = 0;
  WakeupTrees::Tree handed_down_ = 0;  // to the next node
  std::uint32_t begun_ = 0;           // steps of this execution
  std::uint32_t complete_ = 0;        // steps of the trace whose footprint is known
  std::uint32_t new_from_ = 0;        // steps from here on were not part of the execution before
  std::uint32_t values_ = 0;          // data choices of the step so far
  std::vector<PendingStep> pending_;
  Event begun_event_, other_;           // of the step that goes on; to look events up
  std::vector<ObjectUse> touched_;
  WakeupSequence sequence_;             // Method::kOptimal
  std::vector<const Event*> leading_;   // Method::kSource
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
