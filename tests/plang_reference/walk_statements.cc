// Statements of P, by the reference interpreter.
#include <algorithm>

#include "base/assert.h"
#include "tests/support/p_reference/walk.h"

namespace tarry::plang::reference {

Walk::Walk(Execution& execution, Instance& self, const Function& function, Values args, unsigned depth)
    : execution_(execution), self_(self), function_(function), depth_(depth), slots_(std::move(args)) {
  TARRY_ASSERT(slots_.size() == function.params.size());
  for (std::size_t i = slots_.size(); i < function.frame.size(); ++i) slots_.push_back(default_of(*function.frame[i]->type));
  result_ = default_of(*function.result);
}

Value Walk::run() {
  exec_all(function_.body);
  return result_;
}

Walk::Flow Walk::exec_all(const std::vector<StmtPtr>& body) {
  for (const StmtPtr& stmt : body) {
    const Flow flow = exec(*stmt);
    if (flow != Flow::kOn) return flow;
  }
  return Flow::kOn;
}

Walk::Flow Walk::exec(const Stmt& stmt) {
  execution_.burn_fuel(stmt.place);
  switch (stmt.kind) {
    case StmtKind::kBlock: return exec_all(stmt.body);
    case StmtKind::kAssert: exec_assert(stmt); break;
    case StmtKind::kPrint: execution_.log("print " + execution_.text(eval(*stmt.exprs[0]))); break;
    case StmtKind::kReturn:
      if (!stmt.exprs.empty()) result_ = eval(*stmt.exprs[0]);
      return Flow::kReturn;
    case StmtKind::kBreak: return Flow::kBreak;
    case StmtKind::kContinue: return Flow::kContinue;
    case StmtKind::kAssign: exec_assign(stmt); break;
    case StmtKind::kInsert: exec_insert(stmt); break;
    case StmtKind::kAdd: exec_add(stmt); break;
    case StmtKind::kRemove: exec_remove(stmt); break;
    case StmtKind::kWhile: return exec_while(stmt);
    case StmtKind::kForeach: return exec_foreach(stmt);
    case StmtKind::kIf:
      if (truth(*stmt.exprs[0])) return exec(*stmt.body[0]);
      return stmt.body.size() > 1 ? exec(*stmt.body[1]) : Flow::kOn;
    case StmtKind::kNew:
    case StmtKind::kCall: eval(*stmt.exprs[0]); break;
    case StmtKind::kRaise: exec_raise(stmt);
    case StmtKind::kSend: exec_send(stmt); break;
    case StmtKind::kAnnounce: exec_announce(stmt); break;
    case StmtKind::kGoto: exec_goto(stmt);
    case StmtKind::kReceive: return exec_receive(stmt);
    case StmtKind::kEmpty: break;
  }
  return Flow::kOn;
}

void Walk::exec_assert(const Stmt& stmt) {
  if (truth(*stmt.exprs[0])) return;
  std::string message;
  if (stmt.exprs.size() > 1) {
    Value text = eval(*stmt.exprs[1]);
    message = need<std::string>(text, stmt.place);
  }
  fail("R01", stmt.place, std::move(message));
}

Walk::Flow Walk::exec_while(const Stmt& stmt) {
  while (truth(*stmt.exprs[0])) {
    execution_.burn_fuel(stmt.place);
    const Flow flow = exec(*stmt.body[0]);
    if (flow == Flow::kBreak) break;
    if (flow == Flow::kReturn) return flow;
  }
  return Flow::kOn;
}

Walk::Flow Walk::exec_foreach(const Stmt& stmt) {
  const auto snapshot = elements_of(eval(*stmt.exprs[0]));
  if (!snapshot) fail("R12", stmt.place, "null is used as a collection");
  for (const Value& element : *snapshot) {
    variable(*stmt.variable) = checked(element, *stmt.variable->type, stmt.place);
    const Flow flow = exec(*stmt.body[0]);
    if (flow == Flow::kBreak) break;
    if (flow == Flow::kReturn) return flow;
  }
  return Flow::kOn;
}

/// No arguments: null; one: itself; several: their tuple.
Value Walk::payload_from(const std::vector<ExprPtr>& exprs, std::size_t first) {
  Values args;
  for (std::size_t i = first; i < exprs.size(); ++i) args.push_back(eval(*exprs[i]));
  if (args.empty()) return {Null{}};
  if (args.size() == 1) return std::move(args.front());
  return {Tuple{std::move(args)}};
}

void Walk::exec_send(const Stmt& stmt) {
  const Value target = eval(*stmt.exprs[0]);
  const Value event = eval(*stmt.exprs[1]);
  Value payload = payload_from(stmt.exprs, 2);
  execution_.send(machine(), target, event, std::move(payload), stmt.place);
}

void Walk::exec_announce(const Stmt& stmt) {
  const Value event = eval(*stmt.exprs[0]);
  const Value payload = payload_from(stmt.exprs, 1);
  execution_.announce(machine(), event, payload, stmt.place);
}

void Walk::exec_raise(const Stmt& stmt) {
  Value event = eval(*stmt.exprs[0]);
  Value payload = payload_from(stmt.exprs, 1);
  if (event.is_null()) fail("R04", stmt.place, "null is raised");
  throw Unwind{{need<const Event*>(event, stmt.place), nullptr, std::move(payload)}};
}

void Walk::exec_goto(const Stmt& stmt) { throw Unwind{{nullptr, stmt.state, payload_from(stmt.exprs, 0)}}; }

Walk::Flow Walk::exec_receive(const Stmt& stmt) {
  Message message = execution_.receive(machine(), stmt);
  const auto takes = [&](const ReceiveCase& c) {
    return std::find(c.events.begin(), c.events.end(), message.event) != c.events.end();
  };
  const auto taken = std::find_if(stmt.cases.begin(), stmt.cases.end(), takes);
  if (taken == stmt.cases.end()) throw Unwind{{message.event, nullptr, std::move(message.payload)}};  // halt
  for (const auto& local : taken->locals) variable(*local) = default_of(*local->type);
  for (const auto& param : taken->params) variable(*param) = checked(message.payload, *param->type, param->name.place);
  const Flow flow = exec_all(taken->body);
  return flow == Flow::kBreak ? Flow::kOn : flow;  // a break ends the case; `continue` is for the loop around it
}

std::optional<Request> run_handler(Execution& execution, Instance& self, const Function* function, const Value& payload) {
  if (function == nullptr) return std::nullopt;
  Values args;
  for (const auto& param : function->params) args.push_back(checked(payload, *param->type, param->name.place));
  std::optional<Request> out;
  try {
    Walk(execution, self, *function, std::move(args), 0).run();
  } catch (const Unwind& unwind) {
    out = unwind.request;
  }
  return out;
}

}  // namespace tarry::plang::reference
