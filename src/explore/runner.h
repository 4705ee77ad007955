// How searches run a program from its start to its end: one object a worker, for programs of both kinds.
//
// It makes the execution (a state space is walked, other programs bring their own), puts fair scheduling around the policy if that was
// asked for, and counts. An execution that reaches --max-depth under a fair schedule is a finding (explore/fair.h); without one it is
// cut.
#pragma once

#include <memory>
#include <optional>

#include "core/search.h"
#include "explore/asked_explorer.h"
#include "explore/fair.h"
#include "explore/state_execution.h"

namespace tarry {

class Runner {
 public:
  enum class Schedules { kAsAsked, kAll };
  /// kAll: not only fair ones, though these were asked for.
  Runner(Session& session, std::uint32_t worker, Schedules schedules = Schedules::kAsAsked);

  ExecutionResult run(Policy& policy) { return run_from(policy, nullptr); }
  /// From another point than the start; only where states are captured.
  ExecutionResult run_from(Policy& policy, const StartingPoint* start);
  const std::vector<Move>& moves_taken() const { return execution_->moves_taken(); }

  /// What the explorer did wrong. Requires: explorer.faulty().
  StepText in_words(const AskedExplorer& explorer) const;

  /// nullptr: schedules are not fair.
  const Fairness* fairness() const { return fair_ ? &fair_->fairness() : nullptr; }
  const FairPolicy* fair_policy() const { return fair_ ? &*fair_ : nullptr; }
  /// The search starts over, with other schedules.
  void begin_anew() { execution_->begin_anew(); }
  const Footprints* watch_footprints() { return execution_->watch_footprints(); }
  /// Requires: schedules are fair.
  void count_every(std::uint32_t every) { fair_->count_every(every); }
  /// A worker that goes on, on another thread than before.
  void on_this_thread() {
    if (states_ != nullptr) states_->on_this_thread();
  }

 private:
  void judge(ExecutionResult& result) const;
  std::string name_of(ProcessId process) const;

  Session& session_;
  WorkerProgress& counters_;
  std::unique_ptr<Execution> execution_;
  StateExecution* states_;  // the same one, where states are captured
  std::optional<FairPolicy> fair_;
};

/// Tree searches walk the program by running it again and again: it has no states, or schedules have to be fair.
inline bool by_running(const Session& session) { return !session.program().captures() || session.options().fair != 0; }

}  // namespace tarry
