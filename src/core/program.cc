#include "core/program.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/execution.h"

namespace tarry {

namespace {

/// Returns the capacity of an expansion, a power of two: all successors of a state are in memory at once. All values of one data
/// choice always fit.
std::uint32_t room_for(std::uint32_t width) {
  constexpr std::size_t kBytes = 128 << 20;
  const std::size_t each = width * sizeof(Word) + sizeof(abi::Successor) + 2 * sizeof(std::uint32_t);
  return std::clamp<std::uint32_t>(static_cast<std::uint32_t>(std::bit_floor(kBytes / each)), 1 << 17, 1 << 20);
}

}  // namespace

Expansion::Expansion(std::uint32_t width) : abi::Expansion{}, width_(width), most_(room_for(width)) {
  grow = more;
  more(this);
}

void Expansion::more(abi::Expansion* self) {
  auto& e = *static_cast<Expansion*>(self);
  if (e.count == e.most_) {
    e.cut = 1;
    return;
  }
  e.successor_room_.resize(e.capacity == 0 ? 64 : std::min<std::size_t>(e.capacity * std::size_t{2}, e.most_));
  e.word_room_.resize(e.successor_room_.size() * e.width_);
  e.value_room_.resize(e.successor_room_.size() * 2 + e.value_count + abi::kMaxValues);
  e.words = e.word_room_.data();
  e.successors = e.successor_room_.data();
  e.values = e.value_room_.data();
  e.capacity = static_cast<std::uint32_t>(e.successor_room_.size());
  e.value_capacity = static_cast<std::uint32_t>(e.value_room_.size());
}

Survey::Survey(std::uint32_t processes) : longs_((processes + 63) / 64), bits_(std::size_t{longs_} * 3) {}

std::unique_ptr<Execution> Program::execution(Session& /*session*/, std::uint32_t /*worker*/) const { return nullptr; }

void StateSpace::enabled(StateView state, std::span<std::uint64_t> out) {
  Survey all(static_cast<std::uint32_t>(out.size() * 64));
  survey(state, all);
  std::copy_n(all.bits().begin(), out.size(), out.begin());
}

bool Survey::deadlock() const {
  bool waits = false;
  for (std::uint32_t i = 0; i < longs_; ++i) {
    if (bits_[i] != 0) return false;
    waits |= (bits_[longs_ + i] & ~bits_[2 * longs_ + i]) != 0;
  }
  return waits;
}

Taken::Taken(std::uint32_t width) : abi::Taken{}, width_(width), room_(width) { words = room_.data(); }

Step step_between(ProcessId process, const Survey& before, const Survey& after, const abi::Taken& taken) {
  return {.process = process,
          .open_before = before.open(),
          .open_after = after.open(),
          .alive_before = before.alive(),
          .alive_after = after.alive(),
          .sent = {taken.sent, taken.sent_count},
          .order = {taken.order, taken.order_count},
          .yielded = (taken.flags & abi::kYielded) != 0};
}

std::string endless_message(const Property& property) { return property.owed + " in an execution that goes on for ever"; }
std::string ended_message(const Property& property) { return property.owed + ", and the execution ends"; }

std::string deadlock_message(const Survey& survey, Narrator& narrator) {
  std::string waiting;
  int count = 0;
  survey.alive().for_each([&](ProcessId p) {
    if (survey.idle().contains(p) || survey.open().contains(p)) return;
    if (++count > 8) return;
    if (count > 1) waiting += ", ";
    waiting += narrator.process_name(p);
  });
  if (count > 8) waiting += " and " + std::to_string(count - 8) + " more";
  return "no process can run, and " + waiting + (count == 1 ? " waits for ever" : " wait for ever");
}

}  // namespace tarry
