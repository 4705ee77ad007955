#include "core/program.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/execution.h"

namespace tarry {

namespace {

/// Successors of one state, at most: a power of two. All values of one data choice find room in any case.
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

bool Expansion::may_go_on(std::uint64_t bytes) {
  if (!go_on || go_on(bytes) == Ends::kGoOn) return true;
  cut = 1;
  return false;
}

/// Called every `stretch_` successors, and when values have no room. Successors and values grow apart from each other: steps with many values would
/// otherwise reserve successors that never come.
void Expansion::more(abi::Expansion* self) {
  auto& e = *static_cast<Expansion*>(self);
  const std::size_t had = e.successor_room_.size();
  const std::size_t successors = e.count < had ? had : std::min<std::size_t>(std::max<std::size_t>(kFirstRoom, had * 2), e.most_);
  const std::size_t values = e.value_count + abi::kMaxValues <= e.value_room_.size() ? e.value_room_.size() : e.value_count * std::size_t{2} + 4 * abi::kMaxValues;
  const bool grows = successors > had || values > e.value_room_.size();
  if (!e.may_go_on(grows ? successors * (e.width_ * sizeof(Word) + sizeof(abi::Successor)) + values * sizeof(std::uint32_t) : 0)) return;
  if (e.count == e.most_) {
    e.cut = 1;
    return;
  }
  e.successor_room_.resize(successors);
  e.word_room_.resize(successors * e.width_);
  e.value_room_.resize(values);
  e.words = e.word_room_.data();
  e.successors = e.successor_room_.data();
  e.values = e.value_room_.data();
  e.capacity = static_cast<std::uint32_t>(std::min<std::size_t>(successors, std::size_t{e.count} + e.stretch_));
  e.value_capacity = static_cast<std::uint32_t>(values);
}

Survey::Survey(std::uint32_t processes) : longs_((processes + 63) / 64), bits_(std::size_t{longs_} * 3) {}

void Survey::fit(std::uint32_t processes) {
  longs_ = (processes + 63) / 64;
  bits_.assign(std::size_t{longs_} * 3, 0);
  sealed_by = 0;
}

void Survey::assign(std::span<const std::uint64_t> bits) {
  longs_ = static_cast<std::uint32_t>(bits.size() / 3);
  bits_.assign(bits.begin(), bits.end());
}

std::unique_ptr<Execution> Program::execution(Session& /*session*/, std::uint32_t /*worker*/) const { return nullptr; }

void StateSpace::enabled(StateView state, std::span<std::uint64_t> out) {
  Survey all(static_cast<std::uint32_t>(out.size() * 64));
  survey(state, all);
  std::fill(out.begin(), out.end(), 0);
  std::ranges::copy(all.open().bits(), out.begin());
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
