#include "explore/reexecution.h"

#include <algorithm>
#include <utility>

namespace tarry {

TreeWalk::TreeWalk(Session& session, Discipline& discipline, BoundedPlan plan, MemoryBudget& budget)
    : session_(session),
      discipline_(discipline),
      plan_(plan),
      budget_(budget),
      runner_(session, 0),
      cache_(budget),
      caching_(session.options().cache != CacheKey::kNone),
      now_(budget),
      next_(budget),
      bound_(plan.first),
      fair_(session.options().fair),
      rng_(session.options().seed, 1) {
  session.outcome.bound = discipline.unit();
  session.outcome.sealed = session.program().shape().seals;
  start_over();
}

void TreeWalk::start_over() {
  proved_.reset();
  begin_walk();
}

void TreeWalk::begin_walk() {
  WorkShare* const share = session_.crew.share;
  if (share != nullptr) {
    share->begin();
    fair_ = std::max(fair_, share->fair());
  }
  if (runner_.fair_policy() != nullptr) runner_.count_every(fair_);
  in_subtree_ = done_ = false;
  explored_ = {};
  now_.clear();
  next_.clear();
  cache_.clear();
  points_.clear();
  choices_.clear();
  bound_ = plan_.first;
  cut_ = 0;
  session_.outcome.reached_any = false;
  session_.progress().bound.store(bound_, std::memory_order_relaxed);
  if (share == nullptr || session_.crew.worker == 0) now_.put({}, 0);
}

bool TreeWalk::go_on(std::uint64_t executions) {
  for (; executions > 0; --executions) {
    if (done_ || session_.stopping()) return false;
    if (!in_subtree_ && !next_subtree()) return false;
    run_once();
    if ((++executions_ & 15) == 0) {
      if (budget_.exceeded()) session_.stop(StoppedBy::kMemory);
      session_.poll();
    }
  }
  return !done_ && !session_.stopping();
}

void TreeWalk::run_once() {
  begun_ = repeats_ = false;
  const ExecutionResult result = runner_.run(*this);
  if (result.end == End::kStopped) {
    session_.poll();
    if (!session_.stopping()) session_.stop(StoppedBy::kInterrupt);
    return;
  }
  ++explored_.executions;
  explored_.transitions += result.steps;
  explored_.depth = std::max(explored_.depth, result.steps);
  if (faulty()) return report(runner_.in_words(*discipline_.explorer()));
  if (result.end == End::kFailed) {
    report(result.failure);
    if (session_.stopping()) return;
    if (result.steps >= session_.options().limits.max_depth && (result.failure.kind == "livelock" || result.failure.kind == "good-samaritan")) ++cut_;  // an endless one
  }
  if (result.points_changed) {
    if (session_.crew.share != nullptr) session_.crew.share->restart();
    return start_over();
  }
  if (diverged_ || at_ < points_.size())
    return report({.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: it went another way where it was to repeat an earlier execution", .location = ""});
  if (result.end == End::kCut) ++cut_;
  in_subtree_ = backtrack();
  if (WorkShare* const share = session_.crew.share; share != nullptr) {
    if (share->restarted()) return start_over();
    if (share->hungry()) share_work();
  }
}

void TreeWalk::report(const StepText& text) {
  std::vector<std::uint32_t> delayed;
  const Bound unit = discipline_.unit();
  if (unit == "delays") {
    const bool unit_values = session_.options().choice_cost == ChoiceCost::kUnit;
    for (const Point& point : points_) delayed.insert(delayed.end(), unit_values && point.is_value ? std::min(point.turn, 1u) : point.turn, point.step);
  }
  const auto cost = points_.empty() ? 0 : static_cast<std::int64_t>(points_.back().cost);
  const bool counts = !unit.empty() && unit != "depth";
  session_.report(runner_.moves_taken(), text, counts ? cost : -1, std::move(delayed));
}

/// Goes back to the last point with a turn left that can be paid; those that cannot are put aside. False: the subtree is done.
bool TreeWalk::backtrack() {
  std::size_t same = 0;  // choices of the point that was put aside last
  while (points_.size() > base_) {
    Point& top = points_.back();
    if (top.turn + 1 < top.turns) {
      if (top.cost + top.next_price <= bound_) {
        replay_ = points_.size() - 1;
        return true;
      }
      next_.put(std::span(choices_).first(points_.size() - 1), top.turn + 1, same);
      same = points_.size() - 1;
    }
    points_.pop_back();
    choices_.pop_back();
  }
  return false;
}

bool TreeWalk::next_subtree() {
  while (true) {
    if (now_.get(forced_, first_turn_)) return begin_subtree(), true;
    WorkShare* const share = session_.crew.share;
    if (share != nullptr) {
      if (auto taken = share->take()) {
        first_turn_ = taken->words.back();
        taken->words.pop_back();
        forced_ = std::move(taken->words);
        return begin_subtree(), true;
      }
      if (share->restarted()) {
        start_over();
        continue;
      }
    }
    if (session_.poll() || !next_stratum()) return false;
  }
}

/// Everything within the bound was explored, here and by the others. False: so was everything there is, or it was the last bound.
bool TreeWalk::next_stratum() {
  WorkShare* const share = session_.crew.share;
  const std::uint64_t left = share == nullptr ? next_.size() : share->next_round(next_.size());
  if (share != nullptr && share->restarted()) return true;
  session_.outcome.reached = bound_;
  session_.outcome.reached_any = !session_.outcome.bound.empty();
  if (left == 0) {
    if (raise_fairness()) return true;
    if (share != nullptr && share->restarted()) return true;
    done_ = true;
    if (share != nullptr) share->finish(WorkShare::Finished::kAll);
    return false;
  }
  if (plan_.last && bound_ >= *plan_.last) {
    if (share != nullptr) share->finish(WorkShare::Finished::kBound);
    session_.stop(StoppedBy::kBound);
    return false;
  }
  bound_ = plan_.last ? std::min(bound_ + plan_.delta, *plan_.last) : bound_ + plan_.delta;
  now_.clear();
  std::swap(now_, next_);
  session_.progress().bound.store(bound_, std::memory_order_relaxed);
  session_.progress().frontier.store(left, std::memory_order_relaxed);
  session_.progress().memory.store(budget_.used(), std::memory_order_relaxed);
  return true;
}

/// Everything was explored that fair schedules leave, by all workers. True: with a higher k there may be more, and the walk starts over with it.
///
/// Where every loop that was cut stands at each yield as it stood before, raising k goes on for ever: then it ends with a small one.
bool TreeWalk::raise_fairness() {
  constexpr std::uint32_t kMost = 1 << 16, kMostEndless = 8;
  constexpr std::uint64_t kMostExecutions = 10'000;  // of loops that are endless
  if (runner_.fair_policy() == nullptr || cut_ > 0) return false;
  const Removed& removed = runner_.fair_policy()->removed();
  // All workers come to the same decision: they add up how many workers removed choices, how many removed choices of a bounded loop, and executions, in one number.
  std::uint64_t sum = (removed.choices != 0 ? 1u : 0u) + (removed.of_bounded != 0 ? 1u << 10 : 0u) + (explored_.executions << 20);
  WorkShare* const share = session_.crew.share;
  if (share != nullptr) {
    sum = share->next_round(sum);
    if (share->restarted() || session_.poll()) return false;
  }
  const bool any = (sum & 0x3ff) != 0, any_bounded = (sum >> 10 & 0x3ff) != 0;
  if (!any) {
    proved_.reset();
    return false;
  }
  proved_ = {fair_, explored_, bound_};
  if (share != nullptr) share->prove_fair();
  const bool goes_on = session_.options().raise_fair && (any_bounded ? fair_ < kMost : fair_ < kMostEndless && sum >> 20 < kMostExecutions);
  if (!goes_on) return false;
  fair_ *= 2;
  if (share != nullptr) share->set_fair(fair_);
  runner_.begin_anew();
  begin_walk();
  return true;
}

void TreeWalk::begin_subtree() {
  in_subtree_ = true;
  base_ = forced_.size();
  points_.clear();
  choices_.clear();
  replay_ = 0;
}

/// Something for others: of this stratum what was not begun yet, or else what is left at the point nearest to the root.
void TreeWalk::share_work() {
  WorkShare& share = *session_.crew.share;
  std::vector<std::uint32_t> words;
  std::uint32_t turn = 0;
  if (now_.size() > (in_subtree_ ? 0u : 1u)) {
    now_.get(words, turn);
    words.push_back(turn);
    return share.give(words, bound_);
  }
  if (!in_subtree_) return;
  for (std::size_t i = base_; i + 1 < points_.size(); ++i) {  // the last one is what this worker does next
    Point& point = points_[i];
    if (point.turn + 1 >= point.turns || point.cost + point.next_price > bound_) continue;
    words.assign(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(i));
    words.push_back(point.turn + 1);
    share.give(words, point.cost + point.next_price);
    point.turns = point.turn + 1;
    return;
  }
}

/// A program may begin anew in the middle of an execution, for reasons of its own: then everything so far is repeated.
void TreeWalk::begin(const Survey& first) {
  if (std::exchange(begun_, true) && at_ > replay_ && !points_.empty()) {  // the turn that was due has been taken
    repeats_ = true;
    replay_ = points_.size() - 1;
  }
  at_ = 0;
  steps_ = 0;
  diverged_ = behind_bound_ = false;
  if (!points_.empty()) return;
  memo_ = discipline_.initial(first);
  cost_ = discipline_.step_price();
}

std::uint32_t TreeWalk::pick(const ChoicePoint& point) {
  const std::size_t at = at_++;
  if (at < replay_) [[likely]] {
    const std::uint32_t choice = choices_[at];
    const bool there = point.values != 0 ? choice < point.values : point.survey.open().contains(ProcessId{choice});
    return there ? choice : diverge();
  }
  const std::uint32_t chosen = at < points_.size() ? (repeats_ ? repeat() : advance(point)) : at < forced_.size() ? follow(point, forced_[at]) : enter(point);
  return faulty() ? kAbandon : chosen;
}

bool TreeWalk::faulty() const { return discipline_.explorer() != nullptr && discipline_.explorer()->faulty(); }

void TreeWalk::stepped(const Step& step) {
  ++steps_;
  if (at_ <= replay_ && !points_.empty()) return;
  memo_ = discipline_.step(memo_, step);
  cost_ += discipline_.step_price();
}

/// The last point on the stack once more; from here on memo and cost are followed again.
std::uint32_t TreeWalk::repeat() {
  memo_ = points_.back().memo;
  cost_ = points_.back().cost;
  return choices_.back();
}

/// The next turn of the last point on the stack.
std::uint32_t TreeWalk::advance(const ChoicePoint& at) {
  Point point = points_.back();
  if (at.alternatives() <= point.turn + 1 || point.is_value != (at.values != 0)) return diverge();
  const std::uint32_t offered = choices_.back();
  points_.pop_back();
  choices_.pop_back();
  pass(point, at, offered);
  return settle(point, at);
}

/// On the way to a subtree: the choice is known, what it costs is not.
std::uint32_t TreeWalk::follow(const ChoicePoint& at, std::uint32_t wanted) {
  Point point{0, at.alternatives(), memo_, 0, cost_, steps_ + 1, at.values != 0};
  for (std::uint32_t offered = choice(point, at); offered != wanted; offered = choice(point, at)) {
    if (point.turn + 1 >= point.turns) return diverge();
    pass(point, at, offered);
  }
  return settle(point, at);
}

/// A point that was not met before, or the first one of a subtree.
std::uint32_t TreeWalk::enter(const ChoicePoint& at) {
  if (behind_bound_) return at_random(at);
  Point point{0, at.alternatives(), memo_, 0, cost_, steps_ + 1, at.values != 0};
  const bool again = points_.size() == base_ && first_turn_ > 0;
  if (again) {
    while (point.turn < first_turn_) {
      if (point.turn + 1 >= point.turns) return diverge();
      pass(point, at, choice(point, at));
    }
  }
  if (point.cost > bound_) {
    next_.put(choices_, point.turn);
    behind_bound_ = plan_.finish_at_random;
    return behind_bound_ ? at_random(at) : kAbandon;
  }
  // Of a stretch of points with one way on the first is enough.
  const bool asks = caching_ && at.order != nullptr && (point.turns > 1 || points_.empty() || points_.back().turns > 1);
  if (!again && asks && !cache_.enter(key(at), cost_)) return kAbandon;
  return settle(point, at);
}

std::uint32_t TreeWalk::at_random(const ChoicePoint& at) {
  if (at.values != 0) return static_cast<std::uint32_t>(rng_.below(at.values));
  if (at.survey.sealed()) return index(at.survey.owner());
  return index(at.survey.open().at(static_cast<std::uint32_t>(rng_.below(at.survey.open().size()))));
}

std::uint32_t TreeWalk::settle(Point point, const ChoicePoint& at) {
  point.next_price = point.turn + 1 < point.turns ? price(point, at) : 0;
  const std::uint32_t chosen = choice(point, at);
  memo_ = point.memo;
  cost_ = point.cost;
  points_.push_back(point);
  choices_.push_back(chosen);
  return chosen;
}

void TreeWalk::pass(Point& point, const ChoicePoint& at, std::uint32_t offered) {
  point.cost += price(point, at);
  if (at.values == 0) point.memo = discipline_.pass(point.memo, at.survey, ProcessId{offered});
  ++point.turn;
}

std::uint32_t TreeWalk::price(const Point& point, const ChoicePoint& at) {
  if (at.values == 0) return discipline_.price(point.memo, at.survey, point.turn);
  return session_.options().choice_cost == ChoiceCost::kValue || point.turn == 0 ? discipline_.choice_price() : 0;
}

std::uint32_t TreeWalk::choice(const Point& point, const ChoicePoint& at) {
  return at.values != 0 ? point.turn : index(discipline_.pick(point.memo, at.survey, point.turn));
}

std::uint32_t TreeWalk::diverge() {
  diverged_ = true;
  return kAbandon;
}

Signature TreeWalk::key(const ChoicePoint& point) const {
  Signature key = *point.order;
  const auto add = [&](std::uint64_t value) {
    key.high = mix64(key.high + value + 0x9e3779b97f4a7c15u);
    key.low = mix64(key.low ^ (value * 0xd6e8feb86659fd93u + 0x632be59bd9b4e019u));
  };
  if (point.values != 0) {
    add(std::uint64_t{1} << 32 | index(point.process));
    for (std::size_t i = points_.size(); i-- > 0 && points_[i].is_value;) add(std::uint64_t{2} << 32 | choices_[i]);
  }
  if (const Fairness* const fairness = runner_.fairness()) {
    const Signature fair = fairness->signature();
    add(fair.high);
    add(fair.low);
  }
  if (plan_.memo_matters) add(memo_);
  return key;
}

void TreeWalk::conclude() {
  Outcome& outcome = session_.outcome;
  if (session_.crew.share != nullptr) session_.crew.share->leave();
  outcome.cut = cut_;
  outcome.bytes = budget_.peak();
  outcome.complete = done_ && !session_.stopping() && cut_ == 0;
  if (outcome.complete) outcome.totals = explored_;
  if (proved_) {
    if (!outcome.complete && outcome.stopped_by != StoppedBy::kFinding) {  // with a higher k it did not come to an end
      outcome.notes.push_back("with K = " + std::to_string(fair_) + " for fair scheduling the search did not come to its end");
      outcome.reached = proved_->reached;
      outcome.complete = true;
      outcome.totals = proved_->totals;
    }
    outcome.fair = proved_->fair;
    if (cut_ > 0) outcome.cut = 0;
  }
  if (done_ && !session_.stopping() && cut_ > 0 && !proved_) outcome.stopped_by = StoppedBy::kBound;
}

void walk_tree(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget) {
  TreeWalk walk(session, discipline, plan, budget);
  while (walk.go_on(1 << 20)) {
  }
  walk.conclude();
}

}  // namespace tarry
