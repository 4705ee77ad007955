// Statements of random P programs.
#include "tests/support/p_reference/generator_inside.h"

namespace tarry::plang::reference::gen {

BodyWriter::BodyWriter(Plan& plan, const MachinePlan& machine, Rights rights, std::vector<Variable> params)
    : plan_(plan), machine_(machine), rights_(rights), scope_(machine.fields) {
  scope_.insert(scope_.end(), params.begin(), params.end());
}

std::string BodyWriter::body(std::size_t count, Ty result, const std::string& first) {
  static constexpr Ty kLocals[] = {Ty::kInt,    Ty::kInt,    Ty::kBool,   Ty::kAny,    Ty::kMachine,
                                   Ty::kEvent,  Ty::kSeqInt, Ty::kSetInt, Ty::kMapInt, Ty::kSeqAny,
                                   Ty::kMapSeq, Ty::kRecord, Ty::kPair,   Ty::kFloat,  Ty::kString};
  for (std::size_t i = plan_.below(3); i > 0; --i) {
    locals_.push_back({"l" + std::to_string(locals_.size()), kLocals[plan_.below(std::size(kLocals))]});
    scope_.push_back(locals_.back());
  }
  std::string code = first + statements(count, 0);
  if (result != Ty::kNone) code += "return " + expr(result, 1) + "; ";
  std::string declarations;
  for (const Variable& local : locals_) declarations += "var " + local.name + ": " + std::string(text_of(local.type)) + "; ";
  return "{ " + declarations + code + "}";
}

std::string BodyWriter::statements(std::size_t count, unsigned depth) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += statement(depth) + " ";
  return out;
}

std::string BodyWriter::statement(unsigned depth) {
  const bool deep = depth >= kMostDepth;
  if (loops_ > 0 && plan_.chance(10)) return leave_loop();
  if (plan_.choosing && !machine_.is_monitor && !is_global() && plan_.chance(30)) return choosing(depth);
  switch (plan_.pick({18, 20, deep ? 0u : 9u, deep ? 0u : 6u, 7, 20, 4, 6, deep ? 0u : 5u, 5, 4, 3})) {
    case 0: return assignment();
    case 1: return update();
    case 2: return conditional(depth);
    case 3: return loop(depth);
    case 4: return assertion();
    case 5: return send();
    case 6: return announcement();
    case 7: return unwinding();
    case 8: return receive(depth);
    case 9: return call_statement();
    case 10: {
      const std::string created = creation();
      const std::vector<Variable> targets = of_type({Ty::kMachine});
      if (created.empty()) return assignment();
      return burning(targets.empty() ? created + ";" : plan_.one_of(targets).name + " = " + created + ";", 4);
    }
    default: return small_steps();
  }
}

/// A choice, what may fail after it, and what lies between two points.
std::string BodyWriter::choosing(unsigned depth) {
  impure_ = true;
  const std::string test = plan_.chance(50) ? "$" : cat({"choose(", std::to_string(2 + plan_.below(2)), ") == 1"});
  switch (plan_.pick({4, depth < kMostDepth ? 3u : 0u, 3, 3})) {
    case 0: return plan_.dares(60) ? cat({"if (", test, ") { assert false, \"chosen\"; }"}) : cat({"if (", test, ") { fuel = fuel + 1; }"});
    case 1: return cat({"if (", test, ") ", block(depth)});
    case 2: {
      const std::string created = creation();
      return created.empty() ? unwinding() : burning(created + ";", 3);
    }
    default: return unwinding();
  }
}

std::string BodyWriter::leave_loop() {
  return cat({"if (", expr(Ty::kBool, 2), ") { ", plan_.chance(50) ? "break" : "continue", "; }"});
}

std::string BodyWriter::small_steps() {
  if (plan_.chance(30)) return ";";
  return cat({"print format(\"{0} {1}\", ", expr(Ty::kAny, 1), ", ", expr(Ty::kInt, 1), ");"});
}

std::string BodyWriter::assignment() {
  if (scope_.empty()) return ";";
  const Variable& target = plan_.one_of(scope_);
  if (plan_.chance(30)) {
    switch (target.type) {
      case Ty::kPair:
        return plan_.chance(50) ? target.name + ".0 = " + expr(Ty::kInt, 0) + ";"
                                : target.name + ".1 = " + expr(Ty::kBool, 0) + ";";
      case Ty::kRecord:
        return plan_.chance(50) ? target.name + ".a = " + expr(Ty::kInt, 0) + ";"
                                : target.name + ".b = " + expr(Ty::kMachine, 0) + ";";
      default: break;
    }
  }
  return target.name + " = " + expr(target.type, 0) + ";";
}

std::string BodyWriter::update() {
  const auto candidates = of_type({Ty::kSeqInt, Ty::kSetInt, Ty::kMapInt, Ty::kSeqAny, Ty::kSetAny, Ty::kMapAny, Ty::kMapSeq});
  if (candidates.empty()) return assignment();
  const Variable target = plan_.one_of(candidates);
  switch (target.type) {
    case Ty::kSeqInt: return update_seq(target.name, Ty::kInt);
    case Ty::kSeqAny: return update_seq(target.name, Ty::kAny);
    case Ty::kSetInt:
      return target.name + (plan_.chance(65) ? " += (" + expr(Ty::kInt, 1) + ");" : " -= " + expr(Ty::kInt, 1) + ";");
    case Ty::kSetAny:
      if (plan_.risk()) return target.name + " += (" + expr(Ty::kAny, 0) + ");";
      return target.name + (plan_.chance(65) ? " += (" + expr(Ty::kInt, 1) + ");" : " -= " + expr(Ty::kAny, 1) + ";");
    default: return update_map(target);
  }
}

std::string BodyWriter::update_seq(const std::string& seq, Ty element) {
  const std::string value = expr(element, 1);
  const std::string at = std::to_string(plan_.below(3));
  if (plan_.risk()) {
    const std::string anywhere = expr(Ty::kInt, 2);
    switch (plan_.below(3)) {
      case 0: return seq + "[" + anywhere + "] = " + value + ";";
      case 1: return seq + " += (" + anywhere + ", " + value + ");";
      default: return seq + " -= " + anywhere + ";";
    }
  }
  switch (plan_.pick({4, 3, 3, 3})) {
    case 0: return seq + " += (sizeof(" + seq + "), " + value + ");";
    case 1: return seq + " += (0, " + value + ");";
    case 2: return "if (" + at + " < sizeof(" + seq + ")) { " + seq + "[" + at + "] = " + value + "; }";
    default: return "if (" + at + " < sizeof(" + seq + ")) { " + seq + " -= " + at + "; }";
  }
}

std::string BodyWriter::update_map(const Variable& map) {
  const Ty element = map.type == Ty::kMapInt ? Ty::kInt : map.type == Ty::kMapAny ? Ty::kAny : Ty::kSeqInt;
  const std::string key = plan_.chance(50) ? std::to_string(plan_.below(3)) : variable_or(Ty::kInt, "1");
  const std::string value = expr(element, 1);
  if (plan_.risk()) {
    if (map.type == Ty::kMapSeq && plan_.chance(60)) return map.name + "[" + key + "] += (0, " + expr(Ty::kInt, 1) + ");";
    return map.name + " += (" + key + ", " + value + ");";
  }
  switch (plan_.pick({5, 3, 3, map.type == Ty::kMapSeq ? 6u : 0u})) {
    case 0: return map.name + "[" + key + "] = " + value + ";";
    case 1: return map.name + " -= (" + expr(Ty::kInt, 1) + ");";
    case 2:
      return "if (!(" + key + " in " + map.name + ")) { " + map.name + " += (" + key + ", " + expr(element, kMostDepth + 1) +
             "); }";
    default:
      return "if (" + key + " in " + map.name + ") { " + map.name + "[" + key + "] += (0, " + std::to_string(plan_.below(9)) +
             "); }";
  }
}

std::string BodyWriter::conditional(unsigned depth) {
  const std::string head = cat({"if (", expr(Ty::kBool, 0), ") ", block(depth)});
  return plan_.chance(40) ? head + " else " + block(depth) : head;
}

std::string BodyWriter::loop(unsigned depth) {
  ++loops_;
  std::string out;
  if (plan_.chance(60)) {
    const Variable counter{"c" + std::to_string(counters_++), Ty::kInt};
    locals_.push_back(counter);  // not in scope: nobody else writes to it
    out = cat({counter.name, " = 0; while (", counter.name, " < ", std::to_string(1 + plan_.below(3)), ") { ", counter.name,
               " = " + counter.name, " + 1; ", statements(1 + plan_.below(2), depth + 1), "}"});
  } else {
    const bool any = plan_.chance(25);
    const Variable each{"x" + std::to_string(counters_++), any ? Ty::kAny : Ty::kInt};
    locals_.push_back(each);
    scope_.push_back(each);
    const std::string over =
        any ? variable_or(Ty::kSeqAny, "default(seq[any])") : expr(plan_.chance(50) ? Ty::kSeqInt : Ty::kSetInt, 1);
    out = "foreach (" + each.name + " in " + over + ") " + block(depth);
  }
  --loops_;
  return out;
}

std::string BodyWriter::assertion() {
  if (plan_.dares(12)) return cat({"assert ", expr(Ty::kBool, 0), ", format(\"x {0}\", ", expr(Ty::kAny, 1), ");"});
  const std::string x = expr(Ty::kInt, 1);
  switch (plan_.below(3)) {
    case 0: return "assert " + x + " < " + std::to_string(60 + plan_.below(60)) + ", \"grown\";";
    case 1: return "assert (" + x + " < 900) || true;";
    default: return "assert default(int) == 0, format(\"{0}\", " + risky_integer(0) + ");";
  }
}

std::string BodyWriter::burning(const std::string& statement, unsigned fuel) const {
  if (is_global() || rights_.send_freely) return statement;
  return "if (fuel < " + std::to_string(fuel) + ") { fuel = fuel + 1; " + statement + " }";
}

std::string BodyWriter::payload_args(Ty payload) {
  if (payload == Ty::kNone) return "";
  if (payload == Ty::kPair && plan_.chance(30)) return cat({", ", expr(Ty::kInt, 1), ", ", expr(Ty::kBool, 1)});
  return ", " + expr(payload, 1);
}

std::string BodyWriter::send() {
  if (machine_.is_monitor) return assignment();
  impure_ = true;
  const std::vector<Variable> peers = of_type({Ty::kMachine, Ty::kRecord});
  const bool to_self = !is_global() && (peers.empty() || plan_.chance(15));
  if (!to_self && peers.empty()) return assignment();
  const unsigned fuel = static_cast<unsigned>(5 + plan_.below(8));
  if (to_self) return burning(send_to("this"), fuel);
  const Variable& peer = plan_.one_of(peers);
  const std::string target = peer.type == Ty::kRecord ? peer.name + ".b" : peer.name;
  const std::string code = send_to(target);
  return burning(plan_.risk() ? code : "if (" + target + " != null) { " + code + " }", fuel);
}

std::string BodyWriter::send_to(const std::string& target) {
  if (plan_.chance(3)) return "send " + target + ", halt;";
  const std::vector<Variable> variables = of_type({Ty::kEvent});
  if (!variables.empty() && plan_.chance(6)) {
    const std::string& event = plan_.one_of(variables).name;
    const std::string payload =
        plan_.chance(60) ? ", " + expr(plan_.one_of(plan_.events).payload == Ty::kInt ? Ty::kInt : Ty::kAny, 1) : "";
    return plan_.risk() ? "send " + target + ", " + event + payload + ";"
                        : "if (" + event + " == " + plan_.events[0].name + ") { send " + target + ", " + event +
                              payload_args(plan_.events[0].payload) + "; }";
  }
  const EventPlan& event = plan_.one_of(plan_.events);
  if (plan_.risk() && plan_.chance(30)) return "send " + target + ", default(event);";
  return "send " + target + ", " + event.name + payload_args(event.payload) + ";";
}

std::string BodyWriter::announcement() {
  if (machine_.is_monitor) return update();
  impure_ = true;
  const EventPlan& event = plan_.one_of(plan_.events);
  return "announce " + event.name + payload_args(event.payload) + ";";
}

std::string BodyWriter::unwinding() {
  if (!rights_.unwind) return update();
  unwinds_ = true;
  const unsigned fuel = static_cast<unsigned>(5 + plan_.below(8));
  std::string code;
  if (plan_.chance(50) && !is_global()) {
    const StatePlan& target = plan_.one_of(machine_.states);
    code = "goto " + target.name + (target.entry == Ty::kNone ? "" : ", " + expr(target.entry, 1)) + ";";
  } else if (plan_.chance(machine_.is_monitor ? 0 : 12)) {
    code = "raise halt;";
  } else {
    const EventPlan& event = plan_.events[plan_.one_of(machine_.events)];
    code = "raise " + event.name + payload_args(event.payload) + ";";
  }
  // Always with fuel, whatever the rights: no scheduling point lies between two of them.
  return "if (fuel < " + std::to_string(fuel) + ") { fuel = fuel + 1; " + code + " }";
}

std::string BodyWriter::receive(unsigned depth) {
  if (!rights_.block || is_global() || machine_.is_monitor) return assignment();
  impure_ = true;
  std::vector<std::size_t> waited{plan_.below(plan_.events.size())};
  const EventPlan& first = plan_.events[waited[0]];
  while (plan_.chance(45)) {
    const std::size_t more = plan_.below(plan_.events.size());
    bool known = false;
    for (const std::size_t event : waited) known = known || event == more;
    if (!known) waited.push_back(more);
  }
  std::string cases;
  for (std::size_t i = 0; i < waited.size(); ++i) {
    std::vector<std::size_t> together{waited[i]};
    while (i + 1 < waited.size() && plan_.events[waited[i + 1]].payload == plan_.events[waited[i]].payload && plan_.chance(50)) {
      together.push_back(waited[++i]);
    }
    cases += receive_case(together, depth);
  }
  if (plan_.chance(3)) cases += "case halt: { " + statements(1, kMostDepth) + "} ";
  if (plan_.chance(2)) cases += "case null: { } ";
  const bool supplied = !plan_.dares(12);  // else only somebody else can end the wait
  return (supplied ? "send this, " + first.name + payload_args(first.payload) + "; " : "") + "receive { " + cases + "}";
}

std::string BodyWriter::receive_case(const std::vector<std::size_t>& events, unsigned depth) {
  std::string names;
  for (const std::size_t event : events) names += (names.empty() ? "" : ", ") + plan_.events[event].name;
  const Ty payload = plan_.events[events[0]].payload;
  const std::vector<Variable> outside = scope_;
  std::string param, local;
  if (payload != Ty::kNone) {
    const Variable variable{"q" + std::to_string(counters_++), plan_.chance(15) ? Ty::kAny : payload};
    param = "(" + variable.name + ": " + std::string(text_of(variable.type)) + ") ";
    scope_.push_back(variable);
  }
  if (plan_.chance(25)) {
    const Variable variable{"k" + std::to_string(counters_++), plan_.chance(50) ? Ty::kInt : Ty::kSetInt};
    local = "var " + variable.name + ": " + std::string(text_of(variable.type)) + "; ";
    scope_.push_back(variable);
  }
  std::string code = statements(1 + plan_.below(2), depth + 1);
  if (plan_.chance(10)) code += rights_.unwind ? "if (" + expr(Ty::kBool, 1) + ") { return; } " : "";
  scope_ = outside;
  return "case " + names + ": " + param + "{ " + local + code + "} ";
}

std::string BodyWriter::call_statement() {
  static constexpr Ty kResults[] = {Ty::kNone, Ty::kNone, Ty::kInt, Ty::kBool, Ty::kSeqInt};
  const std::vector<FunctionPlan> functions = callable(kResults[plan_.below(5)]);
  if (functions.empty()) return update();
  return call(plan_.one_of(functions), 0) + ";";
}

}  // namespace tarry::plang::reference::gen
