#include "plang/code/function_compiler.h"

namespace tarry::plang {

void FunctionCompiler::statements(const std::vector<StmtPtr>& list) {
  for (const StmtPtr& s : list) statement(*s);
}

void FunctionCompiler::finish(Place end) { emit(Op::kReturn, end); }

void FunctionCompiler::statement(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::kBlock: statements(s.body); break;
    case StmtKind::kAssert: assertion(s); break;
    case StmtKind::kPrint:
      value(*s.exprs[0]);
      emit(Op::kPrint, s.place);
      break;
    case StmtKind::kReturn:
      if (!s.exprs.empty()) copied(*s.exprs[0]);
      emit(s.exprs.empty() ? Op::kReturn : Op::kReturnValue, s.place);
      break;
    case StmtKind::kBreak: loops_.back().breaks.push_back(emit(Op::kJump, s.place)); break;
    case StmtKind::kContinue:
      for (std::size_t i = loops_.size(); i-- > 0;) {
        if (loops_[i].is_case) continue;
        emit(Op::kLoop, s.place, loops_[i].start);
        break;
      }
      break;
    case StmtKind::kAssign:
    case StmtKind::kInsert:
    case StmtKind::kAdd:
    case StmtKind::kRemove: change(s); break;
    case StmtKind::kWhile: loop(s); break;
    case StmtKind::kForeach: foreach(s); break;
    case StmtKind::kIf: branch(s); break;
    case StmtKind::kNew:
    case StmtKind::kCall:
      value(*s.exprs[0]);
      emit(Op::kPop, s.place);
      break;
    case StmtKind::kRaise:
    case StmtKind::kAnnounce:
      value(*s.exprs[0]);
      payload(s.exprs, 1, s.place);
      emit(s.kind == StmtKind::kRaise ? Op::kRaise : Op::kAnnounce, s.place);
      break;
    case StmtKind::kSend:
      value(*s.exprs[0]);
      value(*s.exprs[1]);
      payload(s.exprs, 2, s.place);
      emit(Op::kSend, s.place);
      break;
    case StmtKind::kGoto:
      payload(s.exprs, 0, s.place);
      emit(Op::kGoto, s.place, s.state->index, 0, s.exprs.empty() ? 0 : 1);
      break;
    case StmtKind::kReceive: receive(s); break;
    case StmtKind::kEmpty: break;
  }
}

void FunctionCompiler::assertion(const Stmt& s) {
  value(*s.exprs[0]);
  const std::uint32_t holds = emit(Op::kJumpIf, s.place);
  if (s.exprs.size() > 1) value(*s.exprs[1]);
  emit(Op::kFail, s.place, s.exprs.size() > 1 ? 1 : 0);
  land(holds);
}

namespace {

bool is_bare_variable(const Expr& e) { return e.kind == ExprKind::kName && e.variable != nullptr; }

}  // namespace

void FunctionCompiler::change(const Stmt& s) {
  const Expr& target = *s.exprs[0];
  if (s.kind == StmtKind::kAssign && target.kind == ExprKind::kName) {
    copied(*s.exprs[1]);
    store(*target.variable, s.place);
    return;
  }
  // The steps from the variable to the changed place, outermost last.
  std::vector<const Expr*> steps;
  const Expr* root = &target;
  for (; root->kind != ExprKind::kName; root = root->args[0].get()) steps.insert(steps.begin(), root);

  Path path;
  path.root = root->variable->kind == Variable::Kind::kLocal ? Path::Root::kLocal : Path::Root::kField;
  path.variable = root->variable->index;
  std::vector<std::size_t> late;  // parts whose index is read last
  for (const Expr* step : steps) {
    Path::Part part{.step = Path::Step::kItem};
    if (step->kind == ExprKind::kIndex) {
      part.step = step->args[0]->type->kind == TypeKind::kMap ? Path::Step::kMap : Path::Step::kSeq;
      if (is_bare_variable(*step->args[1])) {
        late.push_back(path.parts.size());
      } else {
        copied(*step->args[1]);
        part.number = path.operands++;
      }
    } else {
      part.number = static_cast<std::uint32_t>(step->number);
      if (step->kind == ExprKind::kField) {
        part.step = Path::Step::kNamedItem;
        part.shape = generator_.shape(step->args[0]->type->names);
        part.name = generator_.field_name(step->name.text);
      }
    }
    path.parts.push_back(part);
  }
  for (std::size_t i = 1; i < s.exprs.size(); ++i) copied(*s.exprs[i]);
  path.key = path.operands;
  path.value = path.operands + static_cast<std::uint32_t>(s.exprs.size()) - 2;
  path.operands += static_cast<std::uint32_t>(s.exprs.size()) - 1;
  for (const std::size_t part : late) {
    copied(*steps[part]->args[1]);
    path.parts[part].number = path.operands++;
  }

  const TypeKind kind = target.type->kind;
  Op op = Op::kAssign;
  if (s.kind == StmtKind::kInsert) op = kind == TypeKind::kMap ? Op::kInsertMap : Op::kInsertSeq;
  else if (s.kind == StmtKind::kAdd) op = Op::kAddSet;
  else if (s.kind == StmtKind::kRemove)
    op = kind == TypeKind::kMap ? Op::kRemoveMap : kind == TypeKind::kSet ? Op::kRemoveSet : Op::kRemoveSeq;
  const Type* changed = s.kind == StmtKind::kAssign ? steps.back()->args[0]->type : target.type;
  if (changed->kind == TypeKind::kMap || changed->kind == TypeKind::kSet) path.keeping = generator_.orders().of(changed);
  emit(op, s.place, generator_.path(std::move(path)));
}

void FunctionCompiler::loop(const Stmt& s) {
  loops_.push_back({.start = here(), .breaks = {}, .is_case = false});
  value(*s.exprs[0]);
  const std::uint32_t end = emit(Op::kJumpIfNot, s.place);
  statement(*s.body[0]);
  emit(Op::kLoop, s.place, loops_.back().start);
  land(end);
  for (const std::uint32_t jump : loops_.back().breaks) land(jump);
  loops_.pop_back();
}

void FunctionCompiler::foreach(const Stmt& s) {
  copied(*s.exprs[0]);
  constant(Value::small(0), s.place);
  loops_.push_back({.start = here(), .breaks = {}, .is_case = false});
  const std::uint32_t next = emit(Op::kForeach, s.place);
  check_element(s.variable->type, s.place);
  store(*s.variable, s.place);
  statement(*s.body[0]);
  emit(Op::kLoop, s.place, loops_.back().start);
  land(next);
  for (const std::uint32_t jump : loops_.back().breaks) land(jump);
  loops_.pop_back();
  emit(Op::kPop, s.place);
  emit(Op::kPop, s.place);
}

void FunctionCompiler::branch(const Stmt& s) {
  value(*s.exprs[0]);
  const std::uint32_t otherwise = emit(Op::kJumpIfNot, s.place);
  statement(*s.body[0]);
  if (s.body.size() == 1) {
    land(otherwise);
    return;
  }
  const std::uint32_t end = emit(Op::kJump, s.place);
  land(otherwise);
  statement(*s.body[1]);
  land(end);
}

void FunctionCompiler::receive(const Stmt& s) {
  ReceiveTable table;
  table.target.assign(generator_.event_count(), kNone);
  const std::uint32_t wait = emit(Op::kReceive, s.place);
  std::vector<std::uint32_t> ends;
  for (const ReceiveCase& c : s.cases) {
    for (const Event* event : c.events) table.target[event->index] = here();
    receive_case(c);
    ends.push_back(emit(Op::kJump, c.body_end));
  }
  for (const std::uint32_t end : ends) land(end);
  out_.code[wait].a = generator_.receive(std::move(table));
}

void FunctionCompiler::receive_case(const ReceiveCase& c) {
  if (c.params.empty()) emit(Op::kPop, c.place);
  else emit(Op::kBind, c.params[0]->name.place, c.params[0]->index, 0, c.params[0]->type->index);
  for (const auto& local : c.locals) {
    constant(generator_.default_of(local->type), local->name.place);
    emit(Op::kSetLocal, local->name.place, local->index);
  }
  loops_.push_back({.start = 0, .breaks = {}, .is_case = true});
  statements(c.body);
  for (const std::uint32_t jump : loops_.back().breaks) land(jump);
  loops_.pop_back();
}

}  // namespace tarry::plang
