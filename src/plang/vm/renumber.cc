#include "plang/vm/renumber.h"

#include <algorithm>

#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

/// kNone if it does not exist there.
std::uint32_t number_there(std::uint32_t slot, std::span<const Identities::Identity> here, const Identities& there) {
  if (slot >= here.size()) return kNone;
  const Identities::Identity who = here[slot];
  if (who.parent == kNone) return there.find(kNone, who.nth, who.interface);
  const std::uint32_t parent = number_there(who.parent, here, there);
  return parent == kNone ? kNone : there.find(parent, who.nth, who.interface);
}

}  // namespace

std::optional<std::vector<Choice>> renumbered(const std::vector<Choice>& schedule, std::span<const Identities::Identity> identities,
                                              const PProgram& replay, LastStep last) {
  PSpace space(replay.world(), replay.layout());
  std::vector<Word> state(replay.layout().words());
  Taken taken(replay.layout().words());
  if (!space.initial(state.data()).kind.empty()) return std::nullopt;
  std::vector<Choice> out;
  for (std::size_t i = 0; i < schedule.size();) {
    const std::uint32_t number = number_there(schedule[i].number, identities, replay.world().identities);
    if (number == kNone) return std::nullopt;
    out.push_back({Choice::Kind::kProcess, number});
    std::vector<std::uint32_t> values;
    for (++i; i < schedule.size() && schedule[i].kind == Choice::Kind::kValue; ++i) {
      values.push_back(schedule[i].number);
      out.push_back(schedule[i]);
    }
    if (i == schedule.size() && last == LastStep::kNotTaken) break;
    space.take(state, ProcessId{number}, values, taken);
    if (taken.outcome != abi::Outcome::kMoved) return std::nullopt;
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
  }
  return out;
}

}  // namespace tarry::plang
