// Names of a P program: tables per scope and kind of declaration (section "Scopes and name spaces" of docs/p-reference.md).
//
// Each kind has its own table, so an event and a machine may share a name. enter_names.cc decides which tables a new name is compared
// with. The first declaration of a name keeps it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"
#include "plang/syntax/suggestions.h"

namespace tarry::plang {

template <class T>
class NameTable {
 public:
  /// Returns the declaration, or null if there is none.
  T* find(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second;
  }
  /// Adds a declaration. Requires: its address does not change, and its name is new here.
  void add(T* declaration) {
    by_name_.emplace(declaration->name.text, declaration);
    all_.push_back(declaration);
  }
  /// Returns all declarations in the order of the text.
  const std::vector<T*>& all() const { return all_; }

 private:
  std::unordered_map<std::string_view, T*> by_name_;
  std::vector<T*> all_;
};

struct GlobalNames {
  NameTable<TypeDecl> types;
  NameTable<Enum> enums;
  NameTable<EnumElement> elements;
  NameTable<Event> events;
  NameTable<EventSetDecl> event_sets;
  NameTable<Interface> interfaces;
  NameTable<Machine> machines;
  NameTable<Function> functions;
  NameTable<Variable> params;
  NameTable<ModuleDecl> modules;
  NameTable<TestDecl> tests;
  NameTable<ImplementationDecl> implementations;
};

struct MachineNames {
  NameTable<Variable> fields;
  NameTable<Function> functions;
  NameTable<State> states;
};

/// Another kind of declaration that has the name.
struct OtherMeaning {
  std::string what;  // "a machine"
  Place place;
};
/// Returns what else has this name. `machine` is null outside of machines.
std::optional<OtherMeaning> other_meaning(std::string_view name, const GlobalNames& global, const MachineNames* machine);

}  // namespace tarry::plang
