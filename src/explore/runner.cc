#include "explore/runner.h"

#include "base/assert.h"

namespace tarry {

Runner::Runner(Session& session, std::uint32_t worker, Schedules schedules) : session_(session), counters_(session.worker(worker)), states_(nullptr) {
  if (session.program().captures()) {
    auto states = std::make_unique<StateExecution>(session, worker, session.options().limits.max_depth);
    states_ = states.get();
    execution_ = std::move(states);
  } else {
    execution_ = session.program().execution(session, worker);
  }
  TARRY_ASSERT(execution_ != nullptr);
  if (session.options().fair != 0 && schedules == Schedules::kAsAsked) fair_.emplace(session.options().fair);
}

ExecutionResult Runner::run_from(Policy& policy, const StartingPoint* start) {
  Policy* asked = &policy;
  if (fair_) {
    fair_->wrap(policy);
    asked = &*fair_;
  }
  ExecutionResult result = start == nullptr ? execution_->run(*asked) : states_->run_from(*asked, start);
  if (result.end == End::kStopped) return result;
  bump(counters_.executions);
  if (states_ == nullptr) {
    bump(counters_.transitions, result.steps);
    if (result.steps > counters_.depth.load(std::memory_order_relaxed)) counters_.depth.store(static_cast<std::uint32_t>(result.steps), std::memory_order_relaxed);
  }
  if (result.points_changed) ++session_.point_changes;
  if (fair_ && result.end == End::kCut && !result.over) judge(result);
  return result;
}

void Runner::judge(ExecutionResult& result) const {
  std::optional<Endless> endless_one = fair_->endless([&](ProcessId p) { return name_of(p); });
  if (!endless_one) return;
  Endless& endless = *endless_one;
  if (endless.text.kind == "good-samaritan" && !session_.options().samaritan) return;
  endless.text.failure = result.failure.failure;
  result.end = End::kFailed;
  result.failure = std::move(endless.text);
}

StepText Runner::in_words(const AskedExplorer& explorer) const {
  return explorer.fault([&](ProcessId p) { return name_of(p); });
}

std::string Runner::name_of(ProcessId process) const {
  const auto narrator = session_.program().narrator();
  return narrator != nullptr && index(process) < session_.program().shape().processes ? narrator->process_name(process) : "process " + std::to_string(index(process));
}

}  // namespace tarry
