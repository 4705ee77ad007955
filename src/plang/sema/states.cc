// States: start states, entry and exit functions, handlers by event, and whether handlers accept the payloads of events.
#include <fmt/format.h>

#include "plang/sema/phases.h"

namespace tarry::plang {
namespace {

/// Limit on the tables of all states together; no hand-written program needs more.
constexpr std::uint64_t kMostCells = 50'000'000;

enum class Role { kEntry, kExit, kHandler };

class StateFiller {
 public:
  explicit StateFiller(SemaContext& context) : context_(context) {}

  void run() {
    fills_tables_ = has_room_for_tables();
    for (const auto& machine : context_.program.tree.machines) fill_machine(*machine);
  }

 private:
  bool has_room_for_tables() const {
    std::uint64_t states = 0;
    for (const auto& machine : context_.program.tree.machines) states += machine->states.size();
    if (states * context_.program.events.size() <= kMostCells) return true;
    context_.error("E67", context_.program.machines.back()->name.place,
                   fmt::format("the program is too large: {} states times {} events, at most {} together are supported", states,
                               context_.program.events.size(), kMostCells));
    return false;
  }

  void fill_machine(Machine& machine) {
    machine_ = &machine;
    names_ = &context_.machine_names[machine.index];
    for (const auto& state : machine.states) fill_state(*state);
    find_start();
    find_payload();
    if (machine.kind == Machine::Kind::kScenario) warn_of_scenario();
  }

  void find_start() {
    for (const auto& state : machine_->states) {
      if (!state->is_start) continue;
      if (machine_->start == nullptr) {
        machine_->start = state.get();
        continue;
      }
      context_.error(
          "E14", state->name.place,
          fmt::format("'{}' is a second start state of '{}'; keep one 'start'", state->name.text, machine_->name.text),
          {{machine_->start->name.place, fmt::format("the first start state '{}' is here", machine_->start->name.text)}});
    }
    if (machine_->start == nullptr && !machine_->is_monitor())
      context_.error("E15", machine_->name.place,
                     fmt::format("machine '{}' has no start state; write 'start' before one of its states", machine_->name.text));
  }

  void find_payload() {
    machine_->payload = context_.no_value();
    const State* start = machine_->start;
    if (start == nullptr) {
      if (!machine_->is_monitor()) machine_->payload = context_.poison();
    } else if (context_.broken_entries.contains(start)) {
      machine_->payload = context_.poison();
    } else if (start->entry != nullptr && !start->entry->params.empty()) {
      machine_->payload = start->entry->params[0]->type;
    }
    if (machine_->own_interface != nullptr) {
      const std::size_t made = machine_->own_interface->index - context_.program.tree.interfaces.size();
      context_.program.made_interfaces[made]->payload = machine_->payload;
    }
  }

  void warn_of_scenario() {
    bool has_cold = false;
    for (const auto& state : machine_->states) has_cold = has_cold || state->temperature == Temperature::kCold;
    if (!has_cold)
      context_.diagnostics.warning(
          "W2", machine_->name.place,
          fmt::format("scenario '{}' has no cold state, so it can never be satisfied", machine_->name.text));
    if (machine_->start != nullptr && machine_->start->temperature == Temperature::kCold)
      context_.diagnostics.warning(
          "W3", machine_->start->name.place,
          fmt::format("the start state '{}' of scenario '{}' is cold: it is satisfied before anything happened",
                      machine_->start->name.text, machine_->name.text));
  }

  void fill_state(State& state) {
    report_second(state, state.entries, "E11", "entry");
    report_second(state, state.exits, "E12", "exit");
    if (!state.entries.empty()) state.entry = function_of(state.entries[0], Role::kEntry);
    if (!state.exits.empty()) state.exit = function_of(state.exits[0], Role::kExit);
    if (!state.entries.empty() && (state.entry == nullptr || state.entry->params.size() > 1))
      context_.broken_entries.insert(&state);
    for (std::size_t i = 1; i < state.entries.size(); ++i) function_of(state.entries[i], Role::kEntry);
    for (std::size_t i = 1; i < state.exits.size(); ++i) function_of(state.exits[i], Role::kExit);
    if (fills_tables_) state.table.resize(context_.program.events.size(), nullptr);
    std::unordered_map<const Event*, Place> first;
    for (Handler& handler : state.handlers) fill_handler(state, handler, first);
  }

  void report_second(const State& state, const std::vector<State::Body>& bodies, std::string_view id,
                     std::string_view what) const {
    for (std::size_t i = 1; i < bodies.size(); ++i)
      context_.error(id, bodies[i].place, fmt::format("state '{}' has an {} function already", state.name.text, what),
                     {{bodies[0].place, fmt::format("the first '{}' is here", what)}});
  }

  const Function* function_of(const State::Body& body, Role role) {
    if (body.inline_function == nullptr) return named_function(body.function_name, role);
    if (role == Role::kExit && !body.inline_function->params.empty()) report_exit_params(body.place, *body.inline_function);
    return body.inline_function.get();
  }

  /// Returns the function of the machine that `entry f;` and the like name, or null after an error.
  const Function* named_function(const Name& name, Role role) {
    const Function* function = names_->functions.find(name.text);
    if (function == nullptr || function->is_foreign) {
      const Function* other = function != nullptr ? function : context_.global.functions.find(name.text);
      if (other == nullptr) {
        context_.creates_broken = true;
        context_.not_found(name, "function", machine_, names_->functions);
      } else {
        context_.error("E20", name.place,
                       fmt::format("'{}' is a {} function, so it cannot be a handler; call it from a function of '{}'", name.text,
                                   other->is_foreign ? "foreign" : "global", machine_->name.text),
                       declared_here(other->name));
      }
      return nullptr;
    }
    if (role == Role::kExit && !function->params.empty()) {
      report_exit_params(name.place, *function);
    } else if (function->params.size() > 1) {
      context_.error(
          "E18", name.place,
          fmt::format("'{}' has {} parameters, but a handler gets at most one value", name.text, function->params.size()),
          declared_here(function->name));
    }
    return function;
  }

  void report_exit_params(Place place, const Function& function) const {
    context_.error("E19", place, "an exit function takes no parameter: there is no event that could give it a value",
                   {{function.params[0]->name.place, fmt::format("parameter '{}' is here", function.params[0]->name.text)}});
  }

  void fill_handler(State& state, Handler& handler, std::unordered_map<const Event*, Place>& first) {
    if (handler.kind == Handler::Kind::kDefer && machine_->is_monitor() && !handler.triggers.empty())
      context_.error(
          "E17", handler.triggers[0].place,
          fmt::format("'{}' is a monitor and cannot defer events: it has no queue; use 'ignore'", machine_->name.text));
    if (handler.inline_function) handler.function = handler.inline_function.get();
    else if (!handler.function_name.text.empty()) handler.function = named_function(handler.function_name, Role::kHandler);
    if (handler.kind == Handler::Kind::kGoto) {
      handler.target = names_->states.find(handler.target_name.text);
      if (handler.target == nullptr) context_.not_found(handler.target_name, "state", machine_, names_->states);
    }
    for (const Name& trigger : handler.triggers) {
      const Event* event = context_.find_event(trigger);
      handler.events.push_back(event);
      if (event != nullptr) add_trigger(state, handler, trigger, *event, first);
    }
  }

  void add_trigger(State& state, const Handler& handler, const Name& trigger, const Event& event,
                   std::unordered_map<const Event*, Place>& first) {
    const auto [at, is_new] = first.try_emplace(&event, trigger.place);
    if (!is_new) {
      context_.error("E13", trigger.place,
                     fmt::format("state '{}' says already what happens on '{}'; 'on', 'defer' and 'ignore' count together",
                                 state.name.text, trigger.text),
                     {{at->second, fmt::format("the first handler of '{}' is here", trigger.text)}});
      return;
    }
    if (fills_tables_) state.table[event.index] = &handler;
    if (!machine_->is_monitor()) return;
    if (event.index == kNullEvent) {
      context_.error(
          "E16", trigger.place,
          fmt::format("'{}' is a monitor and never gets the null event: it runs only when it observes one", machine_->name.text));
    } else if (!machine_->observe_set->contains(event.index) && !context_.sets_broken) {
      context_.diagnostics.warning("W1", trigger.place,
                                   fmt::format("'{}' does not observe '{}', so this handler runs only if it raises '{}' itself",
                                               machine_->name.text, trigger.text, trigger.text));
    }
  }

  SemaContext& context_;
  Machine* machine_ = nullptr;
  MachineNames* names_ = nullptr;
  bool fills_tables_ = true;
};

// ---- Parameters of handlers.

/// Returns whether a parameter accepts a payload. A tuple of one field may be passed as that field.
bool takes(const Type* param, const Type* payload) {
  return assignable(param, payload) ||
         (payload->kind == TypeKind::kTuple && payload->parts.size() == 1 && assignable(param, payload->parts[0]));
}

void check_function(const SemaContext& context, const Function* function, const Event& event, Place place, const std::string& role) {
  if (function == nullptr || function->params.size() != 1) return;
  const Variable& param = *function->params[0];
  if (takes(param.type, event.payload)) return;
  std::vector<Note> notes = declared_here(event.name);
  notes.push_back({param.name.place, fmt::format("parameter '{}' is declared here", param.name.text)});
  const std::string carried =
      event.payload->kind == TypeKind::kNull ? "carries no value" : fmt::format("carries '{}'", type_text(event.payload));
  context.error("E22", place, fmt::format("{} takes '{}', but '{}' {}", role, type_text(param.type), event.name.text, carried),
                std::move(notes));
}

void check_handler(const SemaContext& context, const Handler& handler) {
  for (std::size_t i = 0; i < handler.triggers.size(); ++i) {
    const Event* event = handler.events[i];
    if (event == nullptr) continue;
    const Name& trigger = handler.triggers[i];
    check_function(context, handler.function, *event, trigger.place, fmt::format("handler of '{}'", trigger.text));
    if (handler.target == nullptr || context.broken_entries.contains(handler.target)) continue;
    check_function(context, handler.target->entry, *event, handler.target_name.place,
                   fmt::format("entry of state '{}'", handler.target->name.text));
  }
}

}  // namespace

void fill_states(SemaContext& context) { StateFiller(context).run(); }

void check_handler_types(SemaContext& context) {
  for (const auto& machine : context.program.tree.machines) {
    for (const auto& state : machine->states) {
      for (const Handler& handler : state->handlers) check_handler(context, handler);
    }
  }
}

}  // namespace tarry::plang
