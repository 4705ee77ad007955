// Evaluates modules bottom up (section 3.10 of the language reference). Unions are in module_union.cc.
//
// A named module is evaluated once, before everything that uses it. Modules are values that share what they do not change.
#include "plang/sema/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "plang/sema/dependency_order.h"
#include "plang/sema/event_sets.h"

namespace tarry::plang {
namespace {

constexpr std::size_t kMostItems = 4'000'000;

bool by_index(const Interface* a, const Interface* b) { return a->index < b->index; }

void sort_unique(std::vector<const Interface*>& interfaces) {
  std::sort(interfaces.begin(), interfaces.end(), by_index);
  interfaces.erase(std::unique(interfaces.begin(), interfaces.end()), interfaces.end());
}

bool creates(const Module& module, const Interface& interface) {
  return std::binary_search(module.creates.begin(), module.creates.end(), &interface, by_index);
}
bool binds(const Module& module, const Interface& interface) {
  return std::any_of(module.bound.begin(), module.bound.end(),
                     [&](const Module::Bound& one) { return one.interface == &interface; });
}

void collect_named(const ModuleExpr& expr, const std::unordered_map<std::string_view, std::uint32_t>& numbers,
                   std::vector<std::uint32_t>& out) {
  if (expr.kind == ModuleKind::kNamed) {
    const auto at = numbers.find(expr.names[0].text);
    if (at != numbers.end()) out.push_back(at->second);
  }
  for (const auto& part : expr.parts) collect_named(*part, numbers, out);
}

}  // namespace

void Modules::evaluate_named() {
  const auto& declarations = context_.program.tree.modules;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < declarations.size(); ++i) {
    if (context_.global.modules.find(declarations[i]->name.text) == declarations[i].get())
      numbers.emplace(declarations[i]->name.text, i);
  }
  std::vector<std::vector<std::uint32_t>> needs(declarations.size());
  for (std::size_t i = 0; i < declarations.size(); ++i) collect_named(*declarations[i]->module, numbers, needs[i]);
  const DependencyOrder found = order_by_dependency(needs);
  std::vector<bool> in_cycle(declarations.size(), false);
  for (const auto& cycle : found.cycles) {
    for (const std::uint32_t member : cycle) in_cycle[member] = true;
    const std::uint32_t first = *std::min_element(cycle.begin(), cycle.end());
    std::vector<Note> notes;
    for (const std::uint32_t member : cycle) {
      if (member == first || notes.size() == 5) continue;
      notes.push_back(
          {declarations[member]->name.place, fmt::format("'{}' is a part of the circle", declarations[member]->name.text)});
    }
    context_.error("E08", declarations[first]->name.place,
                   fmt::format("module '{}' is made from itself", declarations[first]->name.text), std::move(notes));
  }
  for (const std::uint32_t number : found.order) {
    const ModuleDecl& declaration = *declarations[number];
    named_[&declaration] = in_cycle[number] ? nullptr : evaluate(*declaration.module);
  }
}

bool Modules::spend(std::size_t items, Place place) {
  spent_ += items;
  if (spent_ > kMostItems && !is_exhausted_) {
    is_exhausted_ = true;
    context_.error("E67", place,
                   fmt::format("the modules are too large: more than {} bindings when all are written out", kMostItems));
  }
  return !is_exhausted_;
}

ModulePtr Modules::evaluate(const ModuleExpr& expr) {
  if (is_exhausted_) return nullptr;
  switch (expr.kind) {
    case ModuleKind::kPrimitive: return primitive(expr);
    case ModuleKind::kNamed: {
      const ModuleDecl* declaration = context_.global.modules.find(expr.names[0].text);
      if (declaration != nullptr) return named_[declaration];
      context_.not_found(expr.names[0], "module", nullptr, context_.global.modules);
      return nullptr;
    }
    case ModuleKind::kCompose:
    case ModuleKind::kUnion: return combination(expr);
    case ModuleKind::kHideEvents: return hiding_events(expr);
    case ModuleKind::kHideInterfaces: return hiding_interfaces(expr);
    case ModuleKind::kAssert: return assertion(expr);
    case ModuleKind::kRename: return renaming(expr);
    case ModuleKind::kMain: return evaluate(*expr.parts[0]);
  }
  return nullptr;
}

// ---- { M, N -> I }

void Modules::bind(Module& module, const Interface& interface, const Machine& machine) const {
  auto links = std::make_shared<std::vector<Module::Link>>();
  for (const Interface* created : machine.creates) links->push_back({created, created});
  module.bound.push_back({&interface, &machine, std::move(links)});
  module.creates.insert(module.creates.end(), machine.creates.begin(), machine.creates.end());
}

void Modules::finish_primitive(Module& module) const {
  sort_unique(module.creates);
  std::vector<const EventSet*> sends, receives;  // few different sets, even with many machines
  for (const Module::Bound& one : module.bound) {
    if (sends.empty() || sends.back() != one.machine->send_set) sends.push_back(one.machine->send_set);
    if (receives.empty() || receives.back() != one.machine->receive_set) receives.push_back(one.machine->receive_set);
  }
  const auto together = [&](const std::vector<const EventSet*>& sets) {
    EventSet all;
    for (const EventSet* set : sets) add_events(all, *set);
    return context_.types().events(std::move(all));
  };
  module.sends = together(sends);
  module.receives = together(receives);
  module.private_events = context_.types().events({});
}

ModulePtr Modules::of_all_machines() {
  auto module = std::make_shared<Module>();
  for (const Machine* machine : context_.program.machines) {
    if (!machine->is_monitor()) bind(*module, *machine->own_interface, *machine);
  }
  finish_primitive(*module);
  return module;
}

ModulePtr Modules::primitive(const ModuleExpr& expr) {
  auto module = std::make_shared<Module>();
  std::unordered_map<const Interface*, Place> first;
  bool is_known = true;
  std::size_t items = 0;
  for (const Binding& binding : expr.bindings) {
    const Machine* machine = context_.global.machines.find(binding.machine.text);
    if (machine == nullptr || machine->is_monitor()) {
      context_.not_found(binding.machine, "machine", nullptr, context_.global.machines);
      is_known = false;
      continue;
    }
    const bool is_own = binding.interface.text.empty();
    const Name& name = is_own ? binding.machine : binding.interface;
    const Interface* interface = is_own ? machine->own_interface : context_.global.interfaces.find(name.text);
    if (interface == nullptr) {
      context_.not_found(name, "interface", nullptr, context_.global.interfaces);
      is_known = false;
      continue;
    }
    const auto [at, is_new] = first.try_emplace(interface, name.place);
    if (!is_new) {
      context_.error("E43", name.place, fmt::format("interface '{}' is bound already in this module", name.text),
                     {{at->second, fmt::format("'{}' is bound here first", name.text)}});
      continue;
    }
    if (!context_.sets_broken && !machine->receive_set->includes(*interface->receive_set)) {
      const EventSet missing = difference(*interface->receive_set, *machine->receive_set);
      context_.error("E44", name.place,
                     fmt::format("interface '{}' receives '{}', but machine '{}' does not", name.text,
                                 context_.program.events[missing.members()[0]]->name.text, machine->name.text),
                     {{interface->name.place, fmt::format("'{}' is declared here", interface->name.text)},
                      {machine->name.place, fmt::format("'{}' is declared here", machine->name.text)}});
    } else if (!assignable(machine->payload, interface->payload)) {
      context_.error("E45", name.place,
                     fmt::format("interface '{}' is created with '{}', but the constructor of '{}' takes '{}'", name.text,
                                 type_text(interface->payload), machine->name.text, type_text(machine->payload)),
                     {{interface->name.place, fmt::format("'{}' is declared here", interface->name.text)},
                      {machine->name.place, fmt::format("'{}' is declared here", machine->name.text)}});
    }
    bind(*module, *interface, *machine);
    items += 1 + machine->creates.size();
  }
  if (!is_known || !spend(items, expr.place)) return nullptr;
  finish_primitive(*module);
  return module;
}

// ---- assert S in A

ModulePtr Modules::assertion(const ModuleExpr& expr) {
  const ModulePtr inner = evaluate(*expr.parts[0]);
  auto module = std::make_shared<Module>(inner ? *inner : Module{});
  auto interfaces = std::make_shared<std::vector<const Interface*>>();
  for (const Module::Bound& one : module->bound) interfaces->push_back(one.interface);
  for (const Name& name : expr.names) {
    const Machine* monitor = context_.global.machines.find(name.text);
    if (monitor == nullptr) {
      context_.not_found(name, "spec or scenario", nullptr, context_.global.machines);
      continue;
    }
    if (!monitor->is_monitor()) {
      context_.error("E46", name.place, fmt::format("'{}' is a machine, and only a spec or scenario can be asserted", name.text),
                     declared_here(monitor->name));
      continue;
    }
    if (inner == nullptr) continue;
    const auto before = std::find_if(module->monitors.begin(), module->monitors.end(),
                                     [&](const Module::Attached& one) { return one.monitor == monitor; });
    if (before != module->monitors.end()) {
      context_.error("E48", name.place, fmt::format("'{}' is attached to this module already", name.text),
                     {{before->place, fmt::format("'{}' is attached here first", name.text)}});
      continue;
    }
    if (!context_.sets_broken && !module->sends->includes(*monitor->observe_set)) {
      const EventSet missing = difference(*monitor->observe_set, *module->sends);
      context_.error("E47", name.place,
                     fmt::format("'{}' observes '{}', but no machine of this module sends that", name.text,
                                 context_.program.events[missing.members()[0]]->name.text),
                     declared_here(monitor->name));
    }
    module->monitors.push_back({monitor, name.place, interfaces});
  }
  if (inner == nullptr || !spend(module->bound.size() * 2 + module->monitors.size(), expr.place)) return nullptr;
  return module;
}

// ---- hidei I in A, rename I to J in A

ModulePtr Modules::hiding_interfaces(const ModuleExpr& expr) {
  ModulePtr inner = evaluate(*expr.parts[0]);
  for (const Name& name : expr.names) {
    const Interface* interface = context_.global.interfaces.find(name.text);
    if (interface == nullptr) {
      context_.not_found(name, "interface", nullptr, context_.global.interfaces);
      continue;
    }
    if (inner == nullptr || context_.creates_broken) continue;
    if (!spend(inner->bound.size(), expr.place)) return nullptr;
    const bool created = creates(*inner, *interface);
    if (created && binds(*inner, *interface)) continue;
    context_.error(
        "E57", name.place,
        fmt::format("'{}' cannot be hidden: nothing in this module {}", name.text, created ? "is bound to it" : "creates it"),
        declared_here(interface->name));
  }
  return inner;
}

ModulePtr Modules::renaming(const ModuleExpr& expr) {
  const ModulePtr inner = evaluate(*expr.parts[0]);
  const Interface* from = context_.global.interfaces.find(expr.names[0].text);
  const Interface* to = context_.global.interfaces.find(expr.names[1].text);
  if (from == nullptr) context_.not_found(expr.names[0], "interface", nullptr, context_.global.interfaces);
  if (to == nullptr) context_.not_found(expr.names[1], "interface", nullptr, context_.global.interfaces);
  if (inner == nullptr || from == nullptr || to == nullptr || !spend(inner->bound.size() * 2 + inner->creates.size(), expr.place))
    return nullptr;
  const auto occurs = [&](const Interface& interface) { return creates(*inner, interface) || binds(*inner, interface); };
  if (!context_.sets_broken && from->receive_set != to->receive_set) {
    context_.error(
        "E58", expr.names[1].place,
        fmt::format("'{}' cannot be renamed to '{}': they do not receive the same events", from->name.text, to->name.text),
        {{from->name.place, fmt::format("'{}' is declared here", from->name.text)},
         {to->name.place, fmt::format("'{}' is declared here", to->name.text)}});
    return nullptr;
  }
  if (!context_.creates_broken && !occurs(*from)) {
    context_.error("E59", expr.names[0].place, fmt::format("'{}' is neither created nor bound in this module", from->name.text),
                   declared_here(from->name));
    return nullptr;
  }
  if (occurs(*to)) {
    context_.error("E60", expr.names[1].place, fmt::format("'{}' is created or bound in this module already", to->name.text),
                   declared_here(to->name));
    return nullptr;
  }
  const auto renamed = [&](const Interface* interface) { return interface == from ? to : interface; };
  auto module = std::make_shared<Module>(*inner);
  for (Module::Bound& one : module->bound) {
    one.interface = renamed(one.interface);
    if (std::none_of(one.links->begin(), one.links->end(), [&](const Module::Link& link) { return link.created == from; }))
      continue;
    auto links = std::make_shared<std::vector<Module::Link>>(*one.links);
    for (Module::Link& link : *links) link.created = renamed(link.created);
    one.links = std::move(links);
  }
  for (const Interface*& created : module->creates) created = renamed(created);
  sort_unique(module->creates);
  for (Module::Attached& attached : module->monitors) {
    auto interfaces = std::make_shared<std::vector<const Interface*>>(*attached.interfaces);
    std::transform(interfaces->begin(), interfaces->end(), interfaces->begin(), renamed);
    attached.interfaces = std::move(interfaces);
  }
  return module;
}

}  // namespace tarry::plang
