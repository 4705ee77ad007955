#include "explore/dpor/partial_order.h"

#include <algorithm>
#include <functional>

#include "base/rng.h"

namespace tarry {

void PartialOrder::truncate(std::uint32_t size) {
  while (!races_.empty() && races_.back().late >= size) races_.pop_back();
  for (; !visits_.empty() && visits_.back().step >= size; visits_.pop_back()) slot(visits_.back().object).last = visits_.back().before;
  while (size_ > size) {
    OrderedStep& step = steps_[--size_];
    added_[step.process] = step.own_before;
    if (size_ < placed_) last_of_[step.process] = step.own_before, last_global_ = step.global_before;
  }
  placed_ = std::min(placed_, size_);
  for (std::uint32_t& born : born_)
    if (born > size + 1) born = 0;
}

void PartialOrder::meet(std::uint32_t process) {
  if (process >= born_.size()) {
    born_.resize(process + 1);
    added_.resize(process + 1);
  }
  if (born_[process] == 0) born_[process] = size_ + 1;
}

void PartialOrder::add(std::uint32_t process, const Survey& survey, std::optional<std::uint64_t> waits_for) {
  if (size_ == steps_.size()) steps_.emplace_back();
  OrderedStep& step = steps_[size_++];
  step.process = process;
  step.choice = 0;
  step.begins = size_ - 1;
  step.event = nullptr;
  step.waits_for = waits_for;
  step.own_before = added_[process];
  step.before = last_of(process);
  added_[process] = size_;
  const auto bits = survey.open().bits();
  open_.assign(bits.begin(), bits.end());
}

void PartialOrder::add(const Event& event) {
  if (event.choice != 0) {
    add_choice(event.choice - 1);
  } else {
    add(event.process, Survey(0), std::nullopt);
  }
  steps_[size_ - 1].event = &event;
}

void PartialOrder::add_choice(std::uint32_t value) {
  if (size_ == steps_.size()) steps_.emplace_back();
  const OrderedStep& last = steps_[size_ - 1];
  OrderedStep& step = steps_[size_++];
  step.process = last.process;
  step.choice = value + 1;
  step.begins = last.begins;
  step.event = nullptr;
  step.waits_for = std::nullopt;
  step.own_before = step.before = size_ - 1;
  added_[step.process] = size_;
}

void PartialOrder::join(Clock& into, std::uint32_t step) const {
  const std::uint32_t* const from = clocks_.data() + std::size_t{step} * width_;
  for (std::uint32_t i = 0; i < width_; ++i) into[i] = std::max(into[i], from[i]);
}

void PartialOrder::start_from(Clock& into, std::uint32_t before) const {
  if (before == 0) {
    into.assign(width_, 0);
    return;
  }
  const std::uint32_t* const from = clocks_.data() + std::size_t{before - 1} * width_;
  into.assign(from, from + width_);
}

PartialOrder::Slot& PartialOrder::slot(std::uint64_t object) {
  if (used_ * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = mix64(object) & mask;; i = (i + 1) & mask) {
    Slot& slot = table_[i];
    if (!slot.used) {
      slot = {object, 0, true};
      ++used_;
      return slot;
    }
    if (slot.object == object) return slot;
  }
}

const PartialOrder::Slot* PartialOrder::known_slot(std::uint64_t object) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = mix64(object) & mask; !table_.empty(); i = (i + 1) & mask) {
    if (!table_[i].used) return nullptr;
    if (table_[i].object == object) return &table_[i];
  }
  return nullptr;
}

/// Objects that this execution does not visit are left behind.
void PartialOrder::grow() {
  const auto live = static_cast<std::size_t>(std::count_if(table_.begin(), table_.end(), [](const Slot& slot) { return slot.used && slot.last != 0; }));
  std::vector<Slot> old(live * 4 >= table_.size() ? std::max<std::size_t>(64, table_.size() * 2) : table_.size());
  std::swap(old, table_);
  used_ = 0;
  for (const Slot& was : old)
    if (was.used && was.last != 0) slot(was.object).last = was.last;
}

/// Returns whether the waiting process could have gone on in the place of the step, after every step that does not come after it. The object was then as it
/// was before the first later step that touches it.
PartialOrder::CouldGo PartialOrder::could_go_at(std::uint64_t object, const Search& search, std::uint32_t step) const {
  const Slot* const slot = known_slot(object);
  std::uint32_t first = size_;
  for (std::uint32_t at = slot == nullptr ? 0 : slot->last; at != 0; at = visits_[at - 1].before) {
    const std::uint32_t visitor = visits_[at - 1].step;
    if (visitor < step || (visitor != step && !comes_before(step, visitor))) break;
    first = visitor;
  }
  if (first == size_) return search.open ? CouldGo::kYes : CouldGo::kNo;
  for (const ObjectUse& touch : event(first).touches)
    if (touch.object == object && touch.before != Before::kUnknown) return touch.before == Before::kFree ? CouldGo::kYes : CouldGo::kNo;
  return CouldGo::kMaybe;
}

/// Returns whether the process could have performed its operation in the place of the step, after every step that does not come after it.
PartialOrder::CouldGo PartialOrder::could_go(const Search& search, std::uint32_t step) const {
  if (!search.waits_for) return CouldGo::kYes;
  if (*search.waits_for == kGivesUp) return CouldGo::kMaybe;
  if (*search.waits_for != kEverything) {
    const CouldGo could = could_go_at(*search.waits_for, search, step);
    if (could != CouldGo::kMaybe) return could;
  }
  const auto& own = search.event.touches;
  for (const ObjectUse& touch : event(step).touches)
    if (touch.before == Before::kHeld && std::any_of(own.begin(), own.end(), [&](const ObjectUse& one) { return one.object == touch.object; })) return CouldGo::kNo;
  return CouldGo::kMaybe;
}

/// Steps that touched the object and conflict, back to one behind which there is nothing new.
void PartialOrder::gather_of(const ObjectUse& touch, const Search& search) {
  const Slot* const slot = known_slot(touch.object);
  for (std::uint32_t at = slot == nullptr ? 0 : slot->last; at != 0; at = visits_[at - 1].before) {
    const Visit& visit = visits_[at - 1];
    if (touch.use == Use::kRead && visit.use == Use::kRead) continue;
    if (!knows(known_, visit.step)) suspects_.push_back(visit.step);
    else if (visit.use != Use::kRead) return;
    if (visit.use != Use::kRead && could_go(search, visit.step) == CouldGo::kYes) return;
  }
}

void PartialOrder::gather(const Search& search) {
  suspects_.clear();
  if (search.event.global) {
    for (std::uint32_t i = std::min(search.late, size_); i > 0; --i) {
      if (!knows(known_, i - 1)) suspects_.push_back(i - 1);
      if (i == last_global_) break;
    }
    return;
  }
  if (last_global_ != 0 && !knows(known_, last_global_ - 1)) suspects_.push_back(last_global_ - 1);
  for (const ObjectUse& touch : search.event.touches) gather_of(touch, search);
  if (suspects_.size() < 2) return;
  std::sort(suspects_.begin(), suspects_.end(), std::greater<>());
  suspects_.erase(std::unique(suspects_.begin(), suspects_.end()), suspects_.end());
}

void PartialOrder::find(const Search& search, std::vector<Race>& races) {
  start_from(known_, search.before);
  gather(search);
  for (const std::uint32_t suspect : suspects_) {
    if (knows(known_, suspect)) continue;
    const CouldGo could = could_go(search, suspect);
    if (could == CouldGo::kNo) continue;
    races.push_back({steps_[suspect].begins, search.late, could == CouldGo::kYes});
    if (could == CouldGo::kYes) join(known_, suspect);
  }
}

/// Its clock, and its visits of objects.
void PartialOrder::place(std::uint32_t number) {
  OrderedStep& step = steps_[number];
  start_from(known_, step.before);
  step.global_before = last_global_;
  if (last_global_ != 0) join(known_, last_global_ - 1);
  if (step.event->global) {
    for (const std::uint32_t last : last_of_)
      if (last != 0) join(known_, last - 1);
    last_global_ = number + 1;
  }
  for (const ObjectUse& touch : step.event->touches) {
    Slot& slot = this->slot(touch.object);
    for (std::uint32_t at = slot.last; at != 0; at = visits_[at - 1].before) {
      const Visit& visit = visits_[at - 1];
      if (visit.use == Use::kRead && touch.use == Use::kRead) continue;
      if (visit.step != number) join(known_, visit.step);
      if (visit.use != Use::kRead) break;
    }
    visits_.push_back({touch.object, number, touch.use, slot.last});
    slot.last = static_cast<std::uint32_t>(visits_.size());
  }
  known_[step.process] = number + 1;
  std::copy(known_.begin(), known_.end(), clocks_.begin() + static_cast<std::ptrdiff_t>(std::size_t{number} * width_));
  last_of_[step.process] = number + 1;
}

/// Room for all steps, and for all processes that were met.
void PartialOrder::widen() {
  const auto width = static_cast<std::uint32_t>(born_.size());
  if (width <= width_) {
    if (clocks_.size() < std::size_t{size_} * width_) clocks_.resize(std::size_t{size_} * width_);
    return;
  }
  std::vector<std::uint32_t> wider(std::size_t{size_} * width);
  for (std::uint32_t i = 0; i < placed_; ++i)
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * width_), width_, wider.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * width));
  clocks_ = std::move(wider);
  width_ = width;
  last_of_.resize(width_);
}

void PartialOrder::order() {
  widen();
  for (; placed_ < size_; ++placed_) place(placed_);
}

void PartialOrder::analyse(const std::vector<PendingStep>& pending) {
  widen();
  for (; placed_ < size_; ++placed_) {
    const OrderedStep& step = steps_[placed_];
    find({step.process, *step.event, step.waits_for, step.before, placed_, true}, races_);
    place(placed_);
  }
  pending_races_.clear();
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const Event& event = *pending[i].event;
    find({event.process, event, pending[i].waits_for, last_of(event.process), size_ + i, pending[i].open}, pending_races_);
  }
}

}  // namespace tarry
