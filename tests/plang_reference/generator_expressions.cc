// Expressions of random P programs. Everything is in parentheses, so that precedence never matters.
#include "tests/support/p_reference/generator_inside.h"

namespace tarry::plang::reference::gen {

std::string_view text_of(Ty type) {
  switch (type) {
    case Ty::kNone: return "";
    case Ty::kInt: return "int";
    case Ty::kBool: return "bool";
    case Ty::kFloat: return "float";
    case Ty::kString: return "string";
    case Ty::kEnum: return "E";
    case Ty::kEvent: return "event";
    case Ty::kMachine: return "machine";
    case Ty::kAny: return "any";
    case Ty::kSeqInt: return "seq[int]";
    case Ty::kSetInt: return "set[int]";
    case Ty::kMapInt: return "map[int, int]";
    case Ty::kSeqAny: return "seq[any]";
    case Ty::kSetAny: return "set[any]";
    case Ty::kMapAny: return "map[int, any]";
    case Ty::kMapSeq: return "map[int, seq[int]]";
    case Ty::kPair: return "(int, bool)";
    case Ty::kRecord: return "(a: int, b: machine)";
  }
  return "";
}

std::vector<Variable> BodyWriter::of_type(std::initializer_list<Ty> types) const {
  std::vector<Variable> out;
  for (const Variable& variable : scope_) {
    for (const Ty type : types) {
      if (variable.type == type) out.push_back(variable);
    }
  }
  return out;
}

std::string BodyWriter::variable_or(Ty type, const std::string& otherwise) {
  const std::vector<Variable> candidates = of_type({type});
  return candidates.empty() || plan_.chance(8) ? otherwise : plan_.one_of(candidates).name;
}

std::vector<FunctionPlan> BodyWriter::callable(Ty result) const {
  std::vector<FunctionPlan> out;
  for (const auto* functions : {&machine_.functions, static_cast<const std::vector<FunctionPlan>*>(&plan_.functions)}) {
    for (const FunctionPlan& f : *functions) {
      if (f.result == result && (rights_.unwind || !f.unwinds) && !(machine_.is_monitor && f.impure)) out.push_back(f);
    }
  }
  return out;
}

std::string BodyWriter::call(const FunctionPlan& function, unsigned depth) {
  std::string args;
  for (const Ty param : function.params) args += (args.empty() ? "" : ", ") + expr(param, depth + 1);
  unwinds_ = unwinds_ || function.unwinds;
  impure_ = impure_ || function.impure;
  return function.name + "(" + args + ")";
}

std::string BodyWriter::expr(Ty type, unsigned depth) {
  const std::vector<FunctionPlan> functions = callable(type);
  if (!functions.empty() && depth <= kMostDepth && plan_.chance(8)) return call(plan_.one_of(functions), depth);
  switch (type) {
    case Ty::kInt: return integer(depth);
    case Ty::kBool: return boolean(depth);
    case Ty::kMachine: return machine_reference(depth);
    case Ty::kAny: return anything(depth);
    case Ty::kFloat:
    case Ty::kString:
    case Ty::kEnum:
    case Ty::kEvent:
    case Ty::kPair:
    case Ty::kRecord: return scalar(type, depth);
    default: return collection(type, depth);
  }
}

std::string BodyWriter::integer(unsigned depth) {
  const std::string literal = std::to_string(plan_.below(4));
  if (plan_.risk() && depth <= kMostDepth) return risky_integer(depth);
  if (depth > kMostDepth) return variable_or(Ty::kInt, literal);
  switch (plan_.pick({12, 30, 16, 8, 5, 4, 6, 3, 2})) {
    case 0: return plan_.has_param && plan_.chance(20) ? "gp" : literal;
    case 2: {
      static constexpr const char* kOperators[] = {" + ", " - ", " * "};
      return cat({"(", integer(depth + 1), kOperators[plan_.below(3)], integer(depth + 1), ")"});
    }
    case 3: {
      const auto candidates =
          of_type({Ty::kSeqInt, Ty::kSetInt, Ty::kMapInt, Ty::kSeqAny, Ty::kSetAny, Ty::kMapAny, Ty::kMapSeq});
      return candidates.empty() ? literal : "sizeof(" + plan_.one_of(candidates).name + ")";
    }
    case 4: {
      const auto candidates = of_type({Ty::kPair, Ty::kRecord});
      if (candidates.empty()) return literal;
      const Variable& chosen = plan_.one_of(candidates);
      return chosen.name + (chosen.type == Ty::kPair ? ".0" : ".a");
    }
    case 5: return "(" + expr(Ty::kEnum, depth + 1) + " to int)";
    case 6:
      if (machine_.is_monitor) return literal;
      impure_ = true;
      return "choose(" + std::to_string(plan_.below(4)) + ")";
    case 7: return cat({"(", integer(depth + 1), (plan_.chance(50) ? " / 2)" : " % 3)")});
    case 8: return "(-" + integer(depth + 1) + ")";
    default: return variable_or(Ty::kInt, literal);
  }
}

std::string BodyWriter::risky_integer(unsigned depth) {
  const std::string i = integer(kMostDepth + 1);
  switch (plan_.below(9)) {
    case 0: return variable_or(Ty::kSeqInt, "default(seq[int])") + "[" + i + "]";
    case 1: return variable_or(Ty::kMapInt, "default(map[int, int])") + "[" + i + "]";
    case 2: return variable_or(Ty::kSetInt, "default(set[int])") + "[" + i + "]";
    case 3: return "keys(" + variable_or(Ty::kMapInt, "default(map[int, int])") + ")[" + i + "]";
    case 4: return "(" + variable_or(Ty::kAny, "(true as any)") + " as int)";
    case 5: return "(" + integer(depth + 1) + " / " + i + ")";
    case 6: return "(" + integer(depth + 1) + " % " + i + ")";
    case 7: return "(" + variable_or(Ty::kAny, "((z = 1, b = 2) as any)") + " as (a: int, b: machine)).a";
    default: break;
  }
  if (machine_.is_monitor) return i;
  impure_ = true;
  switch (plan_.below(3)) {
    case 0: return "choose(" + variable_or(Ty::kSetInt, "default(set[int])") + ")";
    case 1: return "choose(" + variable_or(Ty::kSeqInt, "default(seq[int])") + ")";
    default: return "choose(" + i + " - 1)";
  }
}

std::string BodyWriter::boolean(unsigned depth) {
  if (depth > kMostDepth) return variable_or(Ty::kBool, plan_.chance(50) ? "true" : "false");
  switch (plan_.pick({5, 15, 30, 10, 8, 6, 6, 8, 5, 4, 3})) {
    case 0: return plan_.chance(50) ? "true" : "false";
    case 2: {
      static constexpr const char* kOperators[] = {" < ", " > ", " <= ", " >= ", " == ", " != "};
      return cat({"(", integer(depth + 1), kOperators[plan_.below(6)], integer(depth + 1), ")"});
    }
    case 3: {
      const auto candidates = of_type({Ty::kSeqInt, Ty::kSetInt, Ty::kMapInt, Ty::kSeqAny, Ty::kSetAny, Ty::kMapAny});
      return candidates.empty() ? "true" : cat({"(", integer(depth + 1), " in ", plan_.one_of(candidates).name, ")"});
    }
    case 4: return "(!" + boolean(depth + 1) + ")";
    case 5: return cat({"(", boolean(depth + 1), (plan_.chance(50) ? " && " : " || "), boolean(depth + 1), ")"});
    case 6:
      if (machine_.is_monitor) return "false";
      impure_ = true;
      return plan_.chance(50) ? "$" : "choose()";
    case 7: {
      const Variable* any = scope_.empty() ? nullptr : &plan_.one_of(scope_);
      if (any == nullptr) return "true";
      return cat({"(", any->name, (plan_.chance(50) ? " == " : " != "), expr(any->type, depth + 1), ")"});
    }
    case 8: return cat({"(", expr(Ty::kAny, depth + 1), " == ", expr(Ty::kAny, depth + 1), ")"});
    case 9: return cat({"(", expr(Ty::kString, depth + 1), " < ", expr(Ty::kString, depth + 1), ")"});
    case 10: return cat({"(", expr(Ty::kFloat, depth + 1), " < ", expr(Ty::kFloat, depth + 1), ")"});
    default: return variable_or(Ty::kBool, "true");
  }
}

std::string BodyWriter::machine_reference(unsigned depth) {
  const bool has_this = !machine_.is_monitor && !is_global();
  const std::string self = has_this ? "this" : "default(machine)";
  if (plan_.risk() && plan_.chance(30)) return "(null as machine)";
  if (plan_.dares(14)) {
    if (has_this && plan_.chance(60)) return cat({"((this as machine) to ", plan_.one_of(plan_.creatables).name, ")"});
    if (plan_.risk())
      return cat({"(", variable_or(Ty::kMachine, "(" + self + " as machine)"), " to ", plan_.one_of(plan_.creatables).name, ")"});
  }
  if (depth <= 1 && plan_.chance(4)) {
    const std::string created = creation();
    if (!created.empty()) return created;
  }
  const std::vector<Variable> records = of_type({Ty::kRecord});
  if (!records.empty() && plan_.chance(15)) return plan_.one_of(records).name + ".b";
  return plan_.chance(45) ? self : variable_or(Ty::kMachine, self);
}

std::string BodyWriter::creation() {
  if (machine_.is_monitor || is_global()) return "";
  std::vector<Creatable> later;
  for (const Creatable& c : plan_.creatables) {
    if (c.machine > machine_.number) later.push_back(c);
  }
  if (later.empty()) return "";
  impure_ = true;
  const Creatable chosen = plan_.one_of(later);
  return "new " + chosen.name + "(" + (chosen.payload == Ty::kNone ? "" : expr(chosen.payload, kMostDepth)) + ")";
}

std::string BodyWriter::anything(unsigned depth) {
  if (depth > kMostDepth) return variable_or(Ty::kAny, "(null as any)");
  switch (plan_.pick({4, 10, 8, 4, 3, 3, 3, 3, 2, 2, 1})) {
    case 0: return "(null as any)";
    case 1: return variable_or(Ty::kAny, "(1 as any)");
    case 2: return "(" + expr(Ty::kInt, depth + 1) + " as any)";
    case 3: return "(" + expr(Ty::kBool, depth + 1) + " as any)";
    case 4: return "(" + expr(Ty::kEnum, depth + 1) + " as any)";
    case 5: return "(" + expr(Ty::kRecord, depth + 1) + " as any)";
    case 6: return "(" + expr(Ty::kSeqInt, depth + 1) + " as any)";
    case 7: return "(" + expr(Ty::kEvent, depth + 1) + " as any)";
    case 8: return "(" + expr(Ty::kPair, depth + 1) + " as any)";
    case 9: return "(" + expr(Ty::kMapInt, depth + 1) + " as any)";
    default: return cat({"((z = ", expr(Ty::kInt, depth + 1), ", b = ", expr(Ty::kInt, depth + 1), ") as any)"});
  }
}

std::string BodyWriter::collection(Ty type, unsigned depth) {
  const std::string empty = "default(" + std::string(text_of(type)) + ")";
  if (plan_.risk()) {
    if (plan_.chance(30)) return "(" + variable_or(Ty::kAny, "(null as any)") + " as " + std::string(text_of(type)) + ")";
    if (type == Ty::kSeqAny && plan_.chance(50)) return "values(" + variable_or(Ty::kMapAny, "default(map[int, any])") + ")";
    if (type == Ty::kSeqInt)
      return cat({variable_or(Ty::kMapSeq, "default(map[int, seq[int]])"), "[", integer(kMostDepth + 1), "]"});
  }
  if (depth <= kMostDepth && plan_.chance(25)) {
    switch (type) {
      case Ty::kSeqInt:
        return cat({(plan_.chance(50) ? "keys(" : "values("), variable_or(Ty::kMapInt, "default(map[int, int])"), ")"});
      case Ty::kSeqAny: return collection(Ty::kSeqInt, depth + 1);
      case Ty::kSetAny: return collection(Ty::kSetInt, depth + 1);
      case Ty::kMapAny: return collection(Ty::kMapInt, depth + 1);
      default: break;
    }
  }
  return variable_or(type, empty);
}

std::string BodyWriter::scalar(Ty type, unsigned depth) {
  const bool deep = depth > kMostDepth;
  switch (type) {
    case Ty::kFloat: {
      static constexpr const char* kLiterals[] = {"0.5", "1.5", "2.0", "0.0"};
      if (deep || plan_.chance(50)) return variable_or(type, kLiterals[plan_.below(4)]);
      if (plan_.chance(30)) return "(" + integer(depth + 1) + " to float)";
      static constexpr const char* kOperators[] = {" + ", " - ", " * ", " / "};
      return cat({"(", scalar(type, depth + 1), kOperators[plan_.below(4)], scalar(type, depth + 1), ")"});
    }
    case Ty::kString:
      if (deep || plan_.chance(40)) return variable_or(type, plan_.chance(50) ? "\"a\"" : "\"b{{}}\"");
      return "format(\"<{0}>\", " + expr(plan_.chance(50) ? Ty::kInt : Ty::kSetInt, depth + 1) + ")";
    case Ty::kEnum:
      if (plan_.risk()) return "(" + variable_or(Ty::kAny, "(2.5 as any)") + " as E)";
      return variable_or(type, plan_.chance(50) ? "X" : "Y");
    case Ty::kEvent:
      if (plan_.chance(5)) return "halt";
      return plan_.chance(40) ? plan_.one_of(plan_.events).name : variable_or(type, plan_.one_of(plan_.events).name);
    case Ty::kPair:
      if (plan_.risk()) return "(" + variable_or(Ty::kAny, "((1,) as any)") + " as (int, bool))";
      if (deep || plan_.chance(40)) return variable_or(type, "default((int, bool))");
      return cat({"(", expr(Ty::kInt, depth + 1), ", ", expr(Ty::kBool, depth + 1), ")"});
    default:
      if (plan_.risk()) return "(" + variable_or(Ty::kAny, "((z = 1, b = 2) as any)") + " as (a: int, b: machine))";
      if (deep || plan_.chance(30)) return variable_or(Ty::kRecord, "default((a: int, b: machine))");
      return cat({"(a = ", expr(Ty::kInt, depth + 1), ", b = ", expr(Ty::kMachine, depth + 1), ")"});
  }
}

}  // namespace tarry::plang::reference::gen
