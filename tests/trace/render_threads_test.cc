#include "trace/render/thread_trace.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

ReplayedStep step(std::uint64_t number, std::uint32_t thread, const std::string& label, const std::string& location, const std::string& value = "") {
  ReplayedStep out{.number = number, .process = ProcessId{thread}, .process_name = thread == 0 ? "main" : "thread 1", .values = {}, .label = label, .switched = false, .preempted = false, .changes = {}};
  out.location = location;
  if (!value.empty()) out.changes.emplace_back("x", value);
  return out;
}

const Finding kFinding{.kind = "assertion", .message = "assertion 'x == 2' failed", .location = "a.cpp:9", .schedule = {}, .steps = 3};

TEST(RenderThreads, StepsWithLinesValuesAndOutput) {
  Replay replay;
  replay.steps = {step(1, 0, "create thread", "a.cpp:5"), step(2, 1, "read x", "a.cpp:2", "0"), step(3, 0, "write x", "a.cpp:6", "0 -> 1")};
  replay.steps[1].switched = replay.steps[1].preempted = true;
  replay.steps[2].switched = true;
  replay.steps[2].output = "one\ntwo\n";
  replay.threads = {{"main", "failed", {}}, {"thread 1", "ended", {}}};
  replay.stack = {"main at a.cpp:9"};
  EXPECT_EQ(render_threads(replay, kFinding, {}),
            "  1  main      a.cpp:5  create thread\n"
            "! 2  thread 1  a.cpp:2  read x         0\n"
            "> 3  main      a.cpp:6  write x        0 -> 1\n"
            "     | one\n"
            "     | two\n"
            "> another thread goes on, because the one before cannot\n"
            "! another thread goes on, although the one before could\n"
            "where it failed:\n"
            "    main at a.cpp:9\n"
            "assertion: assertion 'x == 2' failed (a.cpp:9)\n");
}

TEST(RenderThreads, DeadlocksShowWhoWaitsForWhat) {
  Replay replay;
  replay.steps = {step(1, 0, "lock a", "a.cpp:5")};
  replay.threads = {{"main", "waits for mutex b held by thread 1", {"f at a.cpp:3", "main at a.cpp:7"}}, {"thread 1", "waits for mutex a held by main", {"g at a.cpp:12"}}, {"thread 2", "ended", {}}};
  EXPECT_EQ(render_threads(replay, {.kind = "deadlock", .message = "nobody can go on", .location = "", .schedule = {}}, {}),
            "  1  main  a.cpp:5  lock a\n"
            "threads at the end:\n"
            "  main waits for mutex b held by thread 1\n"
            "    f at a.cpp:3\n"
            "    main at a.cpp:7\n"
            "  thread 1 waits for mutex a held by main\n"
            "    g at a.cpp:12\n"
            "deadlock: nobody can go on\n");
}

TEST(RenderThreads, WhatRepeatsIsFolded) {
  Replay replay;
  replay.steps.push_back(step(1, 0, "create thread", "a.cpp:1"));
  for (std::uint64_t i = 0; i < 500; ++i) {
    replay.steps.push_back(step(2 + 2 * i, 0, "read flag", "a.cpp:2"));
    replay.steps.push_back(step(3 + 2 * i, 1, "yield", "a.cpp:3"));
  }
  replay.threads = {{"main", "ended", {}}};
  const std::string text = render_threads(replay, {.kind = "livelock", .message = "m", .location = "", .schedule = {}}, {});
  EXPECT_NE(text.find("  3  thread 1  a.cpp:3  yield\n  ... these 2 steps are taken 500 times in all, up to step 1,001\n"), std::string::npos) << text;
  const std::string whole = render_threads(replay, {.kind = "livelock", .message = "m", .location = "", .schedule = {}}, {.verbose = true});
  EXPECT_EQ(whole.find("..."), std::string::npos);
}

TEST(RenderThreads, LongTracesAreAbbreviated) {
  Replay replay;
  for (std::uint64_t i = 0; i < 1000; ++i) replay.steps.push_back(step(i + 1, static_cast<std::uint32_t>(i % 2), "write " + std::to_string(i), "a.cpp:" + std::to_string(i)));
  replay.threads = {{"main", "ended", {}}};
  const std::string text = render_threads(replay, kFinding, {});
  EXPECT_NE(text.find("  ... 900 steps are left out here; --verbose shows them\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tarry
