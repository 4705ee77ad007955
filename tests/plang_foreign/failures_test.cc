// What goes wrong at the border is the runtime error R23, with the name of the function.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "plang/foreign/calls.h"
#include "plang/vm/renumber.h"
#include "tests/plang_foreign/library.h"

namespace tarry::plang {
namespace {

std::string problem(const std::string& function, const std::string& text) { return "runtime-error: foreign function '" + function + "': " + text + " [R23]"; }

/// Of Given, which gives what it is told to, where `type` is declared.
std::string given(const std::string& type, const std::string& what, const std::string& before = "") {
  const std::string text = Sample(before + " fun Given(s: string): " + type + ";", "Given(\"" + what + "\");").first_step();
  const std::string start = "runtime-error: foreign function 'Given': ", end = " [R23]";
  if (!text.starts_with(start) || !text.ends_with(end)) return text;
  return text.substr(start.size(), text.size() - start.size() - end.size());
}

TEST(ForeignFailures, Exceptions) {
  EXPECT_EQ(Sample("fun Throws();", "Throws();").first_step(), problem("Throws", "no luck"));
  EXPECT_EQ(Sample("fun ThrowsSilently();", "ThrowsSilently();").first_step(), problem("ThrowsSilently", "threw an exception without a message"));
  EXPECT_EQ(Sample("fun ThrowsNumber();", "ThrowsNumber();").first_step(), problem("ThrowsNumber", "threw something that is no std::exception"));
}

TEST(ForeignFailures, ResultsOfAnotherKind) {
  EXPECT_EQ(given("int", "int"), "");
  EXPECT_EQ(given("int", "string"), "the result is a string, where 'int' is declared");
  EXPECT_EQ(given("float", "int"), "the result is an int, where 'float' is declared");
  EXPECT_EQ(given("seq[int]", "null"), "the result is null, where 'seq[int]' is declared");
  EXPECT_EQ(given("machine", "null"), "");
  EXPECT_EQ(given("event", "int"), "the result is an int, where 'event' is declared");
  EXPECT_EQ(Sample("fun Given(s: string);", "Given(\"int\");").first_step(),
            problem("Given", "the result is an int, but the function is declared without one"));
}

TEST(ForeignFailures, AreFoundDeepInside) {
  EXPECT_EQ(given("seq[int]", "seq of strings"), "a value in the result is a string, where 'int' is declared");
  EXPECT_EQ(given("any", "seq of strings"), "");
  EXPECT_EQ(given("(int, int)", "short tuple"), "a tuple has 1 items, where '(int, int)' is declared");
  EXPECT_EQ(given("(id: int, tags: seq[int])", "named tuple"), "a named tuple has field 'tag', where '(id: int, tags: seq[int])' is declared");
  EXPECT_EQ(given("any", "unknown shape"), "the program has no named tuple (zzz)");
  EXPECT_EQ(given("map[any, int]", "null key"), "null cannot be a key of a map");
  EXPECT_NE(given("any", "deep"), "");
}

TEST(ForeignFailures, WhatTheProgramDoesNotHave) {
  EXPECT_EQ(given("event", "unknown event"), "there is no event 'eNobody'");
  EXPECT_EQ(given("tBag", "unknown type", "type tBag;"), "the program has no foreign type 'tNobody'");
  EXPECT_EQ(Sample("type tBag; fun GetBox(): tBag;", "GetBox();").first_step(), problem("GetBox", "the program has no foreign type 'tBox'"));
  EXPECT_EQ(Sample("type tBag; type tBox; fun GetBox(): tBag;", "GetBox();").first_step(), problem("GetBox", "a 'tBox' is in the result, where 'tBag' is declared"));
  EXPECT_EQ(Sample("enum Color { RED = 2, GREEN = 5 } fun NoColor(): Color;", "NoColor();").first_step(),
            problem("NoColor", "3 is the number of no element of enum 'Color'"));
  EXPECT_EQ(Sample("fun SameMachine(m: machine): data;", "SameMachine(this);").first_step(),
            problem("SameMachine", "a machine is in the result, where 'data' is declared"));
}

TEST(ForeignFailures, ArgumentsOfAnotherKind) {
  EXPECT_EQ(Sample("fun Twice(n: int): string;", "Twice(1);").first_step(), problem("Twice", "argument 1: a string is expected, but the value is an int"));
  EXPECT_EQ(Sample("fun Small(n: int): int;", "Small(200);").first_step(), problem("Small", "argument 1: 200 does not fit into the parameter's C++ type"));
  EXPECT_EQ(Sample("type tBag; fun Count(b: tBag): int;", "var b: tBag; Count(b);").first_step(),
            problem("Count", "argument 1: the value of 'tBag' is null: take a std::optional if that is all right"));
  EXPECT_EQ(Sample("type tBag; type tBox; fun Put(b: tBag, x: int): tBag; fun CountBox(b: tBag): int;", "var b: tBag; CountBox(Put(b, 1));").first_step(),
            problem("CountBox", "argument 1: a 'tBox' is expected, but the value is a 'tBag'"));
  EXPECT_EQ(Sample("fun Successor(): int;", "Successor();").first_step(), problem("Successor", "argument 1 is asked for, but the call has 0"));
}

TEST(ForeignFailures, ObjectsThatDoNotKeepToTheInterface) {
  EXPECT_EQ(Sample("fun Silent(): int;", "Silent();").first_step(), problem("Silent", "came back without a result: build the object again"));
  EXPECT_EQ(Sample("fun Garbage(): any;", "Garbage();").first_step(), problem("Garbage", "the result is cut short: build the object again"));
  EXPECT_EQ(Sample("fun Nobody(): int;", "Nobody();").first_step(), problem("Nobody", "has no implementation"));
}

TEST(ForeignCalls, AreThoseOfTheTest) {
  const auto ready = testing_support::make_ready(
      "fun A(); fun B(); fun C(); fun D(); fun E(); fun helper() { B(); } event e; event f;"
      "machine Main { start state S { entry { helper(); new Other(); } } }"
      "machine Other { start state S { on e goto T with { C(); } exit { F(); } } state T {} fun F(); }"
      "machine Unused { start state S { entry { D(); } } }"
      "spec Watches observes e { start state S { on e do { E(); } } }"
      "test One [main = Main]: { Main, Other, Unused }; test Two [main = Main]: assert Watches in { Main, Other };");
  const auto names = [&](std::size_t test) {
    std::string out;
    for (const std::uint32_t f : foreign_calls(*ready.code, ready.test(test))) out += ready.code->functions[f].name + " ";
    return out;
  };
  EXPECT_EQ(names(0), "B C Other.F ");
  EXPECT_EQ(names(1), "B C E Other.F ");
}

TEST(ForeignIdentities, AreMirroredAndTranslated) {
  Sample sample("machine Other { start state S {} }", "new Other(); new Other();");
  auto mirror = std::make_unique<Identities::Mirror>();
  const PProgram search(sample.code(), sample.test(), Points::kNeeded, Purpose::kSearch, {}, &sample.foreign(), mirror.get());
  ASSERT_EQ(mirror->size.load(), 3u);
  EXPECT_EQ(mirror->identities[2].parent, 0u);
  EXPECT_EQ(mirror->identities[2].nth, 1u);
  // As if the search had met them the other way round.
  std::vector<Identities::Identity> crossed{mirror->identities[0], mirror->identities[2], mirror->identities[1]};
  const auto step = [](std::uint32_t slot) { return Choice{Choice::Kind::kProcess, slot}; };
  const std::vector<Choice> schedule{step(0), step(1), step(2)}, expected{step(0), step(2), step(1)};
  for (const LastStep last : {LastStep::kTaken, LastStep::kNotTaken}) {
    const PProgram replay(sample.code(), sample.test(), Points::kNeeded, Purpose::kReplay, {}, &sample.foreign());
    EXPECT_EQ(renumbered(schedule, crossed, replay, last), expected);
  }
  const PProgram replay(sample.code(), sample.test(), Points::kNeeded, Purpose::kReplay, {}, &sample.foreign());
  EXPECT_EQ(renumbered({step(1)}, crossed, replay, LastStep::kTaken), std::nullopt);  // before it is created
  EXPECT_EQ(renumbered({step(7)}, crossed, replay, LastStep::kTaken), std::nullopt);
}

TEST(ForeignThreads, ParallelCallsDoNotDisturbEachOther) {
  Sample sample("type tBag; fun Put(b: tBag, x: int): tBag; fun Count(b: tBag): int; fun Machines(m: machine): set[machine];",
                "var b: tBag; var i: int; while (i < 200) { b = Put(b, i); assert Count(b) == i + 1; assert this in Machines(this); i = i + 1; }");
  const PProgram program(sample.code(), sample.test(), Points::kNeeded, Purpose::kReplay, {}, &sample.foreign());
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const auto space = program.open();
      std::vector<Word> state(program.shape().words);
      Taken taken(program.shape().words);
      space->initial(state.data());
      space->take(state, ProcessId{0}, {}, taken);
      if (taken.outcome != abi::Outcome::kMoved || taken.failed()) ++failed;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace tarry::plang
