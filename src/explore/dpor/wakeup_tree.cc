#include "explore/dpor/wakeup_tree.h"

#include <algorithm>

namespace tarry {
namespace {

/// What was planned may turn out to be another operation of the process. Does the one at `place` come after one before it, though the event does not?
std::optional<std::size_t> comes_after(const std::vector<const Event*>& sequence, std::size_t place, const Event& event) {
  if (sequence[place] == &event) return std::nullopt;
  for (std::size_t i = 0; i < place; ++i)
    if (depend(*sequence[i], *sequence[place])) return i;
  return std::nullopt;
}

/// Words of a tree in a letter.
constexpr std::uint32_t kEnd = 0, kStep = 1, kWhole = 2, kWeak = 4;

bool touch_the_same(const Event& a, const Event& b) {
  return std::equal(a.touches.begin(), a.touches.end(), b.touches.begin(), b.touches.end(), [](const ObjectUse& x, const ObjectUse& y) { return x.object == y.object && x.use == y.use; });
}

}  // namespace

std::optional<std::size_t> can_come_first(const Event& event, const std::vector<const Event*>& sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i]->process == event.process) return sequence[i]->choice == event.choice && !comes_after(sequence, i, event) ? std::optional(i) : std::nullopt;
    if (depend(*sequence[i], event)) return std::nullopt;
  }
  return sequence.size();
}

std::optional<std::size_t> WakeupSequence::comes_after(std::size_t place, const Event& event) const {
  if (at(place).event == &event || touch_the_same(*at(place).event, event)) return std::nullopt;
  for (std::size_t i = 0; i < place; ++i)
    if (depends(at(i), *at(place).event)) return i;
  return std::nullopt;
}

void WakeupSequence::begin(const PartialOrder& trace, std::uint32_t early, std::uint32_t before, const Event& late) {
  trace_ = &trace;
  events_.clear();
  first_ = 0;
  has_choices_ = false;
  late_ = &late;
  relies_on_ = 0;
  const PartialOrder::Successors successors = trace.successors(early);
  for (std::uint32_t i = early + 1; i < trace.size(); ++i) {
    has_choices_ |= trace[i].choice != 0;
    if (!successors.contain(i)) events_.emplace_back(trace.event(i), i);
  }
  trace.start_from(needed_, before);
  for (std::size_t i = size(); i-- > 0;)
    if (depends(at(i), *late_) && !is_needed(at(i))) trace.join(needed_, at(i).step);
  events_.emplace_back(*late_, kLate);
  need_choices();
}

void WakeupSequence::begin(std::span<const Event* const> sequence) {
  trace_ = nullptr;
  events_.clear();
  first_ = 0;
  has_choices_ = false;
  for (const Event* const event : sequence) events_.emplace_back(*event, kLate);
  late_ = sequence.back();
  relies_on_ = Race::kUnsettled;
}

/// Steps that are not part of later executions may follow the place that is found, but none may come before it. Only the events of the sleeping step's process
/// and those that depend on it matter, so what `place_of` says of the whole sequence is said here of as much of it as is needed.
///
/// If the late step itself sleeps, that stays so as long as there is the race: a step behind the late one that depends on it comes after it, and with it after
/// the early step, so it is part of no such sequence.
bool WakeupSequence::is_covered(const PartialOrder& trace, std::uint32_t early, const Event& late, const Event& sleeping, bool commutes) {
  relies_on_ = Race::kUnsettled;
  const PartialOrder::Successors successors = trace.successors(early);
  for (std::uint32_t i = early + 1; i < trace.size(); ++i) {
    const Event& event = trace.event(i);
    if (event.process != sleeping.process && !depend(event, sleeping)) continue;
    if (successors.contain(i)) continue;
    if (&event != &sleeping) return false;  // or `place_of` finds out
    relies_on_ = i;
    return true;
  }
  if (&late != &sleeping) return commutes && late.process != sleeping.process && !depend(late, sleeping);
  relies_on_ = 0;
  return true;
}

/// Those of steps that are needed. They follow their step in the execution.
void WakeupSequence::need_choices() {
  if (!has_choices_) return;
  for (std::size_t i = 0; i + 1 < size(); ++i) {
    const std::uint32_t next = at(i).step + 1;
    if (!is_needed(at(i)) || next >= trace_->size() || (*trace_)[next].choice == 0 || trace_->knows(needed_, next)) continue;
    trace_->join(needed_, next);
    i = static_cast<std::size_t>(-1);  // what comes before it may have choices, too
  }
}

/// The step at `i` keeps the event from coming first. Another one that does so may be needed anyway.
void WakeupSequence::need(std::size_t i, const Event& event) {
  for (std::size_t k = i; k < size(); ++k) {
    const bool own = at(k).process == event.process;
    if (own && at(k).choice == event.choice) break;
    if ((own || depends(at(k), event)) && is_needed(at(k))) return;
    if (own) break;
  }
  need_step(i);
}

void WakeupSequence::need_step(std::size_t i) {
  if (is_needed(at(i))) return;
  trace_->join(needed_, at(i).step);
  relies_on_ = std::max(relies_on_, at(i).step);
  need_choices();
}

std::optional<std::size_t> WakeupSequence::place_of(const Event& event) {
  for (std::size_t i = 0; i < size(); ++i) {
    const bool own = at(i).process == event.process;
    if (own && at(i).choice == event.choice) {
      const auto earlier = comes_after(i, event);
      if (!earlier) return i;
      need_step(i);  // and with it the earlier one
      return std::nullopt;
    }
    if (!own && !depends(at(i), event)) continue;
    need(i, event);
    return std::nullopt;
  }
  return size();
}

/// Steps that are not part of later executions may take the place of those behind `place`, but not of those before it.
void WakeupSequence::follow(const Event& event, std::size_t place) {
  if (place == size()) {
    relies_on_ = Race::kUnsettled;
    return;
  }
  if (at(place).step != kLate) relies_on_ = std::max(relies_on_, at(place).step);
  else if (!touch_the_same(event, *late_)) relies_on_ = Race::kUnsettled;
  const auto first = events_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto next = std::move_backward(first, first + static_cast<std::ptrdiff_t>(place), first + static_cast<std::ptrdiff_t>(place) + 1);
  ++first_;
  auto end = first + static_cast<std::ptrdiff_t>(place) + 1;
  while (end != events_.end() && end->choice != 0 && end->process == event.process) ++end;
  std::rotate(next, first + static_cast<std::ptrdiff_t>(place) + 1, end);
}

void WakeupSequence::leave_out(std::uint32_t process) {
  events_.erase(std::remove_if(events_.begin() + static_cast<std::ptrdiff_t>(first_), events_.end(), [process](const Item& item) { return item.process == process; }), events_.end());
}

void WakeupSequence::settle_by(std::size_t place) { relies_on_ = place < size() && at(place).step != kLate ? std::max(relies_on_, at(place).step) : Race::kUnsettled; }

bool WakeupSequence::is_done() const {
  for (std::size_t i = size(); i-- > 0;)
    if (is_needed(at(i))) return false;
  return true;
}

WakeupTrees::Tree WakeupTrees::make(const Event& event) {
  Tree plan = free_;
  if (plan != 0) {
    free_ = plans_[plan].next;
  } else {
    plan = static_cast<Tree>(plans_.size());
    plans_.emplace_back();
  }
  plans_[plan] = {.event = event.number, .whole = 0, .weak = 0, .below = 0, .next = 0};
  ++size_;
  return plan;
}

void WakeupTrees::free(Tree plan) {
  plans_[plan].next = free_;
  free_ = plan;
  --size_;
}

void WakeupTrees::append(Tree& tree, const Event& event) {
  const Tree plan = make(event);
  if (tree == 0) {
    tree = plan;
    return;
  }
  Tree last = tree;
  while (plans_[last].next != 0) last = plans_[last].next;
  plans_[last].next = plan;
}

WakeupTrees::Taken WakeupTrees::take_first(Tree& tree) {
  const Tree plan = tree;
  const Taken taken{.below = plans_[plan].below, .all_values = plans_[plan].below == 0 || plans_[plan].whole != 0};
  tree = plans_[plan].next;
  free(plan);
  return taken;
}

WakeupTrees::Tree WakeupTrees::split_choices(Tree& tree, std::uint32_t process) {
  Tree choices = 0, others = 0;
  for (Tree branch = tree; branch != 0;) {
    const Tree next = plans_[branch].next;
    const Event& event = events_[plans_[branch].event];
    plans_[branch].next = 0;
    join(event.choice != 0 && event.process == process ? choices : others, branch);
    branch = next;
  }
  tree = choices;
  return others;
}

void WakeupTrees::join(Tree& tree, Tree others) {
  if (tree == 0) {
    tree = others;
    return;
  }
  Tree last = tree;
  while (plans_[last].next != 0) last = plans_[last].next;
  plans_[last].next = others;
}

WakeupTrees::Tree WakeupTrees::copy(Tree tree) {
  const auto copied = [&](Tree from) {
    const Tree to = make(events_[plans_[from].event]);
    plans_[to].whole = plans_[from].whole;
    plans_[to].weak = plans_[from].weak;
    copied_.push_back({from, to});
    return to;
  };
  if (tree == 0) return 0;
  const Tree out = copied(tree);
  while (!copied_.empty()) {
    const Copied one = copied_.back();
    copied_.pop_back();
    if (const Tree below = plans_[one.from].below; below != 0) {
      const Tree to = copied(below);
      plans_[one.to].below = to;
    }
    if (const Tree next = plans_[one.from].next; next != 0) {
      const Tree to = copied(next);
      plans_[one.to].next = to;
    }
  }
  return out;
}

void WakeupTrees::drop(Tree& tree) {
  dropped_.clear();
  if (tree != 0) dropped_.push_back(tree);
  while (!dropped_.empty()) {
    const Tree plan = dropped_.back();
    dropped_.pop_back();
    if (plans_[plan].below != 0) dropped_.push_back(plans_[plan].below);
    if (plans_[plan].next != 0) dropped_.push_back(plans_[plan].next);
    free(plan);
  }
  tree = 0;
}

void WakeupTrees::clear() {
  plans_.resize(1);
  free_ = 0;
  size_ = 0;
}

bool WakeupTrees::insert(Tree& tree, WakeupSequence& sequence, Cover cover) {
  Tree above = 0;  // 0: `tree` itself
  bool weak = false;
  inserted_.clear();
  for (Tree branch = tree; branch != 0;) {
    const Event& event = events_[plans_[branch].event];
    // Behind a step that chooses come its choices, or what is planned for all of its values.
    const std::uint32_t chooser = above == 0 ? ~std::uint32_t{0} : events_[plans_[above].event].process;
    const bool for_all_values = above != 0 && sequence.chooses(chooser) && event.choice == 0;
    if (for_all_values && (cover != Cover::kCommuting || sequence.needs_first())) {
      branch = plans_[branch].next;
      continue;
    }
    const std::optional<std::size_t> at = sequence.place_of(event);
    if (!at || (*at == sequence.size() && (cover != Cover::kCommuting || !event.certain))) {
      weak |= at.has_value();
      branch = plans_[branch].next;
      continue;
    }
    if (plans_[branch].weak) sequence.unsettle();
    if (cover == Cover::kSent) inserted_.push_back(&sequence[*at]);
    sequence.follow(event, *at);
    if (for_all_values) sequence.leave_out(chooser);
    if (cover == Cover::kSent) {
      if (plans_[branch].below == 0 || plans_[branch].whole != 0) return false;
      plans_[branch].whole = sequence.is_done() ? 1 : 0;
      if (sequence.is_done()) return true;
    } else if (sequence.is_done() || (plans_[branch].below == 0 && !plans_[branch].weak)) {
      return false;
    }
    plans_[branch].whole |= plans_[branch].weak;
    plans_[branch].weak = 0;
    above = branch;
    branch = plans_[branch].below;
  }
  sequence.for_needed([&](const Event& event) {
    Tree branches = above == 0 ? tree : plans_[above].below;
    append(branches, event);
    (above == 0 ? tree : plans_[above].below) = branches;
    while (plans_[branches].next != 0) branches = plans_[branches].next;
    above = branches;
    if (cover == Cover::kSent) inserted_.push_back(&event);
  });
  if (!weak || cover == Cover::kSent) return true;
  plans_[above].weak = 1;
  sequence.unsettle();
  return true;
}

/// In the order in which they are explored: each step, then what follows it and an end.
void WakeupTrees::put(Tree tree, LetterWriter& letter) const {
  std::vector<Tree> above;
  for (Tree plan = tree; plan != 0 || !above.empty();) {
    if (plan == 0) {
      letter.put(kEnd);
      plan = plans_[above.back()].next;
      above.pop_back();
      continue;
    }
    letter.put(kStep | (plans_[plan].whole != 0 ? kWhole : 0u) | (plans_[plan].weak != 0 ? kWeak : 0u));
    letter.put(events_[plans_[plan].event]);
    above.push_back(plan);
    plan = plans_[plan].below;
  }
  letter.put(kEnd);
}

WakeupTrees::Tree WakeupTrees::read(LetterReader& letter) {
  Tree tree = 0;
  std::vector<Tree> above;
  for (Tree last = 0;;) {
    const std::uint32_t word = letter.word();
    if (word == kEnd) {
      if (above.empty()) return tree;
      last = above.back();
      above.pop_back();
      continue;
    }
    const Tree plan = make(letter.event());
    plans_[plan].whole = (word & kWhole) != 0 ? 1 : 0;
    plans_[plan].weak = (word & kWeak) != 0 ? 1 : 0;
    if (last != 0) plans_[last].next = plan;
    else (above.empty() ? tree : plans_[above.back()].below) = plan;
    above.push_back(plan);
    last = 0;
  }
}

}  // namespace tarry
