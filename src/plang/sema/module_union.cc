// union, compose, and hiding events, whose rules use the same sets.
//
// The rules compare every two operands. Each rule says that something in one operand is not in another. So it is enough to
// compare each operand with the union of the earlier ones. Only half-open interfaces (created but not bound, or the other way
// round) are decided per operand.
#include <fmt/format.h>

#include <algorithm>

#include "plang/sema/event_sets.h"
#include "plang/sema/modules.h"

namespace tarry::plang {

const EventSet* Modules::payload_permissions(const Event& event) {
  permissions_.resize(context_.program.events.size(), nullptr);
  const EventSet*& known = permissions_[event.index];
  if (known == nullptr) known = permissions(event.payload, context_.types());
  if (known == nullptr) known = context_.types().events({});
  return known;
}

EventSet Modules::permissions_of(const EventSet& events) {
  EventSet all;
  for (const std::uint32_t event : events.members()) add_events(all, *payload_permissions(*context_.program.events[event]));
  return all;
}

namespace {

bool is_by_index(const Interface* a, const Interface* b) { return a->index < b->index; }

std::vector<const Interface*> bound_interfaces(const Module& module) {
  std::vector<const Interface*> result;
  for (const Module::Bound& one : module.bound) result.push_back(one.interface);
  std::sort(result.begin(), result.end(), is_by_index);
  return result;
}

/// Returns the interfaces that are created but not bound, or bound but not created.
std::vector<const Interface*> half_open(const Module& module) {
  const std::vector<const Interface*> bound = bound_interfaces(module);
  std::vector<const Interface*> result;
  std::set_symmetric_difference(bound.begin(), bound.end(), module.creates.begin(), module.creates.end(),
                                std::back_inserter(result), is_by_index);
  return result;
}

}  // namespace

/// Builds one union or compose, operand by operand.
class Combination {
 public:
  Combination(Modules& modules, const ModuleExpr& expr) : modules_(modules), context_(modules.context_), expr_(expr) {}

  ModulePtr run() {
    bool is_known = true;
    for (const auto& part : expr_.parts) {
      const ModulePtr next = modules_.evaluate(*part);
      if (next == nullptr) is_known = false;
      else if (is_known && !add(*next, part->place)) is_known = false;
    }
    if (!is_known) return nullptr;
    result_.sends = context_.types().events(std::move(sends_));
    result_.receives = context_.types().events(std::move(receives_));
    result_.private_events = context_.types().events(std::move(private_));
    return std::make_shared<Module>(std::move(result_));
  }

 private:
  std::string event_name(const EventSet& set) const { return context_.program.events[set.members()[0]]->name.text; }

  bool add(const Module& next, Place place) {
    if (!modules_.spend(next.bound.size() + next.creates.size() + next.monitors.size() + 1, place)) return false;
    if (expr_.kind == ModuleKind::kCompose) check_compose(next, place);
    if (!check_private_events(next, place)) return false;
    for (const Module::Bound& one : next.bound) add_bound(one, place);
    for (const Module::Attached& one : next.monitors) add_monitor(one, place);
    std::vector<const Interface*> creates;
    std::set_union(result_.creates.begin(), result_.creates.end(), next.creates.begin(), next.creates.end(),
                   std::back_inserter(creates), is_by_index);
    result_.creates = std::move(creates);
    add_events(sends_, *next.sends);
    add_events(receives_, *next.receives);
    add_events(private_, *next.private_events);
    return modules_.spend(result_.creates.size(), place);
  }

  void add_bound(const Module::Bound& one, Place place) {
    const auto [at, is_new] = where_bound_.try_emplace(one.interface, place);
    if (is_new) {
      result_.bound.push_back(one);
      return;
    }
    context_.error("E49", place,
                   fmt::format("interface '{}' is bound in this module and in one before it", one.interface->name.text),
                   {{at->second, fmt::format("'{}' is bound here first", one.interface->name.text)}});
  }

  void add_monitor(const Module::Attached& one, Place place) {
    const auto [at, is_new] = where_attached_.try_emplace(one.monitor, place);
    if (is_new) {
      result_.monitors.push_back(one);
      return;
    }
    context_.error("E53", place,
                   fmt::format("'{}' is attached in this module and in one before it; assert it around the {} instead",
                               one.monitor->name.text, expr_.kind == ModuleKind::kUnion ? "union" : "composition"),
                   {{at->second, fmt::format("'{}' is attached here first", one.monitor->name.text)}});
  }

  void check_compose(const Module& next, Place place) const {
    const EventSet sent = intersection(sends_, *next.sends);
    if (!sent.empty() && !context_.sets_broken)
      context_.error("E54", place,
                     fmt::format("'{}' is sent by this module and by one before it, which 'compose' forbids; use 'union'",
                                 event_name(sent)));
    std::vector<const Interface*> created;
    std::set_intersection(result_.creates.begin(), result_.creates.end(), next.creates.begin(), next.creates.end(),
                          std::back_inserter(created), is_by_index);
    if (!created.empty() && !context_.creates_broken)
      context_.error("E55", place,
                     fmt::format("'{}' is created by this module and by one before it, which 'compose' forbids; use 'union'",
                                 created[0]->name.text));
  }

  /// Returns false only if the message list is full.
  bool check_private_events(const Module& next, Place place) {
    const bool is_first = where_bound_.empty() && half_open_.empty();
    if (context_.sets_broken || context_.creates_broken) return true;
    EventSet hidden = private_;
    add_events(hidden, *next.private_events);
    for (const Interface* interface : half_open(next)) half_open_.push_back({interface, place});
    if (is_first || hidden.empty()) return true;
    if (!modules_.spend(2 * context_.program.events.size() + half_open_.size(), place)) return false;
    EventSet own = *next.sends, before = sends_;
    add_events(own, *next.receives);
    add_events(before, receives_);
    report(intersection(*next.private_events, before), intersection(private_, own), "E50", place, "is sent or received");
    report(intersection(*next.private_events, modules_.permissions_of(before)),
           intersection(private_, modules_.permissions_of(own)), "E51", place, "is among the permissions of a payload");
    for (const auto& [interface, where] : half_open_) {
      const EventSet received = intersection(hidden, *interface->receive_set);
      if (received.empty()) continue;
      context_.error(
          "E52", where,
          fmt::format(
              "'{}' is hidden, but machines outside can send it through '{}', which is not both created and bound in this module",
              event_name(received), interface->name.text),
          {{interface->name.place, fmt::format("'{}' is declared here", interface->name.text)}});
      break;
    }
    return true;
  }

  void report(const EventSet& hidden_here, const EventSet& hidden_before, std::string_view id, Place place,
              std::string_view what) const {
    if (!hidden_here.empty())
      context_.error(id, place,
                     fmt::format("'{}' is hidden in this module, but {} in one before it", event_name(hidden_here), what));
    else if (!hidden_before.empty())
      context_.error(
          id, place,
          fmt::format("'{}' is hidden in a module before this one, but {} in this one", event_name(hidden_before), what));
  }

  Modules& modules_;
  SemaContext& context_;
  const ModuleExpr& expr_;
  Module result_;
  EventSet sends_, receives_, private_;
  std::unordered_map<const Interface*, Place> where_bound_;
  std::unordered_map<const Machine*, Place> where_attached_;
  std::vector<std::pair<const Interface*, Place>> half_open_;
};

ModulePtr Modules::combination(const ModuleExpr& expr) { return Combination(*this, expr).run(); }

// ---- hidee e in A

ModulePtr Modules::hiding_events(const ModuleExpr& expr) {
  const ModulePtr inner = evaluate(*expr.parts[0]);
  EventSet hidden;
  std::vector<std::pair<const Name*, const Event*>> found;
  for (const Name& name : expr.names) {
    const Event* event = context_.find_event(name);
    if (event == nullptr) continue;
    add_event(hidden, event->index);
    found.emplace_back(&name, event);
  }
  if (inner == nullptr || found.size() != expr.names.size()) return nullptr;
  const std::size_t work = found.size() * (inner->bound.size() + inner->creates.size() + context_.program.events.size());
  if (!spend(work + inner->bound.size() + inner->creates.size(), expr.place)) return nullptr;
  for (const auto& [name, event] : found) check_hidden(*inner, *name, *event, hidden);
  auto module = std::make_shared<Module>(*inner);
  EventSet all_private = *inner->private_events;
  add_events(all_private, hidden);
  module->sends = context_.types().events(difference(*inner->sends, hidden));
  module->receives = context_.types().events(difference(*inner->receives, hidden));
  module->private_events = context_.types().events(std::move(all_private));
  return module;
}

void Modules::check_hidden(const Module& module, const Name& name, const Event& event, const EventSet& hidden) {
  if (context_.sets_broken || context_.creates_broken) return;
  const auto refuse = [&](const std::string& why, std::vector<Note> notes = {}) {
    context_.error("E56", name.place, fmt::format("'{}' cannot be hidden: {}", name.text, why), std::move(notes));
  };
  if (!module.sends->contains(event.index)) return refuse("no machine of this module sends it");
  if (!module.receives->contains(event.index)) return refuse("no machine of this module receives it");
  for (const Interface* interface : half_open(module)) {
    if (!interface->receive_set->contains(event.index)) continue;
    return refuse(fmt::format("'{}' receives it and is not both created and bound in this module", interface->name.text),
                  {{interface->name.place, fmt::format("'{}' is declared here", interface->name.text)}});
  }
  EventSet others = *module.sends;
  add_events(others, *module.receives);
  for (const std::uint32_t other : difference(others, hidden).members()) {
    const Event& carrier = *context_.program.events[other];
    if (payload_permissions(carrier)->contains(event.index))
      return refuse(fmt::format("the payload of '{}' lets its receiver send it", carrier.name.text), declared_here(carrier.name));
  }
  std::vector<const Interface*> all = bound_interfaces(module);
  all.insert(all.end(), module.creates.begin(), module.creates.end());
  for (const Interface* interface : all) {
    const EventSet* permitted = permissions(interface->payload, context_.types());
    if (permitted != nullptr && permitted->contains(event.index))
      return refuse(fmt::format("the constructor of '{}' gets what lets it send it", interface->name.text),
                    declared_here(interface->name));
  }
}

}  // namespace tarry::plang
