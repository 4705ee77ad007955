#include <gtest/gtest.h>

#include "plang/syntax/parser.h"
#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

TEST(Types, HaveAllTheForms) {
  EXPECT_EQ(type("seq[set[map[int, bool]]]"), "seq[set[map[int, bool]]]");
  EXPECT_EQ(type("(int)"), "(int)");
  EXPECT_EQ(type("(int, (float, string))"), "(int, (float, string))");
  EXPECT_EQ(type("(a: event, b: machine)"), "(a: event, b: machine)");
  EXPECT_EQ(type("(data, any, T)"), "(data, any, T)");
  EXPECT_EQ(type("(int,)"), "a.p:1:15: error: expected a type, found ')'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(type("(a: int,)"), "a.p:1:18: error: expected the name of a field, found ')'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(type("()"), "a.p:1:11: error: expected a type, found ')' [E01]\n");
  EXPECT_EQ(type("seq int"), "a.p:1:14: error: expected '[' before the type of the elements, found 'int' [E01]\n");
  EXPECT_EQ(type("map[int]"), "a.p:1:17: error: expected ',' between the types of keys and values, found ']' [E01]\n");
}

TEST(Declarations, OfTypesEventsAndSets) {
  const Parsed p = parsed(
      "type F; type T = int; event e; event f: (int, T); eventset s = { e, halt }; interface I() receives; "
      "interface J(T) receives e, halt; param a, b: int;");
  ASSERT_TRUE(p.ok()) << p.messages;
  ASSERT_EQ(p.tree.types.size(), 2u);
  EXPECT_EQ(p.tree.types[0]->name.text, "F");
  EXPECT_EQ(p.tree.types[0]->written, nullptr);
  EXPECT_EQ(text_of(*p.tree.types[1]->written), "int");
  ASSERT_EQ(p.tree.events.size(), 2u);
  EXPECT_EQ(p.tree.events[0]->written_payload, nullptr);
  EXPECT_EQ(text_of(*p.tree.events[1]->written_payload), "(int, T)");
  EXPECT_EQ(text_of(p.tree.event_sets[0]->members), "e, halt");
  ASSERT_EQ(p.tree.interfaces.size(), 2u);
  EXPECT_EQ(p.tree.interfaces[0]->written_payload, nullptr);
  EXPECT_TRUE(p.tree.interfaces[0]->receives.empty());
  EXPECT_EQ(text_of(*p.tree.interfaces[1]->written_payload), "T");
  EXPECT_EQ(text_of(p.tree.interfaces[1]->receives), "e, halt");
  ASSERT_EQ(p.tree.params.size(), 2u);
  EXPECT_EQ(p.tree.params[1]->kind, Variable::Kind::kGlobalParam);
  EXPECT_EQ(p.tree.params[0]->written_type, p.tree.params[1]->written_type);
}

TEST(Declarations, ElementsOfEnumsAllHaveNumbersOrNoneHas) {
  const Parsed p = parsed("enum A { X, Y, Z } enum B { U = 5, V = 3 } enum C { W }");
  ASSERT_TRUE(p.ok()) << p.messages;
  EXPECT_EQ(p.tree.enums[0]->elements[2]->number, 2);
  EXPECT_EQ(p.tree.enums[1]->elements[0]->number, 5);
  EXPECT_EQ(p.tree.enums[1]->elements[1]->number, 3);
  EXPECT_EQ(problems_of("enum A { X = 1, Y }"),
            "1:19: error: expected '=' after the element, found '}'; either all elements have a number or none has [E01]\n");
  EXPECT_EQ(
      problems_of("enum A { X, Y = 1 }"),
      "1:15: error: expected ',' or '}' after the element, found '='; either all elements have a number or none has [E01]\n");
  EXPECT_EQ(problems_of("enum A { X, }"),
            "1:13: error: expected the name of an element, found '}'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(problems_of("enum A { X; }"),
            "1:11: error: expected ',' or '}' after the element, found ';'; an enum holds no ';' [E01]\n");
  EXPECT_EQ(problems_of("enum A { }"), "1:10: error: expected the name of an element, found '}' [E01]\n");
  EXPECT_EQ(problems_of("enum A { X };"),
            "1:13: error: expected a declaration, found ';'; no ';' is written after a body [E01]\n");
  EXPECT_EQ(problems_of("enum A { X = -1 }"), "1:14: error: expected the number of the element, found '-' [E01]\n");
  EXPECT_EQ(problems_of("enum A { X = 2147483648 }"),
            "1:14: error: the number of the element is too large: expected at most 2147483647 [E10]\n");
}

TEST(Declarations, OfMachinesCollectTheirClauses) {
  const Parsed p = parsed(
      "machine A { } machine B receives; sends e; receives e, halt; { var x, y: int; fun f() { } start state S { } state T { } }"
      "spec M observes e, halt { start cold state S { } hot state T { } } scenario N observes e { }");
  ASSERT_TRUE(p.ok()) << p.messages;
  ASSERT_EQ(p.tree.machines.size(), 4u);
  EXPECT_FALSE(p.tree.machines[0]->has_receives || p.tree.machines[0]->has_sends);
  const Machine& b = *p.tree.machines[1];
  EXPECT_TRUE(b.has_receives && b.has_sends);
  EXPECT_EQ(text_of(b.receives), "e, halt");
  EXPECT_EQ(text_of(b.sends), "e");
  EXPECT_EQ(b.fields.size(), 2u);
  EXPECT_EQ(b.fields[1]->kind, Variable::Kind::kField);
  EXPECT_EQ(b.functions.size(), 1u);
  ASSERT_EQ(b.states.size(), 2u);
  EXPECT_TRUE(b.states[0]->is_start);
  EXPECT_FALSE(b.states[1]->is_start);
  const Machine& m = *p.tree.machines[2];
  EXPECT_EQ(m.kind, Machine::Kind::kSpec);
  EXPECT_EQ(text_of(m.observes), "e, halt");
  EXPECT_EQ(m.states[0]->temperature, Temperature::kCold);
  EXPECT_TRUE(m.states[0]->is_start);
  EXPECT_EQ(m.states[1]->temperature, Temperature::kHot);
  EXPECT_EQ(p.tree.machines[3]->kind, Machine::Kind::kScenario);
}

TEST(Declarations, OfStatesHaveAllTheItems) {
  const Parsed p = parsed(
      "machine M { start state _ { entry (p: int) { var a: int; } exit { } entry f; exit g; defer a, halt; ignore b; on a, b do "
      "f; "
      "on null do { } on halt do (x: int) { } on a goto T; on a goto T with { } on b goto T with (x: int) { } on c goto T with "
      "f; } }");
  ASSERT_TRUE(p.ok()) << p.messages;
  const State& s = *p.tree.machines[0]->states[0];
  ASSERT_EQ(s.entries.size(), 2u);
  EXPECT_EQ(s.entries[0].place.offset, 28u);
  ASSERT_NE(s.entries[0].inline_function, nullptr);
  EXPECT_TRUE(s.entries[0].inline_function->is_anonymous());
  EXPECT_EQ(s.entries[0].inline_function->name.place.offset, 34u);
  EXPECT_EQ(s.entries[0].inline_function->params.size(), 1u);
  EXPECT_EQ(s.entries[0].inline_function->locals.size(), 1u);
  EXPECT_EQ(s.entries[0].inline_function->body_end.offset, 57u);
  EXPECT_EQ(s.entries[1].function_name.text, "f");
  ASSERT_EQ(s.exits.size(), 2u);
  EXPECT_EQ(s.exits[1].function_name.text, "g");
  ASSERT_EQ(s.handlers.size(), 9u);
  EXPECT_EQ(s.handlers[0].kind, Handler::Kind::kDefer);
  EXPECT_EQ(text_of(s.handlers[0].triggers), "a, halt");
  EXPECT_EQ(s.handlers[1].kind, Handler::Kind::kIgnore);
  EXPECT_EQ(s.handlers[2].kind, Handler::Kind::kDo);
  EXPECT_EQ(text_of(s.handlers[2].triggers), "a, b");
  EXPECT_EQ(s.handlers[2].function_name.text, "f");
  EXPECT_EQ(text_of(s.handlers[3].triggers), "null");
  EXPECT_EQ(s.handlers[4].inline_function->params.size(), 1u);
  EXPECT_EQ(s.handlers[5].kind, Handler::Kind::kGoto);
  EXPECT_EQ(s.handlers[5].target_name.text, "T");
  EXPECT_EQ(s.handlers[5].inline_function, nullptr);
  EXPECT_NE(s.handlers[6].inline_function, nullptr);
  EXPECT_EQ(s.handlers[7].inline_function->params.size(), 1u);
  EXPECT_EQ(s.handlers[8].function_name.text, "f");
}

TEST(Declarations, OfFunctionsAreForeignWithoutABody) {
  const Parsed p = parsed(
      "fun a(); fun b(x: int): int; fun c() creates M; fun d(): bool creates M; fun e(x: int, y: (int)): int { return x; }"
      "fun f(x: int) fun g(x: int) return (r: bool); fun h()\nmachine M { fun i() var x: int; fun j() state S { } fun k() }");
  ASSERT_TRUE(p.ok()) << p.messages;
  ASSERT_EQ(p.tree.functions.size(), 8u);
  for (const auto& function : p.tree.functions)
    EXPECT_EQ(function->is_foreign, function->name.text != "e") << function->name.text;
  EXPECT_EQ(text_of(*p.tree.functions[1]->written_result), "int");
  EXPECT_EQ(text_of(p.tree.functions[3]->creates), "M");
  EXPECT_EQ(p.tree.functions[4]->params.size(), 2u);
  EXPECT_EQ(p.tree.functions[4]->body.size(), 1u);
  EXPECT_EQ(text_of(*p.tree.functions[6]->written_result), "bool");
  EXPECT_EQ(p.tree.machines[0]->functions.size(), 3u);
}

TEST(Declarations, FrequentMistakesGetAHint) {
  const auto in_state = [](const std::string& text) { return problems_of("machine M { start state S {\n" + text + " } }"); };
  EXPECT_EQ(
      in_state("on e do { };"),
      "2:12: error: expected 'entry', 'exit', 'on', 'defer', 'ignore' or '}' in the state, found ';'; no ';' is written after a "
      "body [E01]\n");
  EXPECT_EQ(in_state("entry { };").substr(0, 12), "2:10: error:");
  EXPECT_EQ(in_state("on e push T;"),
            "2:6: error: expected 'do' or 'goto' after the events, found 'push'; P has no 'push' of states any more [E01]\n");
  EXPECT_EQ(in_state("on e { }"), "2:6: error: expected 'do' or 'goto' after the events, found '{' [E01]\n");
  EXPECT_EQ(in_state("defer null;"),
            "2:7: error: expected the name of an event, found 'null'; 'null' can only be a trigger of 'on' and 'case' [E01]\n");
  EXPECT_EQ(in_state("defer a, ;"), "2:10: error: expected the name of an event, found ';'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(in_state("exit (x: int) { }"),
            "2:6: error: expected '{' or a name after 'exit', found '('; it has no parameter [E01]\n");
  EXPECT_EQ(in_state("entry;"), "2:6: error: expected '{', '(' or a name after 'entry', found ';' [E01]\n");
  EXPECT_EQ(in_state("entry f"), "2:9: error: expected ';' after the name of the function, found '}' [E01]\n");
  EXPECT_EQ(in_state("on e goto T { }"), "2:13: error: expected ';' or 'with' after the name of the state, found '{' [E01]\n");
  EXPECT_EQ(in_state("entry (a: int, b: int) { }"),
            "2:14: error: expected ')' after the parameter, found ','; a handler has at most one parameter [E01]\n");
  EXPECT_EQ(
      problems_of("main machine M { }"),
      "1:1: error: expected a declaration, found 'main'; the main machine is named in a test: 'test t [main = M]: …;' [E01]\n");
  EXPECT_EQ(problems_of("event e assert 1;"),
            "1:9: error: expected ':' or ';' after the event, found 'assert'; events have no cardinality any more [E01]\n");
  EXPECT_EQ(problems_of("model M { }"), "1:1: error: expected a declaration, found 'model' [E01]\n");
  EXPECT_EQ(problems_of("machine M { group G { } }"),
            "1:13: error: expected 'var', 'fun', a state or '}' in the machine, found 'group' [E01]\n");
  EXPECT_EQ(problems_of("machine M { hot start state S { } }"),
            "1:17: error: expected 'state', found 'start'; 'start' comes before 'hot' and 'cold' [E01]\n");
  EXPECT_EQ(problems_of("machine M { } ; "),
            "1:15: error: expected a declaration, found ';'; no ';' is written after a body [E01]\n");
  EXPECT_EQ(problems_of("machine M { } }"), "1:15: error: expected a declaration, found '}'; there is no '{' for it [E01]\n");
  EXPECT_EQ(problems_of("event data;"),
            "1:7: error: expected the name of the event, found 'data'; that is a reserved word [E01]\n");
  EXPECT_EQ(problems_of("fun f() x = 1;"),
            "1:9: error: expected '{', ':' or ';' after the parameters of the function, found 'x' [E01]\n");
  EXPECT_EQ(problems_of("fun f(): int fun g()"),
            "1:14: error: expected '{' or ';' after the result of the function, found 'fun' [E01]\n");
  EXPECT_EQ(problems_of("fun f(x) { }"), "1:8: error: expected ':' after the name of the parameter, found ')' [E01]\n");
  EXPECT_EQ(problems_of("interface I() ;"), "1:15: error: expected 'receives' after the interface, found ';' [E01]\n");
  EXPECT_EQ(problems_of("spec S { }"), "1:8: error: expected 'observes' and the events that it watches, found '{' [E01]\n");
  EXPECT_EQ(problems_of("eventset s = { };"), "1:16: error: expected the name of an event, found '}' [E01]\n");
  EXPECT_EQ(problems_of("var x: int;"),
            "1:1: error: expected a declaration, found 'var'; variables are declared in machines and functions [E01]\n");
}

TEST(Declarations, TestsOfIncludedFilesAreDropped) {
  Sources sources;
  sources.add("a.p", "test t [main = M]: { M };");
  sources.add("b.p", "machine M { } test u [main = M]: { M };", true);
  Diagnostics diagnostics;
  const SyntaxTree tree = parse(sources, diagnostics);
  EXPECT_FALSE(diagnostics.failed());
  ASSERT_EQ(tree.tests.size(), 1u);
  EXPECT_EQ(tree.tests[0]->name.text, "t");
  EXPECT_EQ(tree.machines.size(), 1u);
}

TEST(Declarations, AllFilesAreParsedThoughOneIsWrong) {
  const Parsed p = parsed_files({"event ;", "event e;", "fun f() { x }", "fun exists() { }", "machine M { }"});
  EXPECT_EQ(p.messages,
            "a.p:1:7: error: expected the name of the event, found ';' [E01]\n"
            "c.p:1:13: error: expected '=', '+=' or '-=', found '}' [E01]\n"
            "d.p:1:5: error: 'exists' is only for the verifier; it cannot be used here, not even as a name [E02]\n");
  EXPECT_EQ(p.tree.events.size(), 1u);
  EXPECT_EQ(p.tree.machines.size(), 1u);
}

}  // namespace
}  // namespace tarry::plang::testing
