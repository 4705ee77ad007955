#include "explore/dpor/trace_walk.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "explore/dpor/shared_walk.h"

namespace tarry {
namespace {

/// About so much memory is an event.
constexpr std::size_t kEventSize = 256;

/// What was planned by what a step touched elsewhere may turn out to be explored.
bool sleeps(const Event& event, const std::vector<const Event*>& sleep) {
  return std::any_of(sleep.begin(), sleep.end(), [&](const Event* other) { return other->process == event.process; });
}

bool is_repeated(const Event& event, std::span<const ObjectUse> touches) {
  return std::equal(touches.begin(), touches.end(), event.touches.begin(), event.touches.end(), [](const ObjectUse& a, const ObjectUse& b) { return a.object == b.object && a.use == b.use && a.before == b.before; });
}

}  // namespace

TraceWalk::TraceWalk(Session& session, Method method, std::uint64_t plans, MemoryBudget& budget)
    : session_(session), method_(method), most_plans_(plans), budget_(budget), runner_(session, 0, Runner::Schedules::kAll), footprints_(runner_.watch_footprints()) {
  TARRY_ASSERT(footprints_ != nullptr);
}

void TraceWalk::start_over() {
  part_ = {};
  plans_.clear();
  handed_down_ = {};
  dropped_ = chooses_ = false;
  done_ = false;
  explored_ = {};
  cut_ = in_vain_ = 0;
  failed_ = false;
  surprise_ = nullptr;
}

bool TraceWalk::go_on(std::uint64_t executions) {
  for (; executions > 0 && !done_ && !session_.stopping(); --executions) {
    run_once();
    if ((++executions_ & 15) == 0) {
      count_memory();
      if (budget_.exceeded()) session_.stop(StoppedBy::kMemory);
      session_.poll();
    }
  }
  return !done_ && !session_.stopping();
}

void TraceWalk::run_once() {
  begun_ = ended_ = 0;
  plans_.drop(handed_down_.below);  // the execution before may have ended ahead of it
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
  if (result.points_changed && shared_ != nullptr) {
    trouble_ = Trouble::kPoints;
    return;
  }
  if (result.points_changed) return start_over();
  const char* const surprise = surprise_;
  end_part();
  if (const bool strange = diverged_ || begun_ < part_.new_from; strange && !part_.repeated.empty()) {
    trouble_ = Trouble::kStrange;
    return;
  } else if (strange)
    return session_.report(runner_.moves_taken(), {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: it went another way where it was to repeat an earlier execution", .location = ""}, -1);
  part_.repeated.clear();
  if (result.end == End::kCut) ++cut_;
  if (result.end == End::kFailed && surprise_ != surprise) {  // the search keeps going: what the step depends on was not known, so something may be missed
    surprise_ = surprise;
    failed_ = true;
  }
  if (surprise_ != nullptr) {
    done_ = true;
    return;
  }
  pending_.clear();
  if (result.end != End::kAbandoned) asleep_.clear();
  if (by_source() || result.end != End::kAbandoned || shared_ != nullptr) collect_pending();
  if (begun_ > part_.new_from || !part_.settled.empty()) turn_round();
  done_ = surprise_ != nullptr || !backtrack();
}

// ---------------------------------------------------------------- an execution

void TraceWalk::begin(const Survey& /*first*/) {
  begun_ = ended_ = 0;
  diverged_ = false;
}

std::uint32_t TraceWalk::pick(const ChoicePoint& point) { return point.values != 0 ? pick_value(point) : pick_process(point); }

std::uint32_t TraceWalk::repeats() const {
  return begun_ < part_.trace.size() && part_.trace[begun_].choice == 0 ? part_.trace[begun_].process : kAbandon;
}

std::uint32_t TraceWalk::diverge() {
  diverged_ = true;
  return kAbandon;
}

/// The last step that was begun is over, or chooses a value: what it touched so far is known now.
void TraceWalk::end_part() {
  if (begun_ == ended_) return;
  ended_ = begun_;
  const std::span<const ObjectUse> all = footprints_->of_last_step();
  const std::span<const ObjectUse> touches = all.subspan(std::min(told_, all.size()));
  told_ = all.size();
  if (begun_ <= part_.complete) {
    if (!is_repeated(part_.trace.event(begun_ - 1), touches)) diverged_ = true;
    return;
  }
  begun_event_.process = part_.trace[begun_ - 1].process;
  begun_event_.choice = part_.trace[begun_ - 1].choice;
  begun_event_.touch(touches);
  const Event* const event = part_.trace[begun_ - 1].event = &events_.keep(begun_event_);
  if (begun_ <= part_.repeated.size() && event != part_.repeated[begun_ - 1]) diverged_ = true;
  if (surprise_ == nullptr) surprise_ = footprints_->surprise();
  if (surprise_ == nullptr && begun_event_.choice != 0 && !touches.empty()) surprise_ = "a step used something behind a choice";
  part_.complete = begun_;
}

std::uint32_t TraceWalk::pick_process(const ChoicePoint& point) {
  end_part();
  told_ = 0;
  if (diverged_) return kAbandon;
  if (begun_ < part_.trace.size()) {
    const OrderedStep& step = part_.trace[begun_];
    if (step.choice != 0 || (!point.repeated && !point.survey.open().contains(ProcessId{step.process}))) return diverge();
    ++begun_;
    return step.process;
  }
  if (point.survey.sealed()) {
    surprise_ = "the program seals";
    return kAbandon;
  }
  point.survey.alive().for_each([&](ProcessId process) { part_.trace.meet(index(process)); });
  if (begun_ < part_.repeated.size()) {
    const Event& event = *part_.repeated[begun_];
    if (event.choice != 0 || !point.survey.open().contains(ProcessId{event.process})) return diverge();
    part_.trace.add(event.process, point.survey, footprints_->waits_for(ProcessId{event.process}));
    ++begun_;
    return event.process;
  }
  const bool again = begun_ < part_.node_count;
  Node& node = again ? part_.nodes[begun_] : enter_node();
  if (node.alternatives != 0) return diverge();
  std::uint32_t process = pick_planned(point, node);
  if (process == kAbandon) {
    if (!again) process = pick_awake(point, node);  // else: what was planned cannot be done, and the rest is explored
    if (process == kAbandon) {
      const auto bits = point.survey.open().bits();
      asleep_.assign(bits.begin(), bits.end());
      return kAbandon;
    }
  }
  part_.trace.add(process, point.survey, footprints_->waits_for(ProcessId{process}));
  ++begun_;
  return process;
}

TraceWalk::Node& TraceWalk::enter_node() {
  if (part_.node_count == part_.nodes.size()) part_.nodes.emplace_back();
  Node& node = part_.nodes[part_.node_count];
  node.sleep.clear();
  node.planned = handed_down_.below;
  node.all_values = handed_down_.all_values;
  node.alternatives = node.next_value = 0;
  node.in_part = false;
  node.open = 0;
  node.late = false;
  node.given = 0;
  node.chosen.clear();
  handed_down_ = {};
  if (part_.node_count > 0) {
    const Event& taken = part_.trace.event(part_.node_count - 1);
    const Node& parent = part_.nodes[part_.node_count - 1];
    const std::size_t open = parent.late ? parent.sleep.size() : parent.open;
    for (std::size_t i = 0; i < parent.sleep.size(); ++i) {
      const Event* const event = parent.sleep[i];
      if (event->process == taken.process || depend(*event, taken)) continue;
      node.sleep.push_back(event);
      if (i < open) ++node.open;
    }
  }
  ++part_.node_count;
  return node;
}

/// The first of what is planned that can be done. kAbandon: there is none.
std::uint32_t TraceWalk::pick_planned(const ChoicePoint& point, Node& node) {
  while (node.planned != 0) {
    const Event& event = plans_.first(node.planned);
    WakeupTrees::Taken taken = plans_.take_first(node.planned);
    if (event.choice != 0) surprise_ = "a step that was planned with a choice makes none";
    if (event.choice != 0 || !point.survey.open().contains(ProcessId{event.process}) || sleeps(event, node.sleep)) {
      plans_.drop(taken.below);
      continue;
    }
    handed_down_ = taken;
    return event.process;
  }
  return kAbandon;
}

/// The process that ran last, if it is awake, or else the first that is. kAbandon: all sleep.
std::uint32_t TraceWalk::pick_awake(const ChoicePoint& point, const Node& node) const {
  const auto awake = [&](std::uint32_t process) {
    return std::none_of(node.sleep.begin(), node.sleep.end(), [&](const Event* event) { return event->process == process; });
  };
  const ProcessSet open = point.survey.open();
  if (part_.trace.size() > 0) {
    const std::uint32_t last = part_.trace.event(part_.trace.size() - 1).process;
    if (open.contains(ProcessId{last}) && awake(last)) return last;
  }
  std::uint32_t found = kAbandon;
  open.for_each([&](ProcessId process) {
    if (found == kAbandon && awake(index(process))) found = index(process);
  });
  return found;
}

std::uint32_t TraceWalk::pick_value(const ChoicePoint& point) {
  end_part();
  if (diverged_) return kAbandon;
  if (begun_ < part_.trace.size()) {
    const OrderedStep& step = part_.trace[begun_];
    if (step.choice == 0 || part_.nodes[begun_].alternatives != point.values) return diverge();
    ++begun_;
    return step.choice - 1;
  }
  chooses_ = true;
  if (begun_ < part_.repeated.size()) {
    const std::uint32_t choice = part_.repeated[begun_]->choice;
    if (choice == 0 || part_.nodes[begun_].alternatives != point.values) return diverge();
    part_.trace.add_choice(choice - 1);
    ++begun_;
    return choice - 1;
  }
  const bool again = begun_ < part_.node_count;
  Node& node = again ? part_.nodes[begun_] : enter_node();
  if (again && node.alternatives != point.values) return diverge();
  if (!again) {
    node.with_any = plans_.split_choices(node.planned, part_.trace[begun_ - 1].process);
    node.all_values |= node.with_any != 0;
  }
  node.alternatives = point.values;
  const std::uint32_t value = pick_new_value(node);
  if (value == kAbandon) return kAbandon;
  part_.trace.add_choice(value);
  ++begun_;
  return value;
}

/// What is planned comes first. kAbandon: there is no other value.
std::uint32_t TraceWalk::pick_new_value(Node& node) {
  while (node.planned != 0) {
    const Event& event = plans_.first(node.planned);
    WakeupTrees::Taken taken = plans_.take_first(node.planned);
    if (event.choice > node.alternatives) {
      surprise_ = "a step that was planned makes another choice";
      plans_.drop(taken.below);
      continue;
    }
    handed_down_ = taken;
    if (taken.below != 0) plans_.join(handed_down_.below, plans_.copy(node.with_any));
    node.chosen.push_back(event.choice - 1);
    return event.choice - 1;
  }
  if (!explores_all_values(node)) return kAbandon;
  while (node.was_chosen(node.next_value)) ++node.next_value;
  if (node.next_value == node.alternatives) return kAbandon;
  handed_down_ = {.below = plans_.copy(node.with_any)};
  return node.next_value++;
}

// ---------------------------------------------------------------- after it

void TraceWalk::collect_pending() {
  const std::uint32_t last = part_.trace.size() == 0 ? ~std::uint32_t{0} : part_.trace.event(part_.trace.size() - 1).process;
  bool over = false;  // the program, by the last step
  for (std::uint32_t i = part_.trace.size() == 0 ? 0 : part_.trace[part_.trace.size() - 1].begins; i < part_.trace.size(); ++i) over |= part_.trace.event(i).global;
  const std::uint32_t processes = session_.program().shape().processes;
  for (std::uint32_t process = 0; process < part_.trace.met() || (process < processes && footprints_->is_alive(ProcessId{process})); ++process) {
    if (process >= part_.trace.met() || (!part_.trace.has_met(process) && footprints_->is_alive(ProcessId{process}))) part_.trace.meet(process);  // the last step has created it
    if (process / 64 < asleep_.size() && (asleep_[process / 64] >> (process % 64) & 1) != 0) continue;
    if (!part_.trace.has_met(process) || (over && process == last) || !footprints_->is_alive(ProcessId{process})) continue;
    touched_.clear();
    footprints_->of_pending(ProcessId{process}, touched_);
    PendingStep& step = pending_.emplace_back();
    other_ = {.process = process};
    other_.touch(touched_);
    step.event = &events_.keep(other_);
    step.waits_for = footprints_->waits_for(ProcessId{process});
    step.open = over && part_.trace.was_open(process);
  }
}

void TraceWalk::turn_round() {
  part_.trace.analyse(pending_);
  for_giver_.clear();
  to_send_.clear();
  for (std::size_t i = 0; i < std::min(part_.settled.size(), part_.trace.races().size()); ++i) part_.trace.races()[i].settled = part_.settled[i];
  part_.settled.clear();
  for (Race& race : part_.trace.races())
    if (race.settled >= part_.new_from) turn_round_race(race);
  for (Race race : part_.trace.pending_races()) turn_round_race(race);
  if (!for_giver_.empty()) shared_->send_reversals(part_.trace, for_giver_);
  if (!to_send_.empty()) shared_->send_sequences(to_send_);
}

/// The late step as it is planned: in another state it may have to wait.
const Event& TraceWalk::late_step(const Race& race) {
  const Event& late = race.late < part_.trace.size() ? part_.trace.event(race.late) : *pending_[race.late - part_.trace.size()].event;
  if (race.certain) return late;
  other_ = late;
  other_.certain = false;
  return events_.keep(other_);
}

void TraceWalk::turn_round_race(Race& race) {
  const Event& late = late_step(race);
  if (by_source() && (method_ == Method::kSource || race.early >= part_.first)) {
    const Reversal reversal{race.early, race.late, &late};
    if (plan_first(part_.trace, reversal, nullptr) && race.early < part_.first) for_giver_.push_back(reversal);
    return;
  }
  const std::uint32_t before = race.late < part_.trace.size() ? part_.trace[race.late].before : part_.trace.last_of(late.process);
  plan(race.early, before, late);
  race.settled = sequence_.relies_on();
}

/// Source sets: plans the first of the steps that lead to the late step, unless a step that sleeps or is planned at the node could begin them.
/// `trace`: the execution, of this worker or of another. `taken`: the step that this worker takes from the node, if it is not the early step; it
/// counts as a sleeping one. Returns whether anything was planned.
bool TraceWalk::plan_first(const PartialOrder& trace, const Reversal& race, const Event* taken) {
  Node& node = part_.nodes[race.early];
  leading_.clear();
  for (std::uint32_t i = race.early + 1; i < std::min(race.late, trace.size()); ++i)
    if (!trace.comes_before(race.early, i)) leading_.push_back(&trace.event(i));
  leading_.push_back(race.event);
  const auto begins = [&](const Event& event) {
    const auto place = can_come_first(event, leading_);
    return place && *place < leading_.size();
  };
  if (taken != nullptr && begins(*taken)) return false;
  for (const Event* event : node.sleep)
    if (begins(*event)) return false;
  // One that is not certain may have to wait when its turn comes, and then it leads nowhere.
  if (plans_.any(node.planned, [&](const Event& event) { return event.certain && begins(event); })) return false;
  plans_.append(node.planned, *leading_.front());
  return true;
}

/// Plans the steps that do not come after the node's step, and then `late`, unless a step that sleeps at the node could begin them.
void TraceWalk::plan(std::uint32_t at, std::uint32_t before, const Event& late) {
  Node& node = part_.nodes[at];
  const std::size_t open = dropped_ ? node.sleep.size() : node.open;
  for (std::size_t i = 0; i < node.sleep.size(); ++i)  // most races of a long execution end here
    if (sequence_.is_covered(part_.trace, at, late, *node.sleep[i], i >= open)) return;
  sequence_.begin(part_.trace, at, before, late);
  for (std::size_t i = 0; i < node.sleep.size(); ++i) {
    const auto place = sequence_.place_of(*node.sleep[i]);
    if (place && (i >= open || *place < sequence_.size())) return sequence_.settle_by(*place);
  }
  if (at >= part_.first) plans_.insert(node.planned, sequence_);
  else if (plan_to_send(node.planned)) to_send_.push_back({at, plans_.inserted()});
}

/// Notes a sequence in a copy of a node, unless it covers the sequence. Returns whether the sequence must be sent.
bool TraceWalk::plan_to_send(WakeupTrees::Tree& sent) {
  constexpr std::uint64_t kFew = 1 << 16;
  if (plans_.size() > 2 * most_plans_ + kFew) plans_.drop(sent);  // it only saves letters
  return plans_.insert(sent, sequence_, WakeupTrees::Cover::kSent);
}

/// Plans what another worker sent, unless a step that sleeps at the node, is taken or is planned there begins it. `taken`: as for `plan_first`. Returns whether
/// anything was planned.
bool TraceWalk::plan_sent(std::uint32_t at, std::span<const Event* const> sequence, const Event* taken) {
  Node& node = part_.nodes[at];
  sequence_.begin(sequence);
  const auto begins = [&](const Event& event) {
    const auto place = sequence_.place_of(event);
    return place && *place < sequence_.size();
  };
  if (taken != nullptr && begins(*taken)) return false;
  for (const Event* event : node.sleep)
    if (begins(*event)) return false;
  if (at < part_.first) return plan_to_send(node.planned);
  node.late = true;
  chooses_ |= std::any_of(sequence.begin(), sequence.end(), [](const Event* event) { return event->choice != 0; });
  if (!by_source()) return plans_.insert(node.planned, sequence_, WakeupTrees::Cover::kContained);
  if (plans_.any(node.planned, [&](const Event& event) { return event.certain && begins(event); })) return false;
  plans_.append(node.planned, *sequence.front());
  return true;
}

void TraceWalk::count_memory() {
  const std::uint64_t now = plans_.bytes() + events_.size() * kEventSize;
  if (now > counted_) budget_.force(now - counted_);
  else budget_.give(counted_ - now);
  counted_ = now;
}

/// Goes back to the last node with something left to explore. Returns false if there is none, or if that is unknown until another worker has explored what it
/// was given.
bool TraceWalk::backtrack() {
  while (part_.node_count > part_.first) {
    const std::uint32_t last = part_.node_count - 1;
    Node& node = part_.nodes[last];
    if (last < part_.trace.size()) {
      if (node.alternatives == 0 && !node.in_part) node.sleep.push_back(&part_.trace.event(last));
      if (node.alternatives == 0) node.in_part = false;
      part_.trace.truncate(last);
    }
    if (node.planned != 0 || (explores_all_values(node) && node.has_more_values())) {
      part_.complete = part_.new_from = last;
      return true;
    }
    if (node.given > 0) return false;
    plans_.drop(node.with_any);
    --part_.node_count;
    if (node.alternatives != 0 && (node.in_part || node.has_more_values())) part_.nodes[last - 1].in_part = true;
  }
  return false;
}

void TraceWalk::conclude() {
  Outcome& outcome = session_.outcome;
  if (surprise_ != nullptr) outcome.notes.push_back(std::string(surprise_) + ": partial-order reduction is not possible; --search preemption-bounded is");
  outcome.cut = cut_;
  outcome.bytes = budget_.peak();
  outcome.complete = is_complete();
  if (outcome.complete) outcome.totals = explored_;
  if (done_ && !session_.stopping() && !outcome.complete) outcome.stopped_by = StoppedBy::kBound;
  outcome.in_vain = in_vain_;
}

void walk_traces(Session& session, TraceWalk::Method method, std::uint64_t plans) {
  MemoryBudget budget(session.options().limits.memory);
  TraceWalk walk(session, method, plans, budget);
  if (session.crew.post != nullptr) return SharedWalk(session, walk).run();
  while (walk.go_on(1 << 20)) {
  }
  walk.conclude();
}

}  // namespace tarry
