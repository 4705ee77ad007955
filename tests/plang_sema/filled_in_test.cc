// What the checker fills in, as the compiler and the interpreter read it.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::compile_text;

class FilledIn : public testing::Test {
 protected:
  const CheckedProgram& checked(const std::string& text) {
    compiled_ = compile_text(text);
    EXPECT_NE(compiled_.program, nullptr) << compiled_.messages;
    return *compiled_.program;
  }

 private:
  Compiled compiled_;
};

TEST_F(FilledIn, EverythingIsNumbered) {
  const CheckedProgram& program = checked(R"(
    event a; event b; interface I() receives; machine M { var x: int; var y, z: bool; start state S { entry { } } state T {
      exit { } on a do { } } fun h() { } }
    spec P observes a { start state S { ignore a; } } machine N { start state S { } } param p: int; param q: bool; fun g() { })");
  ASSERT_EQ(program.events.size(), 4U);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(program.events[i]->index, i);
  EXPECT_EQ(program.events[kNullEvent]->name.text, "null");
  EXPECT_EQ(program.events[kHaltEvent]->name.text, "halt");
  EXPECT_EQ(program.events[2]->name.text, "a");
  ASSERT_EQ(program.interfaces.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(program.interfaces[i]->index, i);
  EXPECT_EQ(program.interfaces[1]->machine, program.machines[0]);
  EXPECT_EQ(program.machines[2]->own_interface, program.interfaces[2]);
  EXPECT_EQ(program.interfaces[0]->machine, nullptr);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(program.machines[i]->index, i);
  EXPECT_EQ(program.machines[0]->fields[2]->index, 2U);
  EXPECT_EQ(program.machines[0]->states[1]->index, 1U);
  EXPECT_EQ(program.machines[0]->states[1]->machine, program.machines[0]);
  EXPECT_EQ(program.machines[0]->start, program.machines[0]->states[0].get());
  EXPECT_EQ(program.params[1]->index, 1U);
  ASSERT_EQ(program.functions.size(), 5U);  // g, h, entry, exit, handler
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(program.functions[i]->index, i);
  EXPECT_EQ(program.functions[0]->owner, nullptr);
  EXPECT_EQ(program.functions[1]->name.text, "h");
  EXPECT_TRUE(program.functions[2]->is_anonymous());
  EXPECT_EQ(program.functions[4]->owner, program.machines[0]);
}

TEST_F(FilledIn, FramesHoldParametersThenLocalsThenThoseOfCases) {
  const CheckedProgram& program = checked(R"(
    event a: int; event b; fun f(p: int, q: bool): int { var x, y: string; receive { case a: (v: int) { var w: int; receive {
      case b: { var u: bool; } } } case b: { var x: float; x = 1.0; } } return p; })");
  const Function& function = *program.functions[0];
  std::string names;
  for (std::uint32_t i = 0; i < function.frame.size(); ++i) {
    EXPECT_EQ(function.frame[i]->index, i);
    EXPECT_NE(function.frame[i]->type, nullptr);
    names += function.frame[i]->name.text + ":" + type_text(function.frame[i]->type) + " ";
  }
  EXPECT_EQ(names, "p:int q:bool x:string y:string v:int w:int u:bool x:float ");
  EXPECT_EQ(function.result->kind, TypeKind::kInt);
  const Stmt& receive = *function.body[0];
  EXPECT_EQ(receive.cases[0].events[0], program.events[2]);
  const Stmt& assignment = *receive.cases[1].body[0];
  EXPECT_EQ(assignment.exprs[0]->variable, function.frame[7]);
}

TEST_F(FilledIn, NamesAreWhatTheyMean) {
  const CheckedProgram& program = checked(R"(
    event e; enum E { A = 4, B = 3 } param n: int; machine M { var x: int; start state S { entry { var y: any; y = A; y = e;
      y = x; y = n; y = f(1).second; y = new M(); goto S; } } }
    fun f(i: int): (first: bool, second: bool) { return (first = true, second = false); })");
  const Function& entry = *program.machines[0]->states[0]->entry;
  const auto value = [&](std::size_t i) -> const Expr& { return *entry.body[i]->exprs[1]; };
  EXPECT_EQ(value(0).element->number, 4);
  EXPECT_EQ(value(0).element->owner, program.tree.enums[0].get());
  EXPECT_EQ(value(0).type, program.tree.enums[0]->type);
  EXPECT_EQ(value(1).event, program.events[2]);
  EXPECT_EQ(value(1).variable, nullptr);
  EXPECT_EQ(value(2).variable, program.machines[0]->fields[0].get());
  EXPECT_EQ(value(3).variable, program.params[0]);
  EXPECT_EQ(value(4).number, 1);
  EXPECT_EQ(value(4).args[0]->function, program.functions[0]);
  EXPECT_EQ(value(5).interface, program.interfaces[0]);
  EXPECT_EQ(type_text(value(5).type), "M");
  EXPECT_EQ(entry.body[6]->state, program.machines[0]->states[0].get());
}

TEST_F(FilledIn, CastsKnowTheirTarget) {
  const CheckedProgram& program = checked(
      "type T = seq[int]; fun f(a: any) { var t: T; var x: int; t = a as T; t = default(T); x = 1.5 to int; foreach (x in t) { } "
      "}");
  const Function& function = *program.functions[0];
  const Type* sequence = program.tree.types[0]->type;
  EXPECT_EQ(type_text(sequence), "seq[int]");
  EXPECT_EQ(function.body[0]->exprs[1]->target, sequence);
  EXPECT_EQ(function.body[1]->exprs[1]->target, sequence);
  EXPECT_EQ(function.body[2]->exprs[1]->target, program.types.basic(TypeKind::kInt));
  EXPECT_EQ(function.body[3]->variable, function.frame[2]);
}

TEST_F(FilledIn, StatesHaveATableByEvent) {
  const CheckedProgram& program = checked(R"(
    event a; event b; machine M { start state S { entry f; exit { } on a, halt goto T with f; defer b; on null do f; }
      state T { entry (x: any) { } ignore a; } fun f() { } })");
  const State& first = *program.machines[0]->states[0];
  ASSERT_EQ(first.table.size(), 4U);
  EXPECT_EQ(first.table[kNullEvent]->kind, Handler::Kind::kDo);
  EXPECT_EQ(first.table[kHaltEvent], first.table[2]);
  EXPECT_EQ(first.table[2]->kind, Handler::Kind::kGoto);
  EXPECT_EQ(first.table[2]->target, program.machines[0]->states[1].get());
  EXPECT_EQ(first.table[2]->function, program.functions[0]);
  EXPECT_EQ(first.table[2]->events, (std::vector<const Event*>{program.events[2], program.events[1]}));
  EXPECT_EQ(first.table[3]->kind, Handler::Kind::kDefer);
  EXPECT_EQ(first.entry, program.functions[0]);
  EXPECT_EQ(first.exit, first.exits[0].inline_function.get());
  const State& second = *program.machines[0]->states[1];
  EXPECT_EQ(second.table[2]->kind, Handler::Kind::kIgnore);
  EXPECT_EQ(second.table[3], nullptr);
}

void expect_typed(const Expr& expr) {
  EXPECT_NE(expr.type, nullptr);
  EXPECT_NE(expr.type->kind, TypeKind::kError);
  for (const ExprPtr& arg : expr.args) expect_typed(*arg);
}

void expect_typed(const std::vector<StmtPtr>& body) {
  for (const StmtPtr& stmt : body) {
    for (const ExprPtr& expr : stmt->exprs) expect_typed(*expr);
    expect_typed(stmt->body);
    for (const ReceiveCase& one : stmt->cases) expect_typed(one.body);
  }
}

TEST_F(FilledIn, EveryExpressionHasAType) {
  const CheckedProgram& rich = checked(R"(
    event e: (int, any); fun f(m: machine, s: seq[(a: int, b: set[bool])], k: map[string, event]): bool { var x: int;
      var t: set[bool]; var r: map[int, int]; var v: event;
      s[x + 1].b += (!true && s[0].a < 3 || "a" in k); s[0].b -= $; r += (1, -2); r[sizeof(s)] = choose(3) % 2; s -= 0;
      send m, e, 1, null; send m, k["x"], keys(k), values(k)[0]; announce v, (1,);
      while (choose()) { if (x to float > 1.5) break; else { continue; } } foreach (x in keys(r)) {
      print format("{0} {1}", x, default(any)); } assert f(m, s, k) == false, "no" + "pe"; new M();
      receive { case e: (p: (int, any)) { x = p.0; print "x"; } } return choose(t) && t[0]; } machine M { start state S { } })");
  for (const Function* function : rich.functions) expect_typed(function->body);
}

}  // namespace
}  // namespace tarry::plang
