#include "plang/sema/names.h"

#include <algorithm>
#include <numeric>

namespace tarry::plang {
namespace {

/// The number of edits (insert, delete, replace) between the two, or limit + 1 if there are more: only the band of the table that
/// can matter is filled.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t j = 1; j <= b.size(); ++j) {
    const std::size_t from = j > limit ? j - limit : 1;
    const std::size_t to = std::min(a.size(), j + limit);
    if (from > to) return limit + 1;
    std::size_t diagonal = from == 1 ? j - 1 : row[from - 1];
    if (from == 1) row[0] = j;
    else row[from - 1] = limit + 1;
    std::size_t least = row[from - 1];
    for (std::size_t i = from; i <= to; ++i) {
      const std::size_t above = i == j + limit ? limit + 1 : row[i];
      const std::size_t value = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), above + 1, row[i - 1] + 1});
      diagonal = row[i];
      row[i] = value;
      least = std::min(least, value);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row[a.size()], limit + 1);
}

}  // namespace

void Suggestions::offer(std::string_view candidate) {
  if (candidate == wrong_) return;  // of another kind
  const std::size_t allowed = std::min<std::size_t>(wrong_.size() / 3, 3);
  std::size_t limit = wrong_.size() < 3 ? 1 : std::max<std::size_t>(allowed, 1);
  if (!best_.empty()) {
    if (best_distance_ == 0) return;
    limit = best_distance_ - 1;
  }
  const std::size_t distance = edit_distance(wrong_, candidate, limit);
  // A name with all its letters replaced is another name.
  if (distance > limit || distance >= std::max(wrong_.size(), candidate.size())) return;
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
      meaning_in(global.elements, name, "an enum element", result) || meaning_in(global.interfaces, name, "an interface", result) ||
      meaning_in(global.event_sets, name, "an event set", result) || meaning_in(global.enums, name, "an enum", result) ||
      meaning_in(global.types, name, "a type", result) || meaning_in(global.params, name, "a global param", result) ||
      meaning_in(global.modules, name, "a module", result) || meaning_in(global.tests, name, "a test", result) ||
      meaning_in(global.implementations, name, "an implementation", result);
  return result;
}

}  // namespace tarry::plang
