// Runs a program whose states are values from its first state (or another one) to the end, asking a policy at each point.
#pragma once

#include <vector>

#include "core/execution.h"
#include "explore/walker.h"

namespace tarry {

/// Where to start instead of the beginning: after these moves, in this state.
struct StartingPoint {
  std::vector<Move> path;
  std::vector<Word> state;
};

class StateExecution final : public Walker, public Execution {
 public:
  StateExecution(Session& session, std::uint32_t number, std::uint64_t max_steps);

  ExecutionResult run(Policy& policy) override { return run_from(policy, nullptr); }
  ExecutionResult run_from(Policy& policy, const StartingPoint* start);
  const std::vector<Move>& moves_taken() const override { return path_; }

  std::size_t path(Move* out, std::size_t room) const noexcept override;

 private:
  ExecutionResult ended(ExecutionResult result);
  ExecutionResult failed(ExecutionResult result, StepText text);
  bool take_step(Policy& policy, ExecutionResult& result);

  std::uint64_t max_steps_;
  std::vector<Word> first_, now_;
  Survey first_survey_, survey_, next_survey_;
  Taken taken_;
  std::vector<std::uint32_t> values_;
  std::vector<Move> path_;
  ProcessId process_{};
};

}  // namespace tarry
