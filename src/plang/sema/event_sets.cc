#include "plang/sema/event_sets.h"

#include <algorithm>
#include <bit>

namespace tarry::plang {

bool EventSet::includes(const EventSet& other) const {
  for (std::size_t i = 0; i < other.bits.size(); ++i) {
    const std::uint64_t mine = i < bits.size() ? bits[i] : 0;
    if ((other.bits[i] & ~mine) != 0) return false;
  }
  return true;
}

bool EventSet::empty() const {
  return std::all_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word == 0; });
}

std::vector<std::uint32_t> EventSet::members() const {
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (std::uint64_t word = bits[i]; word != 0; word &= word - 1)
      result.push_back(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  }
  return result;
}

void add_event(EventSet& set, std::uint32_t event) {
  if (set.bits.size() <= event / 64) set.bits.resize(event / 64 + 1, 0);
  set.bits[event / 64] |= std::uint64_t{1} << (event % 64);
}

void add_events(EventSet& set, const EventSet& more) {
  if (set.bits.size() < more.bits.size()) set.bits.resize(more.bits.size(), 0);
  for (std::size_t i = 0; i < more.bits.size(); ++i) set.bits[i] |= more.bits[i];
}

EventSet intersection(const EventSet& a, const EventSet& b) {
  EventSet result;
  result.bits.resize(std::min(a.bits.size(), b.bits.size()));
  for (std::size_t i = 0; i < result.bits.size(); ++i) result.bits[i] = a.bits[i] & b.bits[i];
  return result;
}

EventSet difference(const EventSet& a, const EventSet& b) {
  EventSet result = a;
  for (std::size_t i = 0; i < std::min(a.bits.size(), b.bits.size()); ++i) result.bits[i] &= ~b.bits[i];
  return result;
}

}  // namespace tarry::plang
