#include "plang/sema/names.h"

#include <algorithm>
#include <numeric>

namespace tarry::plang {
namespace {

/// Nobody mistypes longer names so that we could tell.
constexpr std::size_t kLongestName = 100;

/// The number of edits (insert, delete, replace a letter, swap two neighbours) between the two, or more than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    // A swap looks two rows back, so that one row beyond the limit does not settle it.
    if (*std::min_element(row.begin(), row.end()) > limit && *std::min_element(last.begin(), last.end()) > limit)
      return limit + 1;
  }
  return row[b.size()];
}

}  // namespace

void Suggestions::offer(std::string_view candidate) {
  if (candidate == wrong_) return;  // of another kind
  if (std::max(candidate.size(), wrong_.size()) > kLongestName) return;
  const std::size_t least = std::min(candidate.size(), wrong_.size());
  const std::size_t limit = best_.empty() ? std::clamp<std::size_t>(wrong_.size() / 3, 1, 3) : best_distance_ - 1;
  if (std::max(candidate.size(), wrong_.size()) - least > limit) return;
  const std::size_t distance = edit_distance(wrong_, candidate, limit);
  if (distance > limit || distance >= least) return;  // with all its letters replaced it is another name
  best_ = candidate;
  best_distance_ = distance;
}

std::string Suggestions::text() const {
  if (best_.empty()) return "";
  return std::string("; did you mean '").append(best_).append("'?");
}

namespace {

template <class T>
bool meaning_in(const NameTable<T>& table, std::string_view name, std::string_view what, std::optional<OtherMeaning>& result) {
  const T* found = table.find(name);
  if (found == nullptr) return false;
  result = OtherMeaning{std::string(what), found->name.place};
  return true;
}

std::string_view kind_of(const Machine& machine) {
  switch (machine.kind) {
    case Machine::Kind::kSpec: return "a spec";
    case Machine::Kind::kScenario: return "a scenario";
    default: return "a machine";
  }
}

}  // namespace

std::optional<OtherMeaning> other_meaning(std::string_view name, const GlobalNames& global, const MachineNames* machine) {
  if (const Machine* found = global.machines.find(name)) return OtherMeaning{std::string(kind_of(*found)), found->name.place};
  std::optional<OtherMeaning> result;
  if (machine != nullptr) {
    if (meaning_in(machine->functions, name, "a function", result) || meaning_in(machine->fields, name, "a variable", result) ||
        meaning_in(machine->states, name, "a state", result))
      return result;
  }
  meaning_in(global.functions, name, "a function", result) || meaning_in(global.events, name, "an event", result) ||
      meaning_in(global.elements, name, "an enum element", result) ||
      meaning_in(global.interfaces, name, "an interface", result) ||
      meaning_in(global.event_sets, name, "an event set", result) || meaning_in(global.enums, name, "an enum", result) ||
      meaning_in(global.types, name, "a type", result) || meaning_in(global.params, name, "a global param", result) ||
      meaning_in(global.modules, name, "a module", result) || meaning_in(global.tests, name, "a test", result) ||
      meaning_in(global.implementations, name, "an implementation", result);
  return result;
}

}  // namespace tarry::plang
