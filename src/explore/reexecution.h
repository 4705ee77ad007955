// The bounded walk (explore/bounded_walk.h) through the tree of executions of a program that can only be run: it goes back by running it again.
//
// Depth first over choice points. The stack holds the choices of the present execution with the turns that are left at each; the next
// execution follows it up to the last point that has one, takes the next turn there, and from then on the first turn of every point.
// In which order a point's ways on come, and what each costs, says a Discipline (explore/discipline.h), as in explore/stratified.h: turns
// that cost more than the bound are put aside, named by the prefix of choices, and explored in the next stratum in the order in
// which they were put aside. So no execution is run twice, but for prefixes.
//
// Papers: Musuvathi, Qadeer. Iterative Context Bounding, PLDI 2007 (algorithm 1: work lists of prefixes by preemptions); Desai, Qadeer,
// Seshia, FSE 2015, figure 5 (delays; section 3, last paragraph: without captured states).
//
// Happens-before caching. If the program tells the happens-before order of what was done (ChoicePoint::order), a point whose order was
// met before is not explored again: equal orders, equal states, equal futures. What else decides what will be explored from
// there is part of the key, so that "explored" means the same for both:
// - at a data choice, which one: the process and the values of the step so far, which are not yet in the order;
// - under fair scheduling its state (P, E, D, S and the counts of yields), since it restricts the ways on;
// - under a bound the discipline's memo where it decides on costs (the running process; the explorer's memo). The cost itself is not in
//   the key but compared: a point that was met at cost c has, by the end of each stratum b, all of its continuations up to b explored or
//   put aside. One that is met again at c' >= c could only reach, within any b, what the first one reaches within b. At c' < c it is
//   explored again.
// Orders grow with every step, so a point is never its own successor and what was left to the first visit does get done. A point is
// marked when it is first met beyond the replayed prefix, never in it: there it would find itself. Where a cut at --max-depth ends
// executions, both visits are cut alike, as equal orders have equal lengths.
//
// Invariants: choices_ and points_ have the same length at the end of an execution; below base_ nothing has a turn left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "explore/bounded_walk.h"
#include "explore/discipline.h"
#include "explore/order_cache.h"
#include "explore/prefix_frontier.h"
#include "explore/runner.h"

namespace tarry {

class TreeWalk final : private Policy {
 public:
  TreeWalk(Session& session, Discipline& discipline, BoundedPlan plan, MemoryBudget& budget);

  /// Goes on for at most so many executions. False: it is at its end.
  bool go_on(std::uint64_t executions);
  /// The program has further choice points: nothing of what was stored means anything any more.
  void start_over();
  /// Fills the session's outcome in.
  void conclude();
  /// Every so many yields count for fairness now; 0: schedules are not fair.
  std::uint32_t fair() const { return fair_; }
  /// Fairness has kept threads from yielding on, so there are loops that may be endless without it.
  bool is_cut_by_fairness() const { return runner_.fair_policy() != nullptr && runner_.fair_policy()->removed().choices != 0; }

 private:
  /// A choice point of the present execution.
  struct Point {
    std::uint32_t turn;        // that was taken
    std::uint32_t turns;       // that there are
    std::uint32_t memo;        // after `turn` passes
    std::uint32_t next_price;  // of the turn after it
    std::uint64_t cost;        // with the passes
    std::uint32_t step;        // number of the step that was chosen here, from 1
    bool is_value;
  };

  // Policy
  void begin(const Survey& first) override;
  std::uint32_t pick(const ChoicePoint& point) override;
  void stepped(const Step& step) override;

  std::uint32_t repeat();
  std::uint32_t advance(const ChoicePoint& point);
  std::uint32_t follow(const ChoicePoint& point, std::uint32_t choice);
  std::uint32_t enter(const ChoicePoint& point);
  std::uint32_t at_random(const ChoicePoint& at);
  std::uint32_t settle(Point point, const ChoicePoint& at);
  void pass(Point& point, const ChoicePoint& at, std::uint32_t offered);
  std::uint32_t price(const Point& point, const ChoicePoint& at);
  std::uint32_t choice(const Point& point, const ChoicePoint& at);
  std::uint32_t diverge();
  bool faulty() const;
  Signature key(const ChoicePoint& point) const;

  bool next_subtree();
  bool next_stratum();
  bool raise_fairness();
  void begin_walk();
  void begin_subtree();
  void run_once();
  void report(const StepText& text);
  bool backtrack();
  void share_work();

  Session& session_;
  Discipline& discipline_;
  BoundedPlan plan_;
  MemoryBudget& budget_;
  Runner runner_;
  OrderCache cache_;
  bool caching_;
  PrefixFrontier now_, next_;            // of this stratum, and of the one after it
  std::uint64_t bound_;
  std::uint64_t cut_ = 0;
  std::uint64_t executions_ = 0;
  Progress::Totals explored_;            // since it was last begun
  bool done_ = false;

  // Proofs for fair schedules, while there is more to be explored with a higher k.
  std::uint32_t fair_;
  struct ProvedFair {
    std::uint32_t fair;
    Progress::Totals totals;
    std::uint64_t reached;
  };
  std::optional<ProvedFair> proved_;

  // The present subtree: all executions that begin with forced_ and then take turn first_turn_ or a later one.
  bool in_subtree_ = false;
  std::vector<std::uint32_t> forced_;
  std::uint32_t first_turn_ = 0;
  std::size_t base_ = 0;

  // The present execution.
  std::vector<std::uint32_t> choices_;
  std::vector<Point> points_;
  std::size_t replay_ = 0;  // so many choices are taken from choices_; at the point after them the next turn is due
  std::size_t at_ = 0;
  std::uint32_t memo_ = 0;  // these two count only beyond the replayed part
  std::uint64_t cost_ = 0;
  std::uint32_t steps_ = 0;
  bool begun_ = false;
  bool repeats_ = false;  // it was begun anew: the point after replay_ choices is repeated too
  bool diverged_ = false;
  bool behind_bound_ = false;
  Rng rng_;
};

/// The whole search: strata until all is explored, the last bound is reached, or the session ends.
void walk_tree(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget);

}  // namespace tarry
