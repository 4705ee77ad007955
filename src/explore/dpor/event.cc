#include "explore/dpor/event.h"

namespace tarry {
namespace {

bool is_same(const ObjectUse& a, const ObjectUse& b) { return a.object == b.object && a.use == b.use && a.before == b.before; }

bool is_same(const Event& a, const Event& b) {
  return a.process == b.process && a.certain == b.certain && a.choice == b.choice &&
         std::equal(a.touches.begin(), a.touches.end(), b.touches.begin(), b.touches.end(), [](const ObjectUse& x, const ObjectUse& y) { return is_same(x, y); });
}

std::uint64_t hash_of(const Event& event) {
  std::uint64_t hash = mix64(event.process * 2 + (event.certain ? 1 : 0) + 1);
  hash = mix64(hash + event.choice);
  for (const ObjectUse& touch : event.touches) hash = mix64(hash ^ touch.object) + static_cast<std::uint64_t>(touch.use) * 8 + static_cast<std::uint64_t>(touch.before);
  return mix64(hash);
}

}  // namespace

const Event& EventTable::keep(const Event& event) {
  if (all_.size() * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash_of(event) & mask;
  for (; table_[i] != 0; i = (i + 1) & mask)
    if (is_same(*all_[table_[i] - 1], event)) return *all_[table_[i] - 1];
  Event& own = *all_.emplace_back(std::make_unique<Event>(event));
  own.number = static_cast<std::uint32_t>(all_.size() - 1);
  table_[i] = own.number + 1;
  return own;
}

void EventTable::grow() {
  table_.assign(std::max<std::size_t>(64, table_.size() * 2), 0);
  const std::size_t mask = table_.size() - 1;
  for (const auto& event : all_) {
    std::size_t i = hash_of(*event) & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = event->number + 1;
  }
}

}  // namespace tarry
