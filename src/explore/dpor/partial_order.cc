#include "explore/dpor/partial_order.h"

#include <algorithm>
#include <functional>

#include "base/rng.h"

namespace tarry {
namespace {

bool is_global(std::span<const ObjectUse> touches) {
  return std::any_of(touches.begin(), touches.end(), [](const ObjectUse& touch) { return touch.object == kEverything; });
}

}  // namespace

void PartialOrder::truncate(std::uint32_t size) {
  size_ = size;
  for (std::uint32_t& born : born_)
    if (born > size + 1) born = 0;
}

void PartialOrder::meet(std::uint32_t process) {
  if (process >= born_.size()) born_.resize(process + 1);
  if (born_[process] == 0) born_[process] = size_ + 1;
}

OrderedStep& PartialOrder::add(std::uint32_t process, const Survey& survey, std::optional<std::uint64_t> waits_for) {
  if (size_ == steps_.size()) steps_.emplace_back();
  std::uint32_t before = born_[process] - 1;
  if (size_ >= 1)
    for (std::uint32_t i = size_; i > before; --i)
      if (steps_[i - 1].event.process == process) {
        before = i;
        break;
      }
  OrderedStep& step = steps_[size_++];
  step.event.process = process;
  step.event.values.clear();
  step.event.touches.clear();
  step.event.alternatives.clear();
  step.waits_for = waits_for;
  step.before = before;
  const auto bits = survey.open().bits();
  step.open.assign(bits.begin(), bits.end());
  return step;
}

void PartialOrder::join(std::vector<std::uint32_t>& into, std::uint32_t step) const {
  const std::uint32_t* const from = clocks_.data() + std::size_t{step} * width_;
  for (std::uint32_t i = 0; i < width_; ++i) into[i] = std::max(into[i], from[i]);
}

/// `known_` becomes what a process knows after this step (plus 1).
void PartialOrder::start_from(std::uint32_t before) {
  if (before == 0) known_.assign(width_, 0);
  else known_.assign(clock(before - 1), clock(before - 1) + width_);
}

PartialOrder::Slot& PartialOrder::slot(std::uint64_t object) {
  if (used_ * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = mix64(object) & mask;; i = (i + 1) & mask) {
    Slot& slot = table_[i];
    if (slot.round != round_) {
      slot = {object, round_, 0};
      ++used_;
      return slot;
    }
    if (slot.object == object) return slot;
  }
}

const PartialOrder::Slot* PartialOrder::known_slot(std::uint64_t object) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = mix64(object) & mask; !table_.empty(); i = (i + 1) & mask) {
    if (table_[i].round != round_) return nullptr;
    if (table_[i].object == object) return &table_[i];
  }
  return nullptr;
}

void PartialOrder::grow() {
  std::vector<Slot> old(std::max<std::size_t>(64, table_.size() * 2));
  std::swap(old, table_);
  used_ = 0;
  for (const Slot& was : old)
    if (was.round == round_) slot(was.object).last = was.last;
}

/// Could who waits for the object have gone on in the place of the step, after all that does not come after it? The object was then as the first step found
/// it that touches it and does come after.
PartialOrder::CouldGo PartialOrder::could_go_at(std::uint64_t object, const Search& search, std::uint32_t step) const {
  const Slot* const slot = known_slot(object);
  std::uint32_t first = size_;
  for (std::uint32_t at = slot == nullptr ? 0 : slot->last; at != 0; at = visits_[at - 1].before) {
    const std::uint32_t visitor = visits_[at - 1].step;
    if (visitor < step || (visitor != step && !comes_before(step, visitor))) break;
    first = visitor;
  }
  if (first == size_) return search.open ? CouldGo::kYes : CouldGo::kNo;
  for (const ObjectUse& touch : steps_[first].event.touches)
    if (touch.object == object && touch.before != Before::kUnknown) return touch.before == Before::kFree ? CouldGo::kYes : CouldGo::kNo;
  return CouldGo::kMaybe;
}

/// Could the process have performed its operation in the place of the step, after all that does not come after the step?
PartialOrder::CouldGo PartialOrder::could_go(const Search& search, std::uint32_t step) const {
  if (!search.waits_for) return CouldGo::kYes;
  if (*search.waits_for == kGivesUp) return CouldGo::kMaybe;
  if (*search.waits_for != kEverything) {
    const CouldGo could = could_go_at(*search.waits_for, search, step);
    if (could != CouldGo::kMaybe) return could;
  }
  for (const ObjectUse& touch : steps_[step].event.touches)
    if (touch.before == Before::kHeld && std::any_of(search.touches.begin(), search.touches.end(), [&](const ObjectUse& own) { return own.object == touch.object; })) return CouldGo::kNo;
  return CouldGo::kMaybe;
}

/// Steps that touched the object and conflict, back to one behind which there is nothing new.
void PartialOrder::gather_of(const ObjectUse& touch, const Search& search) {
  for (std::uint32_t at = slot(touch.object).last; at != 0; at = visits_[at - 1].before) {
    const Visit& visit = visits_[at - 1];
    if (touch.use == Use::kRead && visit.use == Use::kRead) continue;
    if (!knows(known_, visit.step)) suspects_.push_back(visit.step);
    else if (visit.use != Use::kRead) return;
    if (visit.use != Use::kRead && could_go(search, visit.step) == CouldGo::kYes) return;
  }
}

void PartialOrder::gather(const Search& search) {
  suspects_.clear();
  if (is_global(search.touches)) {
    for (std::uint32_t i = std::min(search.late, size_); i > 0; --i) {
      if (!knows(known_, i - 1)) suspects_.push_back(i - 1);
      if (i == last_global_) break;
    }
    return;
  }
  if (last_global_ != 0 && !knows(known_, last_global_ - 1)) suspects_.push_back(last_global_ - 1);
  for (const ObjectUse& touch : search.touches) gather_of(touch, search);
  std::sort(suspects_.begin(), suspects_.end(), std::greater<>());
  suspects_.erase(std::unique(suspects_.begin(), suspects_.end()), suspects_.end());
}

void PartialOrder::find(const Search& search, std::vector<Race>& races) {
  gather(search);
  for (const std::uint32_t suspect : suspects_) {
    if (knows(known_, suspect)) continue;
    const CouldGo could = could_go(search, suspect);
    if (could == CouldGo::kNo) continue;
    races.push_back({suspect, search.late, could == CouldGo::kYes});
    if (could == CouldGo::kYes) join(known_, suspect);
  }
}

/// Its clock, and its visits of objects.
void PartialOrder::place(std::uint32_t number) {
  const OrderedStep& step = steps_[number];
  start_from(step.before);
  const bool global = is_global(step.event.touches);
  if (last_global_ != 0) join(known_, last_global_ - 1);
  if (global) {
    for (const std::uint32_t last : last_of_)
      if (last != 0) join(known_, last - 1);
    last_global_ = number + 1;
  }
  for (const ObjectUse& touch : step.event.touches) {
    Slot& slot = this->slot(touch.object);
    for (std::uint32_t at = slot.last; at != 0; at = visits_[at - 1].before) {
      const Visit& visit = visits_[at - 1];
      if (visit.use == Use::kRead && touch.use == Use::kRead) continue;
      if (visit.step != number) join(known_, visit.step);
      if (visit.use != Use::kRead) break;
    }
    visits_.push_back({number, touch.use, slot.last});
    slot.last = static_cast<std::uint32_t>(visits_.size());
  }
  known_[step.event.process] = number + 1;
  std::copy(known_.begin(), known_.end(), clock(number));
  last_of_[step.event.process] = number + 1;
}

void PartialOrder::analyse(const std::vector<PendingStep>& pending, std::vector<Race>& races) {
  width_ = static_cast<std::uint32_t>(born_.size());
  clocks_.resize(std::size_t{size_} * width_);
  last_of_.assign(width_, 0);
  visits_.clear();
  last_global_ = used_ = 0;
  if (++round_ == 0) table_.clear(), round_ = 1;
  races.clear();
  for (std::uint32_t i = 0; i < size_; ++i) {
    const OrderedStep& step = steps_[i];
    start_from(step.before);
    find({step.event.process, step.event.touches, step.waits_for, step.before, i, true}, races);
    place(i);
  }
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const Event& event = pending[i].event;
    const std::uint32_t before = last_of_[event.process] != 0 ? last_of_[event.process] : born_[event.process] - 1;
    start_from(before);
    find({event.process, event.touches, pending[i].waits_for, before, size_ + i, pending[i].open}, races);
  }
}

}  // namespace tarry
