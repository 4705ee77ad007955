// The bounded walk: explores everything that costs nothing, then everything that costs one, and so on.
//
// Delay bounding (Desai, Qadeer, Seshia, FSE 2015, figure 5), preemption bounding (Musuvathi, Qadeer, PLDI 2007) and depth bounding are
// this walk under different disciplines. A search makes its discipline and its plan, and calls walk_bounded. The walk has two forms with
// the same strata: on captured states, each visited once (explore/stratified.h: figure 5), and on programs that can only be run, by
// running them again from the start (explore/reexecution.h).
#pragma once

#include <cstdint>
#include <optional>

#include "explore/discipline.h"

namespace tarry {

class MemoryBudget;
class Session;

struct BoundedPlan {
  std::uint64_t first = 0;            // bound of the first stratum
  std::uint64_t delta = 1;            // added to the bound from one stratum to the next
  std::optional<std::uint64_t> last;  // bound of the last stratum
  bool memo_matters = true;           // the discipline's memo decides what things cost, not only in which order they come
  bool finish_at_random = false;      // where executions are run: they go on at random behind the bound, instead of ending there
};

/// Explores strata until all is explored, the last bound is reached, or the session ends. Fills session.outcome.
void walk_bounded(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget);

}  // namespace tarry
