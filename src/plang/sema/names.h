// Names of a P program: tables per scope and kind of declaration (section "Scopes and name spaces" of docs/p.md).
//
// Kinds have tables of their own, so that an event and a machine may share a name; which tables a new name is compared with is in
// declare.cc. The first declaration of a name keeps it.
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
  /// Null if there is none.
  T* find(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second;
  }
  /// Requires: the declaration stays where it is, and its name is new here.
  void add(T* declaration) {
    by_name_.emplace(declaration->name.text, declaration);
    all_.push_back(declaration);
  }
  /// In the order of declaration.
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

/// What else a name is declared as.
struct OtherMeaning {
  std::string what;  // "a machine"
  Place place;
};
/// `machine`: null outside of machines.
std::optional<OtherMeaning> other_meaning(std::string_view name, const GlobalNames& global, const MachineNames* machine);

}  // namespace tarry::plang
