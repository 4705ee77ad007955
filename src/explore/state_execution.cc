#include "explore/state_execution.h"

#include <algorithm>

namespace tarry {

StateExecution::StateExecution(Session& session, std::uint32_t number, std::uint64_t max_steps)
    : Walker(session, number),
      max_steps_(max_steps),
      first_(session.program().shape().words),
      now_(first_),
      first_survey_(session.program().shape().processes),
      survey_(first_survey_),
      next_survey_(first_survey_),
      taken_(session.program().shape().words) {
  path_.reserve(std::min<std::uint64_t>(max_steps, 1 << 20));  // a signal handler may read it
  if (space().initial(first_.data()).kind.empty()) space().survey(first_, first_survey_);
}

std::size_t StateExecution::path(Move* out, std::size_t room) const noexcept {
  for (std::size_t i = 0; i < std::min(room, path_.size()); ++i) out[i] = path_[i];
  return path_.size();
}

ExecutionResult StateExecution::run_from(Policy& policy, const StartingPoint* start) {
  const WhereaboutsScope here(*this);
  now_ = start == nullptr ? first_ : start->state;
  path_ = start == nullptr ? std::vector<Move>() : start->path;
  if (start == nullptr) survey_ = first_survey_;
  else space().survey(now_, survey_);
  policy.begin(survey_);
  Ledger* const ledger = space().ledger();
  if (ledger != nullptr) ledger->begin(now_);
  ExecutionResult result;
  while (true) {
    if (survey_.open().empty()) return ended(std::move(result));
    if (path_.size() >= max_steps_ || (ledger != nullptr && ledger->over())) {
      result.over = path_.size() < max_steps_;
      result.end = End::kCut;
      return result;
    }
    if (tick()) return result;
    if (!take_step(policy, result)) return result;
  }
}

namespace {

bool abandoned(ExecutionResult& result) {
  result.end = End::kAbandoned;
  return false;
}

}  // namespace

/// False: the execution is over, and `result` says why.
bool StateExecution::take_step(Policy& policy, ExecutionResult& result) {
  ++result.points;
  const std::uint32_t chosen = policy.pick({survey_, 0, {}});
  if (chosen == Policy::kAbandon) return abandoned(result);
  process_ = ProcessId{chosen};
  values_.clear();
  while (true) {
    take(now_, process_, values_, taken_);
    if (taken_.outcome != abi::Outcome::kNeedsValue) break;
    ++result.points;
    const std::uint32_t value = policy.pick({survey_, taken_.arity, process_});
    if (value == Policy::kAbandon) return abandoned(result);
    values_.push_back(value);
  }
  bump(counters().transitions);
  path_.push_back(session().moves().make(process_, values_));
  saw_depth(path_.size());
  ++result.steps;
  if (taken_.outcome == abi::Outcome::kNotOpen) {
    result = failed(std::move(result), {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: a process that could run before cannot run now", .location = ""});
    return false;
  }
  if (taken_.failed()) {
    StepText text = narrator().explain(now_, process_, values_);
    if (text.kind.empty()) text = {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: a step failed, and did not fail when it was taken again", .location = ""};
    result = failed(std::move(result), std::move(text));
    return false;
  }
  if (Ledger* const ledger = space().ledger(); ledger != nullptr) {
    if (StepText text = ledger->add(now_, taken_.state()); !text.kind.empty()) {
      result = failed(std::move(result), std::move(text));
      return false;
    }
  }
  space().survey(taken_.state(), next_survey_);
  policy.stepped(step_between(process_, survey_, next_survey_, taken_));
  std::copy(taken_.state().begin(), taken_.state().end(), now_.begin());
  std::swap(survey_, next_survey_);
  return true;
}

ExecutionResult StateExecution::ended(ExecutionResult result) {
  result.end = End::kEnded;
  if (!survey_.deadlock()) return result;
  return failed(std::move(result), {.label = "", .kind = "deadlock", .message = deadlock_message(survey_, narrator()), .location = ""});
}

ExecutionResult StateExecution::failed(ExecutionResult result, StepText text) {
  result.end = End::kFailed;
  result.failure = std::move(text);
  return result;
}

}  // namespace tarry
