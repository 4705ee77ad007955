#include "plang/sema/names.h"

namespace tarry::plang {
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
