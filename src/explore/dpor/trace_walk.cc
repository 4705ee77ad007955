#include "explore/dpor/trace_walk.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace tarry {
namespace {

/// About so much memory is an event of a wake-up tree.
constexpr std::size_t kEventSize = 256;

/// Calls f for the same step with other values: up to some data choice as it was, there another one, and then open.
template <class Function>
void for_other_values(const Event& event, Function&& f) {
  Event other{event.process, {}, event.touches};
  for (std::size_t choice = 0; choice < event.values.size(); ++choice) {
    other.values.assign(event.values.begin(), event.values.begin() + static_cast<std::ptrdiff_t>(choice) + 1);
    for (std::uint32_t value = 0; value < event.alternatives[choice]; ++value) {
      other.values.back() = value;
      if (value != event.values[choice]) f(other);
    }
  }
}

/// What was planned by what a step touched elsewhere may turn out to be explored.
bool sleeps(const Event& event, const std::vector<const Event*>& sleep) {
  return std::any_of(sleep.begin(), sleep.end(), [&](const Event* other) { return other->process == event.process && agree(other->values, event.values); });
}

}  // namespace

TraceWalk::TraceWalk(Session& session, Method method, MemoryBudget& budget)
    : session_(session), method_(method), budget_(budget), runner_(session, 0, Runner::Schedules::kAll), footprints_(runner_.watch_footprints()) {
  TARRY_ASSERT(footprints_ != nullptr);
}

void TraceWalk::start_over() {
  count_dropped(planned_);
  trace_.truncate(0);
  for (Node& node : nodes_) node = {};
  handed_down_ = {};
  node_count_ = complete_ = new_from_ = 0;
  done_ = false;
  explored_ = {};
  cut_ = in_vain_ = 0;
  failed_ = false;
}

bool TraceWalk::go_on(std::uint64_t executions) {
  for (; executions > 0 && !done_ && !session_.stopping(); --executions) {
    run_once();
    if ((++executions_ & 15) == 0) {
      if (budget_.exceeded()) session_.stop(StoppedBy::kMemory);
      session_.poll();
    }
  }
  return !done_ && !session_.stopping();
}

void TraceWalk::run_once() {
  begun_ = 0;
  const ExecutionResult result = runner_.run(*this);
  if (result.end == End::kStopped) {
    session_.poll();
    if (!session_.stopping()) session_.stop(StoppedBy::kInterrupt);
    return;
  }
  if (result.end == End::kAbandoned) ++in_vain_;
  else ++explored_.executions;
  explored_.transitions += result.steps;
  explored_.depth = std::max(explored_.depth, result.steps);
  if (result.end == End::kFailed) {
    session_.report(runner_.moves_taken(), result.failure, -1);
    if (session_.stopping()) return;
  }
  if (result.points_changed) return start_over();
  if (diverged_ || begun_ < new_from_)
    return session_.report(runner_.moves_taken(), {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: it went another way where it was to repeat an earlier execution", .location = ""}, -1);
  if (result.end == End::kCut) ++cut_;
  const char* const surprise = surprise_;
  end_step();
  if (result.end == End::kFailed && surprise_ != surprise) {  // the search keeps going: what the step depends on was not known, so something may be missed
    surprise_ = surprise;
    failed_ = true;
  }
  if (surprise_ != nullptr) {
    done_ = true;
    return;
  }
  pending_.clear();
  if (result.end != End::kAbandoned) collect_pending();
  if (begun_ > new_from_) turn_round();
  done_ = !backtrack();
}

// ---------------------------------------------------------------- an execution

void TraceWalk::begin(const Survey& /*first*/) {
  begun_ = 0;
  diverged_ = false;
}

std::uint32_t TraceWalk::pick(const ChoicePoint& point) { return point.values != 0 ? pick_value(point) : pick_process(point); }

std::uint32_t TraceWalk::diverge() {
  diverged_ = true;
  return kAbandon;
}

/// The last step that was begun is over: what it touched is known now.
void TraceWalk::end_step() {
  if (begun_ <= complete_) return;
  const std::span<const ObjectUse> touches = footprints_->of_last_step();
  trace_[begun_ - 1].event.touches.assign(touches.begin(), touches.end());
  if (surprise_ == nullptr) surprise_ = footprints_->surprise();
  complete_ = begun_;
}

std::uint32_t TraceWalk::pick_process(const ChoicePoint& point) {
  values_ = 0;
  end_step();
  if (begun_ < trace_.size()) {
    const std::uint32_t process = trace_[begun_].event.process;
    if (!point.survey.open().contains(ProcessId{process})) return diverge();
    ++begun_;
    return process;
  }
  if (point.survey.sealed()) {
    surprise_ = "the program seals";
    return kAbandon;
  }
  point.survey.alive().for_each([&](ProcessId process) { trace_.meet(index(process)); });
  const bool again = begun_ < node_count_;
  Node& node = again ? nodes_[begun_] : enter_node();
  std::uint32_t process = pick_planned(point, node);
  if (process == kAbandon) {
    if (!again) process = pick_awake(point, node);  // else: what was planned cannot be done, and the rest is explored
    if (process == kAbandon) return kAbandon;
  }
  trace_.add(process, point.survey, footprints_->waits_for(ProcessId{process}));
  ++begun_;
  return process;
}

TraceWalk::Node& TraceWalk::enter_node() {
  if (node_count_ == nodes_.size()) nodes_.emplace_back();
  Node& node = nodes_[node_count_];
  node.explored.clear();
  node.sleep.clear();
  node.planned = std::exchange(handed_down_, {});
  if (node_count_ > 0) {
    const Event& taken = trace_[node_count_ - 1].event;
    for (const Event* event : nodes_[node_count_ - 1].sleep)
      if (event->process != taken.process && !depend(event->touches, taken.touches)) node.sleep.push_back(event);
  }
  ++node_count_;
  return node;
}

/// The first of what is planned that can be done. kAbandon: there is none.
std::uint32_t TraceWalk::pick_planned(const ChoicePoint& point, Node& node) {
  auto& branches = node.planned.branches;
  while (!branches.empty()) {
    WakeupTree::Branch branch = std::move(branches.front());
    branches.erase(branches.begin());
    const bool possible = point.survey.open().contains(ProcessId{branch.event.process}) && !sleeps(branch.event, node.sleep);
    count_dropped(possible ? 1 : 1 + branch.next.size());
    if (!possible) continue;
    node.values = std::move(branch.event.values);
    node.open_from = node.values.size();
    handed_down_ = std::move(branch.next);
    return branch.event.process;
  }
  node.values.clear();
  node.open_from = ~std::size_t{0};
  handed_down_ = {};
  return kAbandon;
}

/// The process that ran last, if it is awake, or else the first that is, or else one that sleeps with some values only. kAbandon: all sleep.
std::uint32_t TraceWalk::pick_awake(const ChoicePoint& point, Node& node) const {
  const auto awake = [&](std::uint32_t process) {
    return std::none_of(node.sleep.begin(), node.sleep.end(), [&](const Event* event) { return event->process == process; });
  };
  const ProcessSet open = point.survey.open();
  if (trace_.size() > 0) {
    const std::uint32_t last = trace_[trace_.size() - 1].event.process;
    if (open.contains(ProcessId{last}) && awake(last)) return last;
  }
  std::uint32_t found = kAbandon;
  open.for_each([&](ProcessId process) {
    if (found == kAbandon && awake(index(process))) found = index(process);
  });
  if (found != kAbandon) return found;
  for (const Event* event : node.sleep) {
    if (event->values.empty() || !open.contains(ProcessId{event->process})) continue;
    for_other_values(*event, [&](const Event& other) {
      if (found != kAbandon || sleeps(other, node.sleep)) return;
      found = other.process;
      node.values = other.values;
    });
  }
  return found;
}

std::uint32_t TraceWalk::pick_value(const ChoicePoint& point) {
  OrderedStep& step = trace_[begun_ - 1];
  const std::uint32_t at = values_++;
  if (at == step.event.values.size()) {
    const Values& planned = nodes_[begun_ - 1].values;
    const std::uint32_t value = at < planned.size() ? planned[at] : 0;
    if (value >= point.values) return diverge();
    step.event.values.push_back(value);
    step.event.alternatives.push_back(point.values);
  }
  const std::uint32_t value = step.event.values[at];
  return value < point.values ? value : diverge();
}

// ---------------------------------------------------------------- after it

void TraceWalk::collect_pending() {
  const std::uint32_t last = trace_.size() == 0 ? ~std::uint32_t{0} : trace_[trace_.size() - 1].event.process;
  const bool over = trace_.size() > 0 && depend(trace_[trace_.size() - 1].event.touches, {});
  for (std::uint32_t process = 0; process < trace_.met(); ++process) {
    if (!trace_.has_met(process) || (over && process == last) || !footprints_->is_alive(ProcessId{process})) continue;
    PendingStep& step = pending_.emplace_back();
    step.event.process = process;
    step.waits_for = footprints_->waits_for(ProcessId{process});
    step.open = over && trace_.was_open(process);
    footprints_->of_pending(ProcessId{process}, step.event.touches);
  }
}

void TraceWalk::turn_round() {
  trace_.analyse(pending_, races_);
  for (const Race& race : races_) turn_round_race(race);
  for (std::uint32_t i = 0; i < trace_.size(); ++i)
    if (!trace_[i].event.values.empty()) turn_round_choices(i);
}

void TraceWalk::begin_sequence(std::uint32_t step, std::uint32_t end) {
  sequence_.clear();
  if (method_ == Method::kOptimal) end = trace_.size();
  for (std::uint32_t i = step + 1; i < std::min(end, trace_.size()); ++i)
    if (!trace_.comes_before(step, i)) sequence_.push_back(&trace_[i].event);
}

void TraceWalk::turn_round_race(const Race& race) {
  begin_sequence(race.early, race.late);
  const bool pending = race.late >= trace_.size();
  const Event& late = pending ? pending_[race.late - trace_.size()].event : trace_[race.late].event;
  const Event open{.process = late.process, .values = {}, .touches = late.touches, .certain = race.certain};  // in another state it may choose among others
  sequence_.push_back(&open);
  plan(race.early, *sequence_.front());
}

/// A step that was planned with open values stands for all of them: these are planned without a question. Others are turned round as a race is.
void TraceWalk::turn_round_choices(std::uint32_t number) {
  Node& node = nodes_[number];
  for_other_values(trace_[number].event, [&](const Event& other) {
    if (other.values.size() > node.open_from) return plan_value(node, other);
    begin_sequence(number, number);
    sequence_.push_back(&other);
    plan(number, other);
  });
}

void TraceWalk::plan_value(Node& node, const Event& event) {
  if (sleeps(event, node.sleep)) return;
  auto& branches = node.planned.branches;
  const bool there = std::any_of(branches.begin(), branches.end(), [&](const WakeupTree::Branch& branch) { return branch.event.process == event.process && agree(branch.event.values, event.values); });
  if (there) return;
  branches.push_back({event, {}});
  count_planned(1);
}

/// `sequence_` is to be explored from a node, unless a step that sleeps there could begin it. `first`: a step of it that can come first.
void TraceWalk::plan(std::uint32_t at, const Event& first) {
  Node& node = nodes_[at];
  for (std::size_t i = 0; i < node.sleep.size(); ++i) {
    const auto place = can_come_first(*node.sleep[i], sequence_);
    if (!place || (*place == sequence_.size() && method_ == Method::kSource)) continue;
    if (method_ == Method::kSource) for_other_values(*node.sleep[i], [&](const Event& other) { if (agree(other.values, sequence_[*place]->values)) plan_value(node, other); });
    return;
  }
  if (method_ == Method::kOptimal) {
    count_planned(node.planned.insert(sequence_));
    return;
  }
  for (const WakeupTree::Branch& branch : node.planned.branches)
    if (const auto place = can_come_first(branch.event, sequence_); place && *place < sequence_.size()) return;
  node.planned.branches.push_back({first, {}});
  count_planned(1);
}

void TraceWalk::count_planned(std::size_t events) {
  planned_ += events;
  budget_.force(events * kEventSize);
}

void TraceWalk::count_dropped(std::size_t events) {
  planned_ -= events;
  budget_.give(events * kEventSize);
}

/// To the last node from which something is to be explored. False: there is none.
bool TraceWalk::backtrack() {
  while (node_count_ > 0) {
    const std::uint32_t last = node_count_ - 1;
    Node& node = nodes_[last];
    if (last < trace_.size()) {
      node.explored.push_back(std::make_unique<Event>(trace_[last].event));
      node.sleep.push_back(node.explored.back().get());
      trace_.truncate(last);
    }
    if (!node.planned.empty()) {
      complete_ = new_from_ = last;
      return true;
    }
    --node_count_;
  }
  return false;
}

void TraceWalk::conclude() {
  Outcome& outcome = session_.outcome;
  if (surprise_ != nullptr) outcome.notes.push_back(std::string(surprise_) + ": partial-order reduction is not possible; --search preemption-bounded is");
  outcome.cut = cut_;
  outcome.bytes = budget_.peak();
  outcome.complete = done_ && !session_.stopping() && cut_ == 0 && surprise_ == nullptr && !failed_;
  if (outcome.complete) outcome.totals = explored_;
  if (done_ && !session_.stopping() && !outcome.complete) outcome.stopped_by = StoppedBy::kBound;
  outcome.in_vain = in_vain_;
}

void walk_traces(Session& session, TraceWalk::Method method) {
  MemoryBudget budget(session.options().limits.memory);
  TraceWalk walk(session, method, budget);
  while (walk.go_on(1 << 20)) {
  }
  walk.conclude();
}

}  // namespace tarry
