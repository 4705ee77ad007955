#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plang/trace/p_traces.h"
#include "plang/trace/translate.h"
#include "plang/vm/follow.h"
#include "tests/plang_trace/small_program.h"

namespace tarry::plang {
namespace {

using namespace testing_trace;  // NOLINT(google-build-using-namespace): small programs

const char* const kPing = R"(
event ePing: (from: machine, n: int);
event ePong;
machine Server { start state Serving { on ePing do (p: (from: machine, n: int)) { print "ping"; send p.from, ePong; raise halt; } } }
machine Main {
  start state Init { entry { var s: Server; s = new Server(); if ($) { send s, ePing, (from = this, n = choose(3)); } goto Waiting; } }
  state Waiting { entry { receive { case ePong: { } } announce eDone; goto Done; } }
  state Done { entry { assert false, "done"; } }
}
event eDone;
spec Watch observes ePing, eDone { start cold state Idle { on ePing goto Busy; ignore eDone; } hot state Busy { on eDone goto Idle; ignore ePing; } }
test tcPing [main = Main]: assert Watch in { Main, Server };
)";

/// Main: creates, chooses true and 2; both run to the assertion.
std::vector<Choice> failing(const PProgram& program) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    bool failed = false;
    std::vector<Choice> schedule = some_schedule(program, number, &failed);
    const bool chose =
        schedule.size() > 2 && schedule[1] == Choice{Choice::Kind::kValue, 1} && schedule[2] == Choice{Choice::Kind::kValue, 2};
    if (failed && chose && schedule[3].number == 0 && schedule[4].number == 1) return schedule;
  }
  ADD_FAILURE() << "no such execution";
  return {};
}

TEST(PText, IsWhatPWrites) {
  const Small ping = small(kPing);
  const auto program = ping.open();
  const PTraces traces = p_traces(*program, finding_of(failing(*program)), "random-walk",
                                  {.test = "tcPing", .fair = false, .threshold = {}, .steps = {}});
  EXPECT_EQ(traces.problem, "");
  EXPECT_EQ(traces.text,
            "<TestLog> Running test 'tcPing'.\n"
            "<CreateLog> Watch was created.\n"
            "<MonitorLog> Watch enters cold state 'Idle'.\n"
            "<CreateLog> Main(1) was created by task '0'.\n"
            "<StateLog> Main(1) enters state 'Init'.\n"
            "<CreateLog> Server(2) was created by Main(1).\n"
            "<RandomLog> Main(1) nondeterministically chose 'True'.\n"
            "<RandomLog> Main(1) nondeterministically chose '2'.\n"
            "<SendLog> 'Main(1)' in state 'Init' sent event 'ePing with payload (<from:Main(1), n:2, >)' to 'Server(2)'.\n"
            "<MonitorLog> Watch is processing event 'ePing with payload (<from:Main(1), n:2, >)' in state 'Idle'.\n"
            "<MonitorLog> Watch exits cold state 'Idle'.\n"
            "<MonitorLog> Watch enters hot state 'Busy'.\n"
            "<GotoLog> Main(1) is transitioning from state 'Init' to state 'Waiting'.\n"
            "<StateLog> Main(1) exits state 'Init'.\n"
            "<StateLog> Main(1) enters state 'Waiting'.\n"
            "<ReceiveLog> Main(1) is waiting to dequeue an event of type 'ePong' in state 'Waiting'.\n"
            "<StateLog> Server(2) enters state 'Serving'.\n"
            "<DequeueLog> 'Server(2)' dequeued event 'ePing with payload (<from:Main(1), n:2, >)' in state 'Serving'.\n"
            "<PrintLog> ping\n"
            "<SendLog> 'Server(2)' in state 'Serving' sent event 'ePong' to 'Main(1)'.\n"
            "<RaiseLog> 'Server(2)' raised event 'halt' in state 'Serving'.\n"
            "<PopLog> Server(2) popped state Serving due to unhandled event 'halt'.\n"
            "<HaltLog> Server(2) halted with 0 events in its inbox.\n"
            "<ReceiveLog> 'Main(1)' dequeued event 'ePong' and unblocked in state 'Waiting'.\n"
            "<AnnounceLog> 'Main(1)' announced event 'eDone'.\n"
            "<MonitorLog> Watch is processing event 'eDone' in state 'Busy'.\n"
            "<MonitorLog> Watch exits hot state 'Busy'.\n"
            "<MonitorLog> Watch enters cold state 'Idle'.\n"
            "<GotoLog> Main(1) is transitioning from state 'Waiting' to state 'Done'.\n"
            "<StateLog> Main(1) exits state 'Waiting'.\n"
            "<StateLog> Main(1) enters state 'Done'.\n"
            "<ErrorLog> test.p:8:24 assertion failed: done\n"
            "<StrategyLog> Found bug using 'random-walk' strategy.\n"
            "<StrategyLog> Testing statistics:\n"
            "<StrategyLog> Found 1 bug.\n"
            "<StrategyLog> Scheduling statistics:\n"
            "<StrategyLog> Number of scheduling points in this schedule: 10.\n");
  EXPECT_EQ(traces.schedule, "--test-method:tcPing\n(0)\n(1)\n(1)\nTrue\n2\n(1)\n(2)\n(2)\n(2)\n(1)\n");
}

TEST(PJson, HasTypesDetailsPayloadsAndClocks) {
  const Small ping = small(kPing);
  const auto program = ping.open();
  const auto json = nlohmann::json::parse(p_traces(*program, finding_of(failing(*program)), "random-walk", {}).json);
  const auto find = [&](const std::string& type, std::size_t nth = 0) {
    for (const auto& item : json)
      if (item.at("type") == type && nth-- == 0) return item.at("details");
    return nlohmann::json();
  };
  EXPECT_EQ(json.at(0), nlohmann::json::parse(
                            R"j({"type": "CreateMonitor", "details": {"monitor": "Watch", "log": "Watch was created."}})j"));
  const auto send = find("SendEvent");
  EXPECT_EQ(send.at("sender"), "Main(1)");
  EXPECT_EQ(send.at("target"), "Server(2)");
  EXPECT_EQ(send.at("event"), "ePing");
  EXPECT_EQ(send.at("isTargetHalted"), false);
  EXPECT_EQ(send.at("payload"), nlohmann::json::parse(R"j({"from": "Main(1)", "n": 2})j"));
  EXPECT_EQ(find("SendEvent", 1).at("payload"), "null");
  EXPECT_EQ(find("ReceiveEvent").at("wasBlocked"), true);
  EXPECT_EQ(find("MonitorStateTransition", 2).at("isInHotState"), true);
  EXPECT_EQ(find("WaitEvent").at("eventType"), "ePong");
  EXPECT_EQ(find("Halt").at("haltInboxSize"), 0);
  EXPECT_EQ(find("GotoState").at("endState"), "Waiting");
  EXPECT_NE(find("AssertionFailure").at("error").get<std::string>().find("done"), std::string::npos);
  // The server knows what Main had done when it sent; Main, when it has the answer, what the server had.
  const auto dequeued = find("DequeueEvent").at("clock"), sent = send.at("clock"), answered = find("SendEvent", 1).at("clock"),
             received = find("ReceiveEvent").at("clock");
  EXPECT_EQ(dequeued.at("Main(1)"), sent.at("Main(1)"));
  EXPECT_EQ(received.at("Server(2)"), answered.at("Server(2)"));
  EXPECT_GT(received.at("Main(1)"), sent.at("Main(1)"));
}

TEST(PJson, PayloadsOfAllKinds) {
  const Small all = small(R"(
event e: any;
machine Main { start state S { ignore e; entry {
  var s: seq[int]; var t: set[string]; var m: map[int, bool]; var v: any;
  s += (0, 4); s += (1, 5); t += ("a\"b"); m[3] = true;
  send this, e, (s, t, m, 1.5, e, this, (a = v, b = "x"));
} } })");
  const auto program = all.open();
  const auto json = nlohmann::json::parse(p_traces(*program, finding_of(some_schedule(*program, 0)), "dfs", {}).json);
  for (const auto& item : json)
    if (item.at("type") == "SendEvent") {
      EXPECT_EQ(
          item.at("details").at("payload"),
          nlohmann::json::parse(
              R"j({"0": [4, 5], "1": ["a\"b"], "2": {"3": true}, "3": 1.5, "4": "e", "5": "Main(1)", "6": {"a": null, "b": "x"}})j"));
    }
}

/// Whatever Tarry finds with its coarser points is, as a schedule of P, the same execution with all of them.
void expect_round_trip(const Small& source, Points points, std::uint64_t number) {
  const auto coarse = source.open(points);
  const std::vector<Choice> schedule = some_schedule(*coarse, number);
  const FollowedRun run = follow(*coarse, schedule, [](const FollowedStep&) {});
  const PTraces traces = p_traces(*coarse, finding_of(schedule), "x", {});
  const auto file = parse_schedule("f", traces.schedule);
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->steps.size(), run.steps) << traces.schedule;
  const auto fine = source.open(Points::kAll);
  const Translated translated = translate(*fine, *file);
  ASSERT_EQ(translated.diverged_line, 0u) << translated.divergence << "\n" << traces.schedule << traces.text;
  EXPECT_EQ(translated.unused_line, 0u);
  const auto again = source.open(Points::kAll);
  const FollowedRun rerun = follow(*again, translated.schedule, [](const FollowedStep&) {});
  EXPECT_EQ(rerun.ending.kind, run.ending.kind) << traces.text;
  EXPECT_EQ(rerun.ending.message, run.ending.message);
  EXPECT_EQ(rerun.ending.location, run.ending.location);
  EXPECT_EQ(rerun.steps, run.steps);
  const auto once_more = source.open(Points::kAll);
  const auto records = [](std::string text) { return text.substr(0, text.find("<StrategyLog>")); };
  EXPECT_EQ(records(p_traces(*once_more, finding_of(translated.schedule), "x", {}).text), records(traces.text));
}

const char* const kMany[] = {
    kPing,
    // on null, choices in a row, more than a step has
    R"(event e; machine Main { var n: int; start state S { entry { var i: int; while (i < 12) { i = i + 1; if ($) { n = n + choose(2); } n = n + choose(1); } }
         on null do { n = n - 1; if (n < 0) { raise halt; } } } })",
    // halting, deferring, transitions, unhandled
    R"(event a; event b; event c; machine W { start state S { defer a; ignore c; on b goto T; } state T { on a do { raise halt; } } }
       machine Main { start state S { entry { var w: W; var v: W; w = new W(); v = new W(); send w, a; send v, b; send w, c; send w, b; send v, a; if ($) { send w, c; } } } })",
    // a monitor fails in the middle of a step that would go on to choices
    R"(event a: int; machine Main { start state S { entry { var i: int; announce a, choose(3); i = choose(1); if ($) { announce a, choose(2); } } } }
       spec P observes a { start state C { on a do (n: int) { assert n != 1; } } } test DefaultImpl [main = Main]: assert P in { Main };)",
    // nobody can go on
    R"(event a; machine W { start state S { entry (m: machine) { send m, a; receive { case a: { } } } } }
       machine Main { start state S { entry { new W(this); new W(this); } on a do { } } })",
};

TEST(PSchedule, EveryExecutionIsTheSameWithAllPoints) {
  for (const char* text : kMany) {
    const Small source = small(text);
    for (std::uint64_t number = 0; number < 200; ++number) {
      expect_round_trip(source, Points::kNeeded, number);
      expect_round_trip(source, Points::kAll, number);
      if (HasFailure()) FAIL() << text << "\nexecution " << number;
    }
  }
}

TEST(Translate, SaysAtWhichLineTheProgramGoesAnotherWay) {
  const Small ping = small(kPing);
  const auto problem = [&](const std::string& text) {
    const Translated t = translate(*ping.open(Points::kAll), *parse_schedule("f", text));
    return std::to_string(t.diverged_line) + ": " + t.divergence;
  };
  EXPECT_EQ(problem("(0)\n(2)\n"), "2: expected one of (1), found (2), which cannot run");
  EXPECT_EQ(problem("(0)\nTrue\n"), "2: expected a decision, one of (1), found True");
  EXPECT_EQ(problem("(0)\n(1)\n(1)\n(2)\n"), "4: expected the choice of machine (1), one of 2 values, found (2)");
  EXPECT_EQ(problem("(0)\n(1)\n(1)\n1\n"), "4: expected True or False, found 1");
  EXPECT_EQ(problem("(0)\n(1)\n(1)\nTrue\n3\n"), "5: expected the choice of machine (1), one of 3 values, found 3");
  EXPECT_EQ(problem("(0)\n(1)\n(1)\nTrue\n"),
            "5: expected the choice of machine (1), one of 3 values, found the end of the file");
  EXPECT_EQ(problem("(0)\n(1)\n(1)\nTrue\nTrue\n"), "5: expected a number below 3, found True");
}

TEST(Translate, LinesBehindTheFailureAreNotNeeded) {
  const Small one = small(R"(machine Main { start state S { entry { assert false; } } })");
  const Translated t = translate(*one.open(Points::kAll), *parse_schedule("f", "(0)\n(1)\n(1)\n"));
  EXPECT_EQ(t.diverged_line, 0u);
  EXPECT_EQ(t.unused_line, 3u);
}

}  // namespace
}  // namespace tarry::plang
