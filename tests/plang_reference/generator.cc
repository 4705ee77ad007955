// The declarations of random P programs: events, machines with their states, monitors, the test.
#include "tests/support/p_reference/generator.h"

#include <algorithm>

#include "tests/support/p_reference/generator_inside.h"

namespace tarry::plang::reference {

namespace gen {

std::size_t Plan::pick(std::initializer_list<unsigned> weights) {
  unsigned sum = 0;
  for (const unsigned weight : weights) sum += weight;
  auto at = static_cast<unsigned>(rng.below(sum));
  std::size_t out = 0;
  for (const unsigned weight : weights) {
    if (at < weight) break;
    at -= weight;
    ++out;
  }
  return out;
}

namespace {

class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, Flavour flavour) : plan_(seed) { plan_.choosing = flavour == Flavour::kChoosing; }

  std::string program() {
    static constexpr unsigned kRisks[] = {0, 4, 12, 30, 80};
    plan_.risk_permille = kRisks[plan_.below(5)];
    plan_.has_param = plan_.chance(8);
    plan_events();
    plan_machines();
    std::string out = "enum E { X = 5, Y = 3 }\n";
    if (plan_.has_param) out += "param gp: int;\n";
    for (const EventPlan& event : plan_.events) {
      out += "event " + event.name + (event.payload == Ty::kNone ? "" : ": " + std::string(text_of(event.payload))) + ";\n";
    }
    out += interfaces_;
    for (std::size_t i = plan_.below(3); i > 0; --i) out += global_function();
    // Later machines first is as good as any order: declarations may be used before they appear.
    for (MachinePlan& machine : plan_.machines) out += write_machine(machine);
    for (std::size_t i = plan_.pick({35, 45, 20}); i > 0; --i) out += write_monitor();
    return out + write_test();
  }

 private:
  void plan_events() {
    static constexpr Ty kPayloads[] = {Ty::kNone,   Ty::kNone, Ty::kInt,    Ty::kInt,    Ty::kBool, Ty::kMachine, Ty::kRecord,
                                       Ty::kRecord, Ty::kPair, Ty::kSeqInt, Ty::kSetInt, Ty::kAny,  Ty::kMapInt,  Ty::kEvent};
    const std::size_t count = 3 + plan_.below(4);
    for (std::size_t i = 0; i < count; ++i)
      plan_.events.push_back({"e" + std::to_string(i), kPayloads[plan_.below(std::size(kPayloads))]});
  }

  std::vector<Variable> plan_fields(std::size_t count, bool monitor) {
    static constexpr Ty kTypes[] = {Ty::kInt,    Ty::kInt,     Ty::kBool,   Ty::kSeqInt, Ty::kSetInt, Ty::kMapInt,
                                    Ty::kSetAny, Ty::kAny,     Ty::kSeqAny, Ty::kMapAny, Ty::kMapSeq, Ty::kPair,
                                    Ty::kRecord, Ty::kMachine, Ty::kEvent,  Ty::kEnum,   Ty::kFloat,  Ty::kString};
    std::vector<Variable> out;
    if (!monitor) out.push_back({"f0", Ty::kMachine});
    for (std::size_t i = 0; i < count; ++i) {
      const Ty type = kTypes[plan_.below(monitor ? 8 : std::size(kTypes))];
      out.push_back({"f" + std::to_string(out.size()), type});
    }
    return out;
  }

  void plan_machines() {
    static constexpr Ty kConstructors[] = {Ty::kNone, Ty::kMachine, Ty::kMachine, Ty::kMachine, Ty::kRecord, Ty::kInt};
    const std::size_t count = plan_.pick({0, 12, 40, 33, 15});
    for (std::size_t i = 0; i < count; ++i) {
      MachinePlan machine;
      machine.name = i == 0 ? "Main" : "M" + std::to_string(i);
      machine.number = i;
      machine.fields = plan_fields(1 + plan_.below(4), false);
      for (std::size_t e = 0; e < plan_.events.size(); ++e) machine.events.push_back(e);
      plan_states(machine, i == 0 ? Ty::kNone : kConstructors[plan_.below(std::size(kConstructors))]);
      plan_.creatables.push_back({machine.name, i, machine.states[0].entry});
      plan_.machines.push_back(std::move(machine));
    }
    if (count > 1 && plan_.chance(15)) {
      const std::size_t bound = 1 + plan_.below(count - 1);
      const Ty payload = plan_.machines[bound].states[0].entry;
      std::string receives = plan_.chance(40) ? "halt" : "";
      for (const EventPlan& event : plan_.events) {
        if (plan_.chance(92)) receives += (receives.empty() ? "" : ", ") + event.name;
      }
      interfaces_ = "interface I(" + std::string(text_of(payload)) + ") receives " + receives + ";\n";
      bindings_ = ", " + plan_.machines[bound].name + " -> I";
      plan_.creatables.push_back({"I", bound, payload});
      bound_ = bound;
    }
  }

  void plan_states(MachinePlan& machine, Ty constructor) {
    machine.states.push_back({"S0", constructor});
    for (std::size_t i = plan_.below(3); i > 0; --i) {
      const Ty entry = plan_.chance(65) ? Ty::kNone : plan_.chance(60) ? Ty::kAny : Ty::kInt;
      machine.states.push_back({"S" + std::to_string(machine.states.size()), entry});
    }
  }

  std::string global_function() {
    static constexpr Ty kResults[] = {Ty::kInt, Ty::kBool, Ty::kSeqInt, Ty::kNone};
    const MachinePlan nobody;
    const Ty result = kResults[plan_.below(4)];
    BodyWriter writer(plan_, nobody, {}, {{"p0", Ty::kInt}, {"p1", Ty::kMachine}});
    const std::string name = "g" + std::to_string(plan_.functions.size());
    const std::string body = writer.body(1 + plan_.below(3), result);
    plan_.functions.push_back({name, {Ty::kInt, Ty::kMachine}, result, false, writer.impure()});
    return "fun " + name + "(p0: int, p1: machine)" + (result == Ty::kNone ? "" : ": " + std::string(text_of(result))) + " " +
           body + "\n";
  }

  // ------------------------------------------------------------------------------------------------------------ machines

  std::string write_machine(MachinePlan& machine) {
    std::string functions;
    for (std::size_t i = plan_.below(4); i > 0; --i) functions += method(machine);
    std::string states;
    for (std::size_t i = 0; i < machine.states.size(); ++i) states += write_state(machine, i);
    return "machine " + machine.name + clauses(machine) + " {\n" + declared(machine) + functions + states + "}\n";
  }

  static std::string declared(const MachinePlan& machine) {
    std::string out = "  var fuel: int;\n";
    for (const Variable& field : machine.fields) out += "  var " + field.name + ": " + std::string(text_of(field.type)) + ";\n";
    return out;
  }

  /// `receives` and `sends`, rarely, and then of nearly all events. Main, and what is bound to an interface, receives everything.
  std::string clauses(const MachinePlan& machine) {
    std::string out;
    for (const char* clause : {" receives ", " sends "}) {
      if (machine.number == 0 || machine.number == bound_ || !plan_.chance(20)) continue;
      std::string names = "halt";
      for (const EventPlan& event : plan_.events) {
        if (plan_.chance(90)) names += ", " + event.name;
      }
      out += clause + names + ";";
      limited_.push_back(machine.number);
    }
    return out;
  }

  std::string method(MachinePlan& machine) {
    static constexpr Ty kResults[] = {Ty::kInt, Ty::kBool, Ty::kSeqInt, Ty::kNone, Ty::kNone, Ty::kNone, Ty::kMachine};
    static constexpr Ty kParams[] = {Ty::kInt, Ty::kAny, Ty::kSeqInt, Ty::kSetInt, Ty::kRecord};
    const Ty result = kResults[plan_.below(machine.is_monitor ? 4 : std::size(kResults))];
    std::vector<Variable> params;
    std::string written;
    for (std::size_t i = plan_.below(3); i > 0; --i) {
      params.push_back({"p" + std::to_string(params.size()), kParams[plan_.below(std::size(kParams))]});
      written += (written.empty() ? "" : ", ") + params.back().name + ": " + std::string(text_of(params.back().type));
    }
    const bool plain = result == Ty::kNone;
    BodyWriter writer(plan_, machine, {.unwind = plain, .block = !machine.is_monitor, .send_freely = false}, params);
    const std::string body = writer.body(1 + plan_.below(3), result);
    FunctionPlan function{"h" + std::to_string(machine.functions.size()), {}, result, writer.unwinds(), writer.impure()};
    for (const Variable& param : params) function.params.push_back(param.type);
    machine.functions.push_back(function);
    return "  fun " + function.name + "(" + written + ")" + (plain ? "" : ": " + std::string(text_of(result))) + " " + body +
           "\n";
  }

  /// Creates some of the machines that come later, keeps them, and writes to those that it knows.
  std::string births(const MachinePlan& machine) {
    std::string out;
    std::vector<std::string> places;
    for (const Variable& field : machine.fields) {
      if (field.type == Ty::kMachine) places.push_back(field.name);
      if (field.type == Ty::kRecord) places.push_back(field.name + ".b");
    }
    BodyWriter writer(plan_, machine, {.send_freely = true}, {});
    for (std::size_t i = 1 + plan_.below(2); i > 0; --i) {
      const std::string created = writer.creation();
      if (!created.empty()) out += plan_.one_of(places) + " = " + created + "; ";
    }
    for (std::size_t i = plan_.below(4); i > 0; --i) out += writer.send() + " ";
    return out;
  }

  std::string write_state(MachinePlan& machine, std::size_t number) {
    const StatePlan& state = machine.states[number];
    const bool start = number == 0;
    std::string out = std::string("  ") + (start ? "start " : "") + "state " + state.name + " {\n";
    if (start || state.entry != Ty::kNone || plan_.chance(55)) out += "    entry " + entry(machine, state, start) + "\n";
    if (plan_.chance(18)) {
      out += "    exit " + BodyWriter(plan_, machine, {.block = plan_.chance(15)}, {}).body(1 + plan_.below(2)) + "\n";
    }
    for (const std::size_t event : machine.events) out += handler(machine, state, plan_.events[event]);
    if (plan_.chance(10)) out += halt_handler(machine);
    if (plan_.chance(10)) out += null_handler(machine);
    return out + "  }\n";
  }

  std::string entry(const MachinePlan& machine, const StatePlan& state, bool start) {
    std::vector<Variable> params;
    std::string param, first;
    if (state.entry != Ty::kNone) {
      params.push_back({"p", state.entry});
      param = "(p: " + std::string(text_of(state.entry)) + ") ";
      if (state.entry == Ty::kMachine) first = "f0 = p; ";
      if (state.entry == Ty::kRecord) first = "f0 = p.b; ";
    }
    if (start) first += births(machine);
    const Rights rights{.unwind = true, .block = true, .send_freely = start && plan_.chance(60)};
    return param +
           BodyWriter(plan_, machine, rights, params).body(start ? 2 + plan_.below(3) : 1 + plan_.below(2), Ty::kNone, first);
  }

  std::string handler(const MachinePlan& machine, const StatePlan& state, const EventPlan& event) {
    std::vector<std::string> targets;
    for (const StatePlan& target : machine.states) {
      if (takes(target.entry, event.payload)) targets.push_back(target.name);
    }
    switch (plan_.pick({60, targets.empty() ? 0u : 14u, 9, 14, plan_.dares(100) ? 1u : 0u})) {
      case 0: return "    on " + event.name + " do " + do_function(machine, event) + "\n";
      case 1: {
        const std::string head = "    on " + event.name + " goto " + plan_.one_of(targets);
        if (plan_.chance(70)) return head + ";\n";
        return head + " with " + handler_body(machine, event, {.block = plan_.chance(15)}, 1) + "\n";
      }
      case 2:
        if (machine.is_monitor) break;
        return "    defer " + event.name + ";\n";
      case 3: break;
      default: return "";
    }
    static_cast<void>(state);
    return "    ignore " + event.name + ";\n";
  }

  std::string do_function(const MachinePlan& machine, const EventPlan& event) {
    for (const FunctionPlan& f : machine.functions) {
      const Ty param = f.params.empty() ? Ty::kNone : f.params[0];
      if (f.params.size() <= 1 && takes(param, event.payload) && plan_.chance(12)) return f.name + ";";
    }
    const Rights rights{.unwind = true, .block = !machine.is_monitor, .send_freely = false};
    return handler_body(machine, event, rights, 1 + plan_.below(3));
  }

  std::string handler_body(const MachinePlan& machine, const EventPlan& event, Rights rights, std::size_t statements) {
    std::vector<Variable> params;
    std::string param;
    if (event.payload != Ty::kNone && plan_.chance(85)) {
      params.push_back({"p", plan_.chance(10) ? Ty::kAny : event.payload});
      param = "(p: " + std::string(text_of(params[0].type)) + ") ";
    }
    return param + BodyWriter(plan_, machine, rights, params).body(statements);
  }

  std::string halt_handler(const MachinePlan& machine) {
    switch (plan_.below(4)) {
      case 0: return machine.is_monitor ? "" : "    defer halt;\n";
      case 1: return "    ignore halt;\n";
      case 2:
        if (takes(machine.states.back().entry, Ty::kNone)) return "    on halt goto " + machine.states.back().name + ";\n";
        [[fallthrough]];
      default: return "    on halt do " + BodyWriter(plan_, machine, {.unwind = true, .block = true}, {}).body(1) + "\n";
    }
  }

  std::string null_handler(const MachinePlan& machine) {
    const std::string end = plan_.chance(85) ? "fuel = fuel + 1; if (fuel > 3) { raise halt; } " : "";
    const Rights rights{.unwind = true, .block = true, .send_freely = false};
    return "    on null do " + BodyWriter(plan_, machine, rights, {}).body(1, Ty::kNone, end) + "\n";
  }

  // ------------------------------------------------------------------------------------------------------------ monitors

  std::string write_monitor() {
    MachinePlan monitor;
    monitor.name = "P" + std::to_string(monitors_.size());
    monitor.is_monitor = true;
    monitor.fields = plan_fields(1 + plan_.below(2), true);
    for (std::size_t e = 0; e < plan_.events.size(); ++e) {
      if (plan_.chance(45)) monitor.events.push_back(e);
    }
    if (monitor.events.empty()) monitor.events.push_back(0);
    plan_states(monitor, Ty::kNone);
    const bool scenario = plan_.chance(8);
    if (!scenario) monitors_.push_back(monitor.name);
    std::string observed;
    for (const std::size_t event : monitor.events) observed += (observed.empty() ? "" : ", ") + plan_.events[event].name;
    std::string functions;
    if (plan_.chance(40)) functions = method(monitor);
    std::string states;
    for (std::size_t i = 0; i < monitor.states.size(); ++i) states += monitor_state(monitor, i);
    if (scenario) monitor.name = "Seen";
    if (scenario && seen_) return "";
    seen_ = seen_ || scenario;
    return (scenario ? "scenario " : "spec ") + monitor.name + " observes " + observed + " {\n" + declared(monitor) + functions +
           states + "}\n";
  }

  std::string monitor_state(const MachinePlan& monitor, std::size_t number) {
    const StatePlan& state = monitor.states[number];
    const bool start = number == 0 && !(plan_.risk() && plan_.chance(15));
    static constexpr const char* kTemperatures[] = {"", "", "cold ", "hot ", "hot "};
    const char* temperature = kTemperatures[plan_.below(number == 0 ? 3 : 5)];
    std::string out = std::string("  ") + (start ? "start " : "") + temperature + "state " + state.name + " {\n";
    if (state.entry != Ty::kNone || plan_.chance(30)) {
      std::vector<Variable> params;
      if (state.entry != Ty::kNone) params.push_back({"p", state.entry});
      const std::string param = params.empty() ? "" : "(p: " + std::string(text_of(state.entry)) + ") ";
      out += "    entry " + param + BodyWriter(plan_, monitor, {.unwind = true}, params).body(1) + "\n";
    }
    if (plan_.chance(15)) out += "    exit " + BodyWriter(plan_, monitor, {}, {}).body(1) + "\n";
    for (const std::size_t event : monitor.events) out += handler(monitor, state, plan_.events[event]);
    return out + "  }\n";
  }

  std::string write_test() {
    std::string machines;
    for (const MachinePlan& machine : plan_.machines) machines += (machines.empty() ? "" : ", ") + machine.name;
    std::string attached;
    for (const std::string& monitor : monitors_) attached += (attached.empty() ? "" : ", ") + monitor;
    std::string module = "{ " + machines + bindings_ + " }";
    const std::size_t last = plan_.machines.size() - 1;
    const bool apart =
        last > 0 && bindings_.empty() && plan_.chance(15) && std::count(limited_.begin(), limited_.end(), last) == 0;
    if (!attached.empty() && apart) {
      const std::string others = machines.substr(0, machines.rfind(", "));
      module = "(union (assert " + attached + " in { " + plan_.machines[last].name + " }), { " + others + " })";
    } else if (!attached.empty()) {
      module = "assert " + attached + " in " + module;
    }
    const std::string param = plan_.has_param && plan_.chance(70) ? "param (gp in [2]) " : "";
    return "test " + param + "DefaultImpl [main = Main]: " + module + ";\n";
  }

  Plan plan_;
  std::string interfaces_, bindings_;
  std::size_t bound_ = SIZE_MAX;      // the machine that an interface is bound to
  std::vector<std::size_t> limited_;  // machines that do not send or receive everything
  std::vector<std::string> monitors_;
  bool seen_ = false;
};

}  // namespace

}  // namespace gen

std::string random_p_program(std::uint64_t seed, Flavour flavour) { return gen::ProgramWriter(seed, flavour).program(); }

}  // namespace tarry::plang::reference
