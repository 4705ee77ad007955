// Statements: the table of section 3.6 of the language reference, one function per row.
#include <fmt/format.h>

#include "plang/sema/body.h"

namespace tarry::plang {

void BodyChecker::statements(std::vector<StmtPtr>& body) {
  for (const StmtPtr& stmt : body) statement(*stmt);
}

void BodyChecker::statement(Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kBlock: return statements(stmt.body);
    case StmtKind::kAssert: return assertion(stmt);
    case StmtKind::kPrint: {
      const Type* type = expression(*stmt.exprs[0]);
      expect(basic(TypeKind::kString), type, stmt.exprs[0]->start, "the text to print");
      return;
    }
    case StmtKind::kReturn: return returning(stmt);
    case StmtKind::kBreak:
    case StmtKind::kContinue: return leaving_loop(stmt);
    case StmtKind::kAssign: return assignment(stmt);
    case StmtKind::kInsert: return insertion(stmt);
    case StmtKind::kAdd: return addition(stmt);
    case StmtKind::kRemove: return removal(stmt);
    case StmtKind::kWhile: return loop(stmt);
    case StmtKind::kForeach: return foreach (stmt);
    case StmtKind::kIf: return conditional(stmt);
    case StmtKind::kNew: return creation(stmt);
    case StmtKind::kCall: expression(*stmt.exprs[0]); return;
    case StmtKind::kRaise: return raising(stmt);
    case StmtKind::kSend: return sending(stmt);
    case StmtKind::kAnnounce: return announcing(stmt);
    case StmtKind::kGoto: return going(stmt);
    case StmtKind::kReceive: return receiving(stmt);
    case StmtKind::kEmpty: return;
  }
}

void BodyChecker::assertion(Stmt& stmt) {
  expect_bool(*stmt.exprs[0], "the assertion");
  if (stmt.exprs.size() < 2) return;
  const Type* message = expression(*stmt.exprs[1]);
  expect(basic(TypeKind::kString), message, stmt.exprs[1]->start, "the message");
}

void BodyChecker::returning(Stmt& stmt) {
  const Type* found = stmt.exprs.empty() ? context_.no_value() : expression(*stmt.exprs[0]);
  const Place place = stmt.exprs.empty() ? stmt.place : stmt.exprs[0]->start;
  if (cases_ == 0 && has_result()) {
    expect(function_.result, found, place, fmt::format("the result of '{}'", function_.name.text), &function_.name);
    return;
  }
  if (assignable(context_.no_value(), found)) return;
  const std::string who = cases_ > 0                 ? "a receive case"
                          : function_.is_anonymous() ? "a handler without name"
                                                     : fmt::format("'{}'", function_.name.text);
  context_.error("E22", place, fmt::format("{} returns no value, found '{}'", who, type_text(found)));
}

/// Checks break and continue. In a receive case `break` ends the case, so it needs no loop.
void BodyChecker::leaving_loop(const Stmt& stmt) const {
  const bool is_break = stmt.kind == StmtKind::kBreak;
  if (loops_ > 0 || (is_break && cases_ > 0)) return;
  context_.error("E41", stmt.place, fmt::format("'{}' is in no loop of this function", is_break ? "break" : "continue"));
}

// ---- Variables and collections.

const Type* BodyChecker::lvalue(Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName: {
      expr.variable = find_variable(expr.name.text);
      if (expr.variable == nullptr) {
        value_not_found(expr.name, "variable");
        return expr.type = context_.poison();
      }
      if (expr.variable->kind == Variable::Kind::kGlobalParam) {
        context_.error("E06", expr.name.place,
                       fmt::format("'{}' is a global param: its value comes from the test and cannot change", expr.name.text),
                       declared_here(expr.variable->name));
        return expr.type = context_.poison();
      }
      return expr.type = expr.variable->type;
    }
    case ExprKind::kField: return expr.type = field(expr, lvalue(*expr.args[0]));
    case ExprKind::kItem: return expr.type = item(expr, lvalue(*expr.args[0]));
    case ExprKind::kIndex: {
      const Type* of = lvalue(*expr.args[0]);
      const Type* by = expression(*expr.args[1]);
      if (of->kind != TypeKind::kSet) return expr.type = index(expr, of, by);
      context_.error("E22", expr.place,
                     fmt::format("an element of '{}' cannot be replaced; remove it and add another", type_text(of)));
      return expr.type = context_.poison();
    }
    default: return expr.type = expression(expr);  // the parser makes no other kinds
  }
}

namespace {

/// Returns the variable at the root of an lvalue.
const Expr& root_of(const Expr& expr) {
  const Expr* at = &expr;
  while (!at->args.empty()) at = at->args[0].get();
  return *at;
}

std::string target_text(const Expr& expr) {
  return fmt::format("{}'{}'", expr.kind == ExprKind::kName ? "" : "this part of ", root_of(expr).name.text);
}

}  // namespace

void BodyChecker::assignment(Stmt& stmt) {
  const Type* target = lvalue(*stmt.exprs[0]);
  const Type* value = expression(*stmt.exprs[1]);
  const Variable* variable = root_of(*stmt.exprs[0]).variable;
  expect(target, value, stmt.exprs[1]->start, target_text(*stmt.exprs[0]), variable == nullptr ? nullptr : &variable->name);
}

void BodyChecker::insertion(Stmt& stmt) {
  const Type* target = lvalue(*stmt.exprs[0]);
  const Type* at = expression(*stmt.exprs[1]);
  const Type* value = expression(*stmt.exprs[2]);
  if (target->kind == TypeKind::kSeq) {
    expect(basic(TypeKind::kInt), at, stmt.exprs[1]->start, "the position");
    expect(target->parts[0], value, stmt.exprs[2]->start, "the element");
  } else if (target->kind == TypeKind::kMap) {
    expect(target->parts[0], at, stmt.exprs[1]->start, "the key");
    expect(target->parts[1], value, stmt.exprs[2]->start, "the value");
  } else if (target->kind != TypeKind::kError) {
    const std::string_view hint = target->kind == TypeKind::kSet ? "; add one element with '+= (element)'" : "";
    context_.error("E22", stmt.exprs[0]->start,
                   fmt::format("expected a seq or map to insert into, but {} is '{}'{}", target_text(*stmt.exprs[0]),
                               type_text(target), hint));
  }
}

void BodyChecker::addition(Stmt& stmt) {
  const Type* target = lvalue(*stmt.exprs[0]);
  const Type* value = expression(*stmt.exprs[1]);
  if (target->kind == TypeKind::kSet) {
    expect(target->parts[0], value, stmt.exprs[1]->start, "the element");
    return;
  }
  if (target->kind == TypeKind::kError) return;
  const std::string_view hint = target->kind == TypeKind::kSeq   ? "; insert with '+= (position, element)'"
                                : target->kind == TypeKind::kMap ? "; insert with '+= (key, value)'"
                                                                 : "";
  context_.error("E22", stmt.exprs[0]->start,
                 fmt::format("expected a set to add to, but {} is '{}'{}", target_text(*stmt.exprs[0]), type_text(target), hint));
}

void BodyChecker::removal(Stmt& stmt) {
  const Type* target = lvalue(*stmt.exprs[0]);
  const Type* value = expression(*stmt.exprs[1]);
  const Place place = stmt.exprs[1]->start;
  switch (target->kind) {
    case TypeKind::kError: return;
    case TypeKind::kSeq: expect(basic(TypeKind::kInt), value, place, "the position"); return;
    case TypeKind::kMap: expect(target->parts[0], value, place, "the key"); return;
    case TypeKind::kSet: expect(target->parts[0], value, place, "the element"); return;
    default:
      context_.error("E22", stmt.exprs[0]->start,
                     fmt::format("expected a seq, set or map to remove from, but {} is '{}'", target_text(*stmt.exprs[0]),
                                 type_text(target)));
  }
}

// ---- Control.

void BodyChecker::loop(Stmt& stmt) {
  expect_bool(*stmt.exprs[0], "the condition");
  ++loops_;
  statements(stmt.body);
  --loops_;
}

void BodyChecker::conditional(Stmt& stmt) {
  expect_bool(*stmt.exprs[0], "the condition");
  statements(stmt.body);
}

void BodyChecker::foreach (Stmt& stmt) {
  const Type* collection = expression(*stmt.exprs[0]);
  const Type* element = context_.poison();
  if (collection->kind == TypeKind::kSeq || collection->kind == TypeKind::kSet) {
    element = collection->parts[0];
  } else if (collection->kind != TypeKind::kError) {
    const std::string_view hint = collection->kind == TypeKind::kMap ? "; go through 'keys(...)' or 'values(...)'" : "";
    context_.error("E22", stmt.exprs[0]->start,
                   fmt::format("expected a seq or set to go through, found '{}'{}", type_text(collection), hint));
  }
  stmt.variable = find_variable(stmt.name.text);
  if (stmt.variable == nullptr) {
    value_not_found(stmt.name, "variable");
  } else if (stmt.variable->kind == Variable::Kind::kGlobalParam) {
    context_.error("E06", stmt.name.place,
                   fmt::format("'{}' is a global param, so it cannot go through a collection", stmt.name.text),
                   declared_here(stmt.variable->name));
  } else if (!same_type(stmt.variable->type, element)) {
    context_.error("E22", stmt.name.place,
                   fmt::format("'{}' has to have the type of the elements, '{}', but is '{}'", stmt.name.text, type_text(element),
                               type_text(stmt.variable->type)),
                   declared_here(stmt.variable->name));
  }
  ++loops_;
  statements(stmt.body);
  --loops_;
}

void BodyChecker::creation(Stmt& stmt) {
  Expr& expr = *stmt.exprs[0];
  forbid_in_monitor("E36", expr.start, "'new'");
  expr.type = new_machine(expr);
}

// ---- Events.

void BodyChecker::event_and_payload(Stmt& stmt, std::size_t event, std::string_view verb) {
  Expr& expr = *stmt.exprs[event];
  const Type* type = expression(expr);
  const Event* known = expr.kind == ExprKind::kHalt ? context_.program.events[kHaltEvent] : expr.event;
  if (known != nullptr) {
    check_payload(known->payload, stmt.exprs, event + 1, expr.start, fmt::format("'{}' carries", known->name.text),
                  declared_here(known->name));
    return;
  }
  if (expr.kind == ExprKind::kNull) context_.error("E33", expr.start, fmt::format("'null' is no event that one can {}", verb));
  else expect(basic(TypeKind::kEvent), type, expr.start, "the event");
  for (std::size_t i = event + 1; i < stmt.exprs.size(); ++i) expression(*stmt.exprs[i]);
}

void BodyChecker::report_with_result(std::string_view id, Place place, std::string_view what) const {
  if (!has_result()) return;
  context_.error(
      id, place,
      fmt::format("'{}' has to return a value, so it cannot {}: that would leave it without one", function_.name.text, what),
      declared_here(function_.name));
}

void BodyChecker::raising(Stmt& stmt) {
  facts_.add(FunctionEffect::kRaise, stmt.place);
  report_with_result("E37", stmt.place, "raise");
  event_and_payload(stmt, 0, "raise");
}

void BodyChecker::sending(Stmt& stmt) {
  facts_.add(FunctionEffect::kSend, stmt.place);
  forbid_in_monitor("E35", stmt.place, "'send'");
  const Type* target = expression(*stmt.exprs[0]);
  expect(basic(TypeKind::kMachine), target, stmt.exprs[0]->start, "the target of the send");
  event_and_payload(stmt, 1, "send");
}

void BodyChecker::announcing(Stmt& stmt) {
  facts_.add(FunctionEffect::kAnnounce, stmt.place);
  forbid_in_monitor("E35", stmt.place, "'announce'");
  event_and_payload(stmt, 0, "announce");
}

void BodyChecker::going(Stmt& stmt) {
  facts_.add(FunctionEffect::kChangeState, stmt.place);
  report_with_result("E38", stmt.place, "go to a state");
  std::vector<const Type*> given;
  for (const ExprPtr& arg : stmt.exprs) given.push_back(expression(*arg));
  if (machine_ == nullptr) {
    context_.error("E07", stmt.name.place,
                   fmt::format("no state is named '{}' here: '{}' is a global function and belongs to no machine", stmt.name.text,
                               function_.name.text));
    return;
  }
  const MachineNames& names = context_.machine_names[machine_->index];
  stmt.state = names.states.find(stmt.name.text);
  if (stmt.state == nullptr) {
    context_.not_found(stmt.name, "state", machine_, names.states);
    return;
  }
  if (context_.broken_entries.contains(stmt.state)) return;
  const std::size_t wanted = stmt.state->entry == nullptr ? 0 : stmt.state->entry->params.size();
  if (wanted != given.size()) {
    context_.error(
        "E25", stmt.name.place,
        fmt::format("entry of state '{}' takes {}, but {} given", stmt.name.text, wanted == 0 ? "no value" : "one value",
                    given.empty()       ? "none is"
                    : given.size() == 1 ? "one is"
                                        : fmt::format("{} are", given.size())),
        declared_here(stmt.state->name));
    return;
  }
  if (wanted == 1)
    expect(stmt.state->entry->params[0]->type, given[0], stmt.exprs[0]->start,
           fmt::format("the entry of state '{}'", stmt.name.text), &stmt.state->name);
}

void BodyChecker::receiving(Stmt& stmt) {
  facts_.add(FunctionEffect::kReceive, stmt.place);
  forbid_in_monitor("E35", stmt.place, "'receive'");
  std::unordered_map<const Event*, Place> first;
  for (ReceiveCase& one : stmt.cases) receive_case(one, first);
}

void BodyChecker::receive_case(ReceiveCase& one, std::unordered_map<const Event*, Place>& first) {
  const std::size_t before = open_.size();
  ++cases_;
  for (const auto& param : one.params) declare(*param);
  for (const auto& local : one.locals) declare(*local);
  for (const Name& trigger : one.triggers) {
    const Event* event = context_.find_event(trigger);
    one.events.push_back(event);
    if (event == nullptr) continue;
    const auto [at, is_new] = first.try_emplace(event, trigger.place);
    if (is_new) {
      case_trigger(one, trigger, *event);
      continue;
    }
    context_.error("E42", trigger.place, fmt::format("this receive has a case of '{}' already", trigger.text),
                   {{at->second, fmt::format("the first case of '{}' is here", trigger.text)}});
  }
  statements(one.body);
  close_scope(before);
  --cases_;
}

void BodyChecker::case_trigger(const ReceiveCase& one, const Name& trigger, const Event& event) const {
  std::vector<Note> notes = declared_here(event.name);
  if (one.params.empty()) {
    if (assignable(context_.no_value(), event.payload)) return;
    context_.error("E22", trigger.place,
                   fmt::format("'{}' carries '{}', and a receive case has to take it; write '(value: {})' after the colon",
                               trigger.text, type_text(event.payload), type_text(event.payload)),
                   std::move(notes));
    return;
  }
  const Variable& param = *one.params[0];
  if (assignable(param.type, event.payload)) return;
  notes.push_back({param.name.place, fmt::format("parameter '{}' is declared here", param.name.text)});
  const std::string carried =
      event.payload->kind == TypeKind::kNull ? "carries no value" : fmt::format("carries '{}'", type_text(event.payload));
  context_.error("E22", trigger.place,
                 fmt::format("case of '{}' takes '{}', but '{}' {}", trigger.text, type_text(param.type), trigger.text, carried),
                 std::move(notes));
}

}  // namespace tarry::plang
