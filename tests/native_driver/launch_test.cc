// The launcher against runtimes made up for the purpose: a shared object each, that does before main what the test says.
#include "native/driver/launch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "native/driver/tell.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Compiled once for each text.
class FakeRuntime {
 public:
  explicit FakeRuntime(const std::string& body) {
    folder_ = fs::path(::testing::TempDir()) / ("fake" + std::to_string(::getpid()) + "_" + std::to_string(std::hash<std::string>()(body)));
    if (fs::exists(library())) return;
    fs::create_directories(folder_);
    std::ofstream(folder_ / "rt.cc") << R"(
#include "native/abi/protocol.h"
#include <sys/mman.h>
#include <unistd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
using namespace tarry;
using namespace tarry::native;
static Common* common; static Block* block;
[[maybe_unused]] static void answer(const char* text) { strcpy(block->result, text); block->result_size = strlen(text); block->phase = Phase::kDone; }
__attribute__((constructor)) static void run() {
  int c = -1, b = -1;
  if (!getenv("TARRY_SESSION") || sscanf(getenv("TARRY_SESSION"), "%d:%d", &c, &b) != 2) return;
  common = (Common*)mmap(nullptr, sizeof(Common), PROT_READ | PROT_WRITE, MAP_SHARED, c, 0);
  block = (Block*)mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE, MAP_SHARED, b, 0);
  if (block->magic != kMagic) _exit(99);
)" << body << "\n}\n";
    const std::string source = TARRY_TEST_SOURCE_DIR;
    const std::string command = "c++ -std=c++20 -O1 -shared -fPIC -I" + source + "/src -I" + source + "/include " + (folder_ / "rt.cc").string() + " -o " + library().string();
    if (std::system(command.c_str()) != 0) std::abort();
    std::ofstream(folder_ / "p.c") << "int main(){return 7;}\n";
    if (std::system(("cc " + (folder_ / "p.c").string() + " -o " + (folder_ / "p").string()).c_str()) != 0) std::abort();
  }
  fs::path library() const { return folder_ / "rt.so"; }
  LaunchedProgram program() const { return {.executable = folder_ / "p", .arguments = {}, .runtime = library()}; }

 private:
  fs::path folder_;
};


std::string answering(const Answer& answer) { return "answer(R\"J(" + to_text(answer) + ")J\"); _exit(0);"; }

TEST(Launch, BringsTheAnswerBack) {
  Answer answer;
  answer.result.outcome.complete = true;
  answer.result.outcome.notes = {"hello"};
  const FakeRuntime runtime("bump(common->progress.workers[block->worker].executions, std::uint64_t{5});" + answering(answer));
  const Launched launched = launch(runtime.program(), {}, {.workers = 3});
  ASSERT_EQ(launched.workers.size(), 3u);
  for (const WorkerEnd& end : launched.workers) {
    ASSERT_TRUE(end.answer);
    EXPECT_EQ(end.answer->result.outcome.notes, std::vector<std::string>{"hello"});
  }
  EXPECT_EQ(launched.totals.executions, 15u);
  EXPECT_GT(launched.peak_rss, 0u);
  const auto merged = search_answer(launched, {"p", milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<SearchResult>(merged));
  EXPECT_TRUE(std::get<SearchResult>(merged).outcome.complete);
}

TEST(Launch, OneWorkerThatIsNotCompleteMakesAllSo) {
  Answer complete, cut;
  complete.result.outcome.complete = true;
  cut.result.outcome.stopped_by = StoppedBy::kTime;
  const FakeRuntime runtime("if (block->worker == 0) {" + answering(complete) + "}" + answering(cut));
  const auto merged = search_answer(launch(runtime.program(), {}, {.workers = 2}), {"p", milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<SearchResult>(merged));
  EXPECT_FALSE(std::get<SearchResult>(merged).outcome.complete);
  EXPECT_EQ(std::get<SearchResult>(merged).outcome.stopped_by, StoppedBy::kTime);
}

TEST(Launch, AFindingOfOneStopsTheOthersAndEqualOnesAreKeptOnce) {
  Answer found, stopped;
  found.result.outcome.stopped_by = StoppedBy::kFinding;
  found.result.findings = {{.kind = "deadlock", .message = "m", .location = "a:1", .schedule = {}, .steps = 9}, {.kind = "deadlock", .message = "m", .location = "a:1", .schedule = {}, .steps = 3}};
  stopped.result.outcome.stopped_by = StoppedBy::kInterrupt;
  const FakeRuntime runtime("block->phase = Phase::kSearching; if (block->worker == 0) {" + answering(found) + "} while (!common->progress.stop) usleep(1000);" + answering(stopped));
  const auto merged = search_answer(launch(runtime.program(), {}, {.workers = 2}), {"p", milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<SearchResult>(merged));
  const auto& all = std::get<SearchResult>(merged);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].steps, 3u);
  EXPECT_EQ(all.findings[0].count, 2u);
  EXPECT_EQ(all.outcome.stopped_by, StoppedBy::kFinding);
}

TEST(Launch, ACrashLeavesItsSchedule) {
  const FakeRuntime runtime("block->phase = Phase::kSearching; block->running = 2; block->schedule[0] = 0; block->schedule[1] = 2; block->schedule[2] = 3; block->schedule_size = 3; raise(SIGSEGV);");
  const Launched launched = launch(runtime.program(), {}, {});
  const auto account = account_of(launched.workers[0], {"p", milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<Finding>(account));
  const auto& finding = std::get<Finding>(account);
  EXPECT_EQ(finding.kind, FindingKind("crash"));
  EXPECT_EQ(finding.message, "the program crashed with SIGSEGV in a step of thread 1");
  EXPECT_EQ(finding.steps, 2u);
  EXPECT_EQ(finding.schedule.back(), (Choice{Choice::Kind::kValue, 1}));
}

TEST(Launch, AnEndlessStepIsEndedAndTold) {
  // A step that waits in the kernel uses no time of the processor: that is a limit of ours.
  const std::pair<const char*, std::pair<FindingKind, const char*>> cases[] = {
      {"for (volatile int i = 0;; i = i + 1) {}",
       {FindingKind("nontermination"), "one step of main did not end within 0.6 s"}},
      {"while (true) pause();", {kLimitKind, "the program waited in the kernel for 1.2 s in a step of main, in a call that Tarry does not control"}}};
  for (const auto& [loop, told] : cases) {
    const FakeRuntime runtime(std::string("block->phase = Phase::kSearching; block->running = 1; block->in_step = 1; block->schedule_size = 1; block->schedule[0] = 0;") + loop);
    const auto start = std::chrono::steady_clock::now();
    const Launched launched = launch(runtime.program(), {}, {.workers = 1, .step_timeout = milliseconds(600)});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    EXPECT_TRUE(launched.workers[0].ended_by_us);
    const auto account = account_of(launched.workers[0], {"p", milliseconds(600)});
    ASSERT_TRUE(std::holds_alternative<Finding>(account));
    EXPECT_EQ(std::get<Finding>(account).kind, told.first);
    EXPECT_EQ(std::get<Finding>(account).message, told.second);
    if (told.first == kLimitKind) continue;
    const auto unseen = account_of(launched.workers[0], {"p", milliseconds(600), "lock.c(inline-assembly)"});
    ASSERT_TRUE(std::holds_alternative<Finding>(unseen));
    EXPECT_EQ(std::get<Finding>(unseen).kind, kLimitKind);
    EXPECT_EQ(std::get<Finding>(unseen).message, "one step of main did not end within 0.6 s; it may wait for another thread in code that Tarry does not see (lock.c(inline-assembly))");
  }
}

// The program that does not listen is told by a signal, and ends by that or by force.
TEST(Launch, CtrlCAsksAndEndsThoseThatDoNotListen) {
  const FakeRuntime polite("block->phase = Phase::kSearching; while (!common->progress.stop) { bump(common->progress.workers[0].beat); usleep(1000); }" + answering({}));
  const FakeRuntime deaf("block->phase = Phase::kSearching; while (true) { bump(common->progress.workers[0].beat); usleep(1000); }");
  for (const bool listens : {true, false}) {
    bool sent = false;  // once the program runs
    const auto tick = [&](const Progress& progress, double /*seconds*/) {
      if (progress.workers[0].beat.load() > 0 && !std::exchange(sent, true)) ::kill(::getpid(), SIGINT);
    };
    const Launched launched = launch((listens ? polite : deaf).program(), {}, {.tick = tick});
    EXPECT_EQ(launched.interrupted_by, SIGINT);
    EXPECT_EQ(launched.workers[0].answer.has_value(), listens);
  }
}

TEST(Launch, WhoeverIsFarTooLateIsEnded) {
  const FakeRuntime deaf("block->phase = Phase::kSearching; while (true) { bump(common->progress.workers[0].beat); usleep(1000); }");
  Request request;
  request.engine.limits.time = milliseconds(100);
  const Launched launched = launch(deaf.program(), request, {.workers = 1, .step_timeout = milliseconds(100)});
  EXPECT_TRUE(launched.out_of_time);
}

TEST(Launch, WhatTarryKillsHasNotCrashed) {
  const std::string runs = "block->phase = Phase::kSearching; block->running = 1; ", goes_on = "while (true) { bump(common->progress.workers[0].beat); usleep(1000); }";
  const FakeRuntime deaf(runs + goes_on), greedy(runs + "for (char* volatile room = (char*)malloc(700 << 20), *at = room; at < room + (700 << 20); at += 4096) *at = 1;" + goes_on);
  for (const StoppedBy limit : {StoppedBy::kTime, StoppedBy::kMemory}) {
    Request request;
    if (limit == StoppedBy::kTime) request.engine.limits.time = milliseconds(100);
    const std::uint64_t memory = limit == StoppedBy::kTime ? 0 : 1 << 20;
    const Launched launched = launch((limit == StoppedBy::kTime ? deaf : greedy).program(), request, {.workers = 1, .step_timeout = milliseconds(10'000), .memory = memory});
    EXPECT_FALSE(launched.workers[0].answer);
    const auto told = search_answer(launched, {"p", milliseconds(1000)});
    ASSERT_TRUE(std::holds_alternative<SearchResult>(told));
    EXPECT_TRUE(std::get<SearchResult>(told).findings.empty());
    EXPECT_EQ(std::get<SearchResult>(told).outcome.stopped_by, limit);
  }
}

TEST(Launch, AProgramWithoutTheRuntimeIsToldSo) {
  const FakeRuntime absent("return;");
  const auto account = account_of(launch(absent.program(), {}, {}).workers[0], {"p", milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<Diagnostic>(account));
  LaunchedProgram missing = absent.program();
  missing.executable = "/no/such/program";
  const auto nothing = account_of(launch(missing, {}, {}).workers[0], {missing.executable, milliseconds(1000)});
  ASSERT_TRUE(std::holds_alternative<Diagnostic>(nothing));
  EXPECT_NE(std::get<Diagnostic>(nothing).text.find("cannot be started: No such file"), std::string::npos) << std::get<Diagnostic>(nothing).text;
}

TEST(Launch, EveryProcessReadsTheSameInputFromItsStart) {
  Answer answer;
  const FakeRuntime runtime(R"(char text[16] = {}; if (read(0, text, 15) < 0) _exit(1);
    char result[16384]; snprintf(result, sizeof result, "%s", R"J()" + to_text(answer) + R"()J");
    block->death_number = text[0] == 'a' && text[2] == 'c'; answer(result); if (!block->death_number) block->phase = Phase::kSearching; _exit(0);)");
  char name[] = "/tmp/tarry_inputXXXXXX";
  const int file = ::mkstemp(name);
  ASSERT_EQ(::write(file, "abc", 3), 3);
  LaunchedProgram program = runtime.program();
  program.standard_input = file;
  for (const WorkerEnd& end : launch(program, {}, {.workers = 3}).workers) EXPECT_TRUE(end.answer);
  ::close(file);
  ::unlink(name);
}

}  // namespace
}  // namespace tarry::native
