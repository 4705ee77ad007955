#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plang/trace/coverage.h"
#include "tests/plang_trace/small_program.h"

namespace tarry::plang {
namespace {

using namespace testing_trace;  // NOLINT(google-build-using-namespace): small programs

const char* const kDoor = R"(
event eOpen; event eClose; event eKnock; event eBreak;
machine Door {
  start state Closed { on eOpen goto Open; defer eClose; ignore eKnock; }
  state Open { on eClose goto Closed; on eKnock do { } on eBreak goto Broken; }
  state Broken { ignore eOpen; }
}
machine Unused { start state S { } }
machine Main { start state S { entry { var d: Door; d = new Door(); send d, eKnock; send d, eClose; send d, eOpen; } } }
scenario OpensAndCloses observes eOpen, eClose { start state A { on eClose goto B; ignore eOpen; } cold state B { ignore eOpen; ignore eClose; } }
scenario Never observes eBreak { start state A { on eBreak goto B; } cold state B { ignore eBreak; } }
test tcDoor [main = Main]: assert OpensAndCloses, Never in { Main, Door, Unused };
)";

Coverage door(const Small& source, std::uint64_t executions = 50) {
  return cover(*source.open(), {.executions = executions, .seed = 1, .steps_each = 100, .steps_in_all = 100'000}, {}, [] {});
}

TEST(Coverage, TellsWhatEachStateDid) {
  const Small source = small(kDoor);
  const Coverage coverage = door(source);
  const auto json = nlohmann::json::parse(coverage_json(coverage, *source.compiled.program));
  EXPECT_EQ(json.at("random_executions"), 50);
  const auto& states = json.at("machines").at(0).at("states");
  EXPECT_EQ(json.at("machines").at(0).at("name"), "Door");
  EXPECT_EQ(states.at("Closed").at("events").at("eOpen").at("handled"), 50);
  EXPECT_EQ(states.at("Closed").at("events").at("eClose").at("deferred"), true);
  EXPECT_EQ(states.at("Closed").at("events").at("eKnock").at("ignored"), true);
  EXPECT_EQ(states.at("Closed").at("next"), nlohmann::json({"Open"}));
  EXPECT_EQ(states.at("Closed").at("previous"), nlohmann::json({"Open"}));
  EXPECT_EQ(states.at("Open").at("events").at("eClose").at("handled"), 50);
  EXPECT_EQ(states.at("Broken").at("entered"), 0);
}

TEST(Coverage, CountsScenarios) {
  const Small source = small(kDoor);
  const auto json = nlohmann::json::parse(coverage_json(door(source), *source.compiled.program));
  EXPECT_EQ(json.at("scenarios").at(0).at("name"), "OpensAndCloses");
  EXPECT_EQ(json.at("scenarios").at(0).at("satisfied"), true);
  EXPECT_EQ(json.at("scenarios").at(0).at("satisfying_executions"), 50);
  EXPECT_EQ(json.at("scenarios").at(1).at("satisfied"), false);
  EXPECT_EQ(json.at("scenarios").at(1).at("most_states_visited"), 1);
}

TEST(Coverage, ReadsWhatWasNeverExercisedFirst) {
  const Small source = small(kDoor);
  const std::string text = coverage_text(door(source), *source.compiled.program);
  EXPECT_EQ(text.substr(0, text.find("\nmachine Door")),
            "coverage of test tcDoor\n"
            "from 50 random executions (seed 1)\n"
            "what is not exercised by them may still be possible\n"
            "\n"
            "6 of 13 declared handlers exercised (46 %), 6 of 9 states entered (66 %)\n"
            "\n"
            "never exercised:\n"
            "  Door            Broken         never entered          test.p:6:9\n"
            "  Door            Open           on eKnock do           test.p:5:42\n"
            "  Door            Open           on eBreak goto Broken  test.p:5:59\n"
            "  Unused          never created                         test.p:8:9\n"
            "  OpensAndCloses  A              ignore eOpen           test.p:10:91\n"
            "  OpensAndCloses  B              ignore eClose          test.p:10:136\n"
            "  Never           B              never entered          test.p:11:81\n"
            "  Never           A              on eBreak goto B       test.p:11:53\n"
            "\n"
            "scenarios:\n"
            "  OpensAndCloses: satisfied in 50 of 50 executions, at most 2 of 2 states visited in one\n"
            "  Never: not satisfied, at most 1 of 2 states visited in one\n")
      << text;
}

TEST(Coverage, GoesThroughTheStates) {
  const Small source = small(kDoor);
  const std::string text = coverage_text(door(source), *source.compiled.program);
  const std::size_t from = text.find("machine Door");
  EXPECT_EQ(text.substr(from, text.find("\nmachine Unused") - from),
            "machine Door: 4 of 7 handlers (57 %), 2 of 3 states (66 %), created 50 times\n"
            "  state Closed (start): entered 100 times\n"
            "    handled   eOpen 50\n"
            "    deferred  eClose\n"
            "    ignored   eKnock\n"
            "    from      Open\n"
            "    to        Open\n"
            "  state Open: entered 50 times\n"
            "    handled   eClose 50\n"
            "    from      Closed\n"
            "    to        Closed\n"
            "  state Broken: entered 0 times\n");
}

TEST(Coverage, IsTheSameEachTime) {
  const Small source = small(kDoor);
  EXPECT_EQ(coverage_json(door(source, 30), *source.compiled.program), coverage_json(door(source, 30), *source.compiled.program));
}

}  // namespace
}  // namespace tarry::plang
