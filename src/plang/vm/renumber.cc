#include "plang/vm/renumber.h"

#include <algorithm>

#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

/// Machines in the numbers of a replay.
class Numbers {
 public:
  Numbers(std::span<const Identities::Identity> here, const Identities& there) : here_(here), there_(there), known_(here.size(), kNone) {}

  /// kNone if it does not exist there (yet). A machine may have thousands of creators above it.
  std::uint32_t of(std::uint32_t slot) {
    std::vector<std::uint32_t> way;  // up to one that is known
    for (std::uint32_t at = slot; at != kNone; at = here_[at].parent) {
      if (at >= here_.size()) return kNone;
      way.push_back(at);
      if (known_[at] != kNone) break;
    }
    std::uint32_t number = kNone;
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      const Identities::Identity& who = here_[*at];
      if (known_[*at] == kNone) known_[*at] = there_.find(who.parent == kNone ? kNone : number, who.nth, who.interface);
      number = known_[*at];
      if (number == kNone) return kNone;
    }
    return number;
  }

 private:
  std::span<const Identities::Identity> here_;
  const Identities& there_;
  std::vector<std::uint32_t> known_;
};

}  // namespace

std::optional<std::vector<Choice>> renumbered(const std::vector<Choice>& schedule, std::span<const Identities::Identity> identities,
                                              const PProgram& replay, LastStep last) {
  PSpace space(replay.world(), replay.layout());
  std::vector<Word> state(replay.layout().words());
  Taken taken(replay.layout().words());
  if (!space.initial(state.data()).kind.empty()) return std::nullopt;
  std::vector<Choice> out;
  Numbers numbers(identities, replay.world().identities);
  for (std::size_t i = 0; i < schedule.size();) {
    const std::uint32_t number = numbers.of(schedule[i].number);
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
