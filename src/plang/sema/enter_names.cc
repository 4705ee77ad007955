// Gives every declaration its name and number.
//
// A new name is compared with some tables of its own scope only, and only with earlier declarations: see the table in section
// "Scopes and name spaces" of docs/p-reference.md. The table is not symmetric: an event set after an interface of the same name
// is a clash, but an interface after an event set is not. So the declarations of a scope are entered in the order of the text.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "plang/sema/phases.h"

namespace tarry::plang {
namespace {

/// The declarations of one scope, to be entered in the order of the text.
class InOrder {
 public:
  void at(Place place, std::function<void()> enter) { items_.push_back({place, std::move(enter)}); }
  void run() {
    std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return std::tie(a.place.file, a.place.offset) < std::tie(b.place.file, b.place.offset);
    });
    for (const Item& item : items_) item.enter();
  }

 private:
  struct Item {
    Place place;
    std::function<void()> enter;
  };
  std::vector<Item> items_;
};

class Declarer {
 public:
  explicit Declarer(SemaContext& context) : context_(context), program_(context.program), global_(context.global) {}

  void run() {
    make_events();
    number_machines();
    declare_globals();
    for (const auto& machine : program_.tree.machines) declare_members(*machine);
    number_functions();
  }

 private:
  void make_events() {
    for (const char* name : {"null", "halt"}) {
      auto event = std::make_unique<Event>();
      event->name.text = name;
      event->payload = context_.no_value();
      event->index = static_cast<std::uint32_t>(program_.events.size());
      program_.events.push_back(event.get());
      program_.made_events.push_back(std::move(event));
    }
    for (const auto& event : program_.tree.events) {
      event->index = static_cast<std::uint32_t>(program_.events.size());
      program_.events.push_back(event.get());
    }
  }

  void number_machines() {
    for (const auto& interface : program_.tree.interfaces) {
      interface->index = static_cast<std::uint32_t>(program_.interfaces.size());
      program_.interfaces.push_back(interface.get());
    }
    for (const auto& machine : program_.tree.machines) {
      machine->index = static_cast<std::uint32_t>(program_.machines.size());
      program_.machines.push_back(machine.get());
      if (machine->is_monitor()) continue;
      auto interface = std::make_unique<Interface>();
      interface->name = machine->name;
      interface->machine = machine.get();
      interface->index = static_cast<std::uint32_t>(program_.interfaces.size());
      machine->own_interface = interface.get();
      program_.interfaces.push_back(interface.get());
      program_.made_interfaces.push_back(std::move(interface));
    }
    context_.machine_names.resize(program_.machines.size());
  }

  void declare_globals() {
    const SyntaxTree& tree = program_.tree;
    InOrder items;
    const auto each = [&](const auto& declarations, const auto& enter) {
      for (const auto& declaration : declarations) {
        auto* it = declaration.get();
        items.at(it->name.place, [it, enter] { enter(*it); });
      }
    };
    each(tree.types,
         [this](TypeDecl& it) { enter(global_.types, it, global_.types, global_.enums, global_.machines, global_.interfaces); });
    each(tree.enums,
         [this](Enum& it) { enter(global_.enums, it, global_.types, global_.enums, global_.machines, global_.interfaces); });
    for (const auto& enumeration : tree.enums)
      each(enumeration->elements, [this](EnumElement& it) { enter(global_.elements, it, global_.elements, global_.events); });
    each(tree.events, [this](Event& it) { enter(global_.events, it, global_.events, global_.elements); });
    each(tree.event_sets, [this](EventSetDecl& it) { enter(global_.event_sets, it, global_.event_sets, global_.interfaces); });
    each(tree.interfaces, [this](Interface& it) {
      enter(global_.interfaces, it, global_.interfaces, global_.enums, global_.types, global_.machines);
    });
    each(tree.machines, [this](Machine& it) { declare_machine(it); });
    each(tree.functions, [this](Function& it) { enter(global_.functions, it, global_.functions); });
    each(tree.params, [this](Variable& it) { enter(global_.params, it, global_.params); });
    each(tree.modules, [this](ModuleDecl& it) { enter(global_.modules, it, global_.modules); });
    each(tree.tests, [this](TestDecl& it) {
      if (!program_.sources.file(it.name.place.file).included) enter(global_.tests, it, global_.tests, global_.implementations);
    });
    each(tree.implementations,
         [this](ImplementationDecl& it) { enter(global_.implementations, it, global_.tests, global_.implementations); });
    items.run();
    for (const auto& param : tree.params) {
      param->index = static_cast<std::uint32_t>(program_.params.size());
      program_.params.push_back(param.get());
    }
  }

  void declare_machine(Machine& machine) {
    const bool is_new = enter(global_.machines, machine, global_.machines, global_.interfaces, global_.enums, global_.types);
    // Made here and owned by the program; the machine only has a const pointer to it.
    if (is_new && !machine.is_monitor()) global_.interfaces.add(made_interface(machine));
  }

  Interface* made_interface(const Machine& machine) const {
    return program_.made_interfaces[machine.own_interface->index - program_.tree.interfaces.size()].get();
  }

  void declare_members(Machine& machine) {
    MachineNames& names = context_.machine_names[machine.index];
    InOrder items;
    for (const auto& field : machine.fields) {
      field->index = static_cast<std::uint32_t>(&field - machine.fields.data());
      items.at(field->name.place, [this, &names, it = field.get()] {
        if (enter(names.fields, *it, names.fields)) report_hidden_param(*it);
      });
    }
    for (const auto& function : machine.functions)
      items.at(function->name.place,
               [this, &names, it = function.get()] { enter(names.functions, *it, names.functions, names.states); });
    for (const auto& state : machine.states) {
      state->machine = &machine;
      state->index = static_cast<std::uint32_t>(&state - machine.states.data());
      items.at(state->name.place, [this, &names, it = state.get()] { enter(names.states, *it, names.states); });
    }
    items.run();
  }

  void report_hidden_param(const Variable& field) const {
    const Variable* param = global_.params.find(field.name.text);
    if (param == nullptr) return;
    context_.error(
        "E04", field.name.place,
        fmt::format("'{}' is a global param, and no field may have the name of one; rename the field", field.name.text),
        declared_here(param->name));
  }

  /// Adds the declaration to `table`. Reports E03 if its name is already in one of `others`.
  template <class T, class... Others>
  bool enter(NameTable<T>& table, T& declaration, const Others&... others) {
    const Name& name = declaration.name;
    Place first{};
    const bool clashes = (found_in(others, name.text, first) || ...);
    if (clashes) {
      context_.error("E03", name.place, fmt::format("'{}' is declared already; give one of the two another name", name.text),
                     {{first, fmt::format("the first '{}' is declared here", name.text)}});
      return false;
    }
    table.add(&declaration);
    return true;
  }

  template <class T>
  static bool found_in(const NameTable<T>& table, std::string_view name, Place& place) {
    const T* found = table.find(name);
    if (found != nullptr) place = found->name.place;
    return found != nullptr;
  }

  void number_functions() {
    for (const auto& function : program_.tree.functions) number(*function, nullptr);
    for (const auto& machine : program_.tree.machines) {
      for (const auto& function : machine->functions) number(*function, machine.get());
      for (const auto& state : machine->states) number_anonymous(*state, *machine);
    }
    context_.facts.resize(context_.functions.size());
  }

  void number_anonymous(State& state, Machine& machine) {
    for (auto* bodies : {&state.entries, &state.exits}) {
      for (State::Body& body : *bodies) {
        if (body.inline_function) number(*body.inline_function, &machine);
      }
    }
    for (Handler& handler : state.handlers) {
      if (handler.inline_function) number(*handler.inline_function, &machine);
    }
  }

  void number(Function& function, Machine* owner) {
    function.owner = owner;
    function.index = static_cast<std::uint32_t>(program_.functions.size());
    program_.functions.push_back(&function);
    context_.functions.push_back(&function);
  }

  SemaContext& context_;
  CheckedProgram& program_;
  GlobalNames& global_;
};

}  // namespace

void declare_all(SemaContext& context) { Declarer(context).run(); }

}  // namespace tarry::plang
