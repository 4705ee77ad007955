#include "explore/bounded_walk.h"

#include "explore/reexecution.h"
#include "explore/runner.h"
#include "explore/stratified.h"

namespace tarry {

void walk_bounded(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget) {
  if (by_running(session)) return walk_tree(session, discipline, plan, budget);
  Interner surveys(budget);
  Stratified(session, discipline, plan, budget, surveys).run();
}

}  // namespace tarry
