#include "native/abi/messages.h"

#include <gtest/gtest.h>

namespace tarry::native {
namespace {

const std::vector<Choice> kSchedule = {{Choice::Kind::kProcess, 4'000'000'000u}, {Choice::Kind::kValue, 7}};

TEST(Messages, ARequestArrivesAsItWasSent) {
  Request sent;
  sent.job = Request::Job::kReplay;
  sent.run = {.races = Races::kReport, .samaritan = Samaritan::kIgnore, .points = AccessPoints::kAll, .fair = 3, .spurious = true, .faults = true, .fresh = true, .cache = false, .clock_jumps = 3, .expect_exit = 4, .suppressions = {"f", "g.cpp:1"}};
  sent.search = "pct";
  sent.explorer = "round-robin";
  sent.explorer_file = "/tmp/x.so";
  sent.params = {{"depth", -3}};
  sent.engine.limits.time = std::chrono::milliseconds(1500);
  sent.engine.limits.memory = std::uint64_t{1} << 60;
  sent.engine.limits.max_preemptions = 2;
  sent.engine.seed = ~std::uint64_t{0};
  sent.engine.cache = CacheKey::kNone;
  sent.engine.keep_going = true;
  sent.schedule = kSchedule;
  sent.pause = {.wanted = true, .at = {{.kind = "data-race", .message = "on {0}", .location = "", .schedule = {}}, {.place = {1, 2}, .places = {{3, 4}}}}, .after_ms = 10};

  const auto received = request_of(to_text(sent));
  ASSERT_TRUE(received) << received.error().text;
  EXPECT_EQ(to_text(*received), to_text(sent));
  EXPECT_EQ(received->job, Request::Job::kReplay);
  EXPECT_EQ(received->run.samaritan, Samaritan::kIgnore);
  EXPECT_EQ(received->run.expect_exit, 4);
  EXPECT_EQ(received->run.clock_jumps, sent.run.clock_jumps);
  EXPECT_EQ(received->run.suppressions, sent.run.suppressions);
  EXPECT_EQ(received->params, sent.params);
  EXPECT_EQ(received->engine.limits.time, std::chrono::milliseconds(1500));
  EXPECT_EQ(received->engine.limits.memory, std::uint64_t{1} << 60);
  EXPECT_EQ(received->engine.limits.max_delays, std::nullopt);
  EXPECT_EQ(received->engine.limits.max_preemptions, 2u);
  EXPECT_EQ(received->engine.seed, ~std::uint64_t{0});
  EXPECT_EQ(received->engine.cache, CacheKey::kNone);
  EXPECT_EQ(received->schedule, kSchedule);
  EXPECT_TRUE(received->pause.wanted);
  EXPECT_EQ(received->pause.at.finding.message, "on {0}");
  EXPECT_EQ(received->pause.at.place.offset, 2u);
  EXPECT_EQ(received->pause.at.places.size(), 1u);
  EXPECT_EQ(received->pause.after_ms, 10u);
}

TEST(Messages, AnAnswerArrivesAsItWasSent) {
  Answer sent;
  sent.result.outcome.complete = true;
  sent.result.outcome.stopped_by = StoppedBy::kFinding;
  sent.result.outcome.notes = {"a", "b"};
  sent.result.outcome.totals = {.states = 1, .transitions = 2, .executions = 3, .depth = 4};
  sent.result.findings = {{.kind = "crash", .message = "at {0}", .location = "", .schedule = kSchedule, .steps = 1, .failure = FailureId{1}}, {.kind = "limit", .message = "", .location = "", .schedule = {}}};
  sent.failures = {{}, {.place = {1, 2}, .stack = {{3, 4}, {5, ~std::uint64_t{0}}}, .places = {{6, 7}}, .points = {{8, 9}}}};
  sent.result.explorer = "round-robin";
  sent.result.weak_atomics = true;
  sent.steps = {{.thread = 2, .values = {1, 2}, .operation = "lock", .object = {.address = 0x1000, .name = "m", .variable = {1, 2}, .allocated = {{1, 3}}, .offset = 8, .frame = {1, 4}, .frame_from = 16, .frame_to = 32}, .detail = "0 -> 1", .stack = {{1, 1}}, .output = "hello\n", .preempted = true}};
  sent.threads = {{.name = "main", .state = "ended", .stack = {{1, 1}}}};
  sent.fingerprints = {1, 0xffffffff};
  sent.modules = {{"/usr/bin/x", true}, {"/lib/y.so", false}};
  sent.result.assumes = {{Assumption::About::kUnseen, "what Tarry controls"}};
  sent.problem = "none";

  const auto received = answer_of(to_text(sent));
  ASSERT_TRUE(received) << received.error().text;
  EXPECT_EQ(to_text(*received), to_text(sent));
  EXPECT_TRUE(received->result.outcome.complete);
  const auto findings = received->raw_findings();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].finding.schedule, kSchedule);
  EXPECT_EQ(findings[0].stack[1].offset, ~std::uint64_t{0});
  EXPECT_TRUE(findings[1].stack.empty()) << "it names no failure";
  EXPECT_EQ(received->result.assumes, sent.result.assumes);
  ASSERT_EQ(received->steps.size(), 1u);
  EXPECT_EQ(received->steps[0].output, "hello\n");
  EXPECT_EQ(received->modules[1].path, "/lib/y.so");
  EXPECT_EQ(received->fingerprints, sent.fingerprints);
}

TEST(Messages, WhatIsNoMessageIsRefused) {
  EXPECT_FALSE(request_of(""));
  EXPECT_FALSE(request_of("{}"));
  EXPECT_FALSE(answer_of("[1"));
  EXPECT_FALSE(answer_of("{\"result\": 3}"));
  Answer wrong;
  wrong.result.findings = {{.kind = "crash", .message = "", .location = "", .schedule = {}, .failure = FailureId{0}}};
  EXPECT_FALSE(answer_of(to_text(wrong))) << "there is no such failure";
}

TEST(Messages, BytesThatAreNotUtf8AreReplaced) {
  Answer sent;
  sent.problem = "\xff?";
  const auto received = answer_of(to_text(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->problem, "\xEF\xBF\xBD?");
}

TEST(Messages, OutputsAreKeptByteByByte) {
  Answer sent;
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  sent.result.outputs = {{all, 2}, {"\xff", 1}, {"\xC3\xA4", 3}};
  sent.result.covered = {all, "\xff", "\xC3\xA4"};
  const auto received = answer_of(to_text(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->result.outputs, sent.result.outputs);
  EXPECT_EQ(received->result.covered, sent.result.covered);
}

}  // namespace
}  // namespace tarry::native
