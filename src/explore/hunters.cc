#include "explore/hunters.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace tarry {

ExplorerMaker Member::explorer_maker() const {
  if (explorer.empty()) return {};
  const Entry<Explorer>* const entry = Registry<Explorer>::find(explorer);
  TARRY_ASSERT(entry != nullptr);
  return entry->kind.make;
}

void Member::run(Session& session) const { search->kind.make(with_defaults(search->params, {}))->run(session); }

Member member(const std::string& search) {
  const Entry<Search>* const entry = Registry<Search>::find(search);
  TARRY_ASSERT(entry != nullptr);
  return {entry};
}

std::vector<Member> hunters_of(std::vector<Hunt> Made<Search>::*portfolio) {
  std::vector<std::pair<int, Member>> by_turn;
  for (const Entry<Search>& search : Registry<Search>::all())
    for (const Hunt& hunt : search.kind.*portfolio) by_turn.emplace_back(hunt.turn, Member{&search, hunt.explorer, hunt.choice_cost});
  std::stable_sort(by_turn.begin(), by_turn.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Member> out;
  for (auto& [turn, member] : by_turn) out.push_back(std::move(member));
  return out;
}

}  // namespace tarry
