// The words of verdicts, and the help with misspelt names.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "cli/verdict.h"
#include "process/state_work.h"
#include "process/wire.h"
#include "trace/render/renderer.h"

namespace tarry::cli {
namespace {

CheckOptions options() {
  CheckOptions out;
  out.target = "model.cpp";
  out.search = "ses";
  out.takes_explorer = true;
  return out;
}

nlohmann::ordered_json report_json(const Report& report) { return nlohmann::ordered_json::parse(renderer("json").whole({report})); }

Report told(const CheckOptions& options, SearchResult result, std::uint64_t states = 8112) {
  result.explorer = "round-robin";
  Report report = make_report(options, result, {.totals = {.states = states}, .peak_rss = 81120});
  put_into_words(report, options);
  return report;
}

TEST(Verdict, SaysVerifiedOnlyWhenEverythingWasExplored) {
  SearchResult result;
  result.outcome.complete = true;
  const Report report = told(options(), result);
  EXPECT_EQ(report.verdict, Verdict::kVerified);
  EXPECT_EQ(report.verdict_text, "verified: all 8,112 reachable states explored");
  EXPECT_EQ(told(options(), result, 1).verdict_text, "verified: all 1 reachable state explored");
  result.outcome.lossy = true;
  EXPECT_EQ(told(options(), result).verdict, Verdict::kNoBugFound);
}

TEST(Verdict, SaysWhichChecksThereWere) {
  SearchResult result;
  result.outcome.complete = true;
  result.checks.made = {"invariant", "end check"};
  EXPECT_EQ(told(options(), result).verdict_text, "verified: all 8,112 reachable states explored; checks: invariant, end check");
  result.checks.missing = {"no spec is attached to this test"};
  EXPECT_EQ(told(options(), result).verdict_text, "verified: all 8,112 reachable states explored; checks: invariant, end check; no spec is attached to this test");
  result.checks.made.clear();
  EXPECT_EQ(told(options(), result).verdict_text,
            "verified: all 8,112 reachable states explored; checks: only what every program is checked for; no spec is attached to this test");
  EXPECT_EQ(report_json(told(options(), result)).at("checks").dump(), R"({"made":[],"missing":["no spec is attached to this test"]})");
  result.outcome.complete = false;
  result.outcome.stopped_by = StoppedBy::kInterrupt;
  EXPECT_NE(told(options(), result).verdict_text.find("interrupted; checks: only"), std::string::npos);
  result.findings.push_back({.kind = "deadlock", .message = "", .location = "", .schedule = {}});
  EXPECT_EQ(told(options(), result).verdict_text.find("checks"), std::string::npos) << "a bug speaks for itself";
  result.checks = {};
  EXPECT_TRUE(report_json(told(options(), result)).at("checks").is_null()) << "a front end that does not say";
}

TEST(Verdict, SaysHowFarASearchCame) {
  SearchResult result;
  result.outcome.stopped_by = StoppedBy::kTime;
  result.outcome.bound = "delays";
  result.outcome.reached = 2;
  result.outcome.reached_any = true;
  CheckOptions given = options();
  given.given = {{"--time", {"30s"}}};
  const Report report = told(given, result);
  EXPECT_EQ(report.verdict_text, "no bug found; explored up to 2 delays, 8,112 states, stopped by --time 30s");
  EXPECT_EQ(report.stopped_by(), "time");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("--strict-bound"), std::string::npos);
  given.engine.strict_bound = true;
  EXPECT_TRUE(told(given, result).notes.empty());
}

TEST(Verdict, TellsSamplesFromWhatIsExplored) {
  SearchResult result;
  result.outcome.stopped_by = StoppedBy::kSamples;
  result.outcome.bound = "delays";
  result.outcome.reached = 2;
  result.outcome.reached_any = true;
  result.outcome.samples = 5;
  result.outcome.totals = Progress::Totals{.transitions = 50, .executions = 5};
  CheckOptions given = options();
  given.search = "ss";
  EXPECT_EQ(told(given, result).verdict_text, "no bug found; sampled up to 2 delays, 5 executions");
  given.search = "ses-ss";  // these went through all up to there, and sampled beyond
  EXPECT_EQ(told(given, result).verdict_text, "no bug found; explored up to 2 delays, 5 executions");
}

TEST(Verdict, SaysThatNothingWasFollowedToItsEnd) {
  SearchResult result;
  result.outcome.stopped_by = StoppedBy::kTime;
  CheckOptions given = options();
  given.given = {{"--time", {"2s"}}};
  result.outcome.totals = Progress::Totals{.transitions = 50};
  EXPECT_EQ(told(given, result).verdict_text, "no bug found; no execution was followed to its end, stopped by --time 2s");
  result.outcome.totals = Progress::Totals{};
  EXPECT_EQ(told(given, result).verdict_text, "no bug found; nothing was explored, stopped by --time 2s");
  result.outcome.totals = Progress::Totals{.transitions = 50, .executions = 1};
  EXPECT_EQ(told(given, result).verdict_text, "no bug found; 1 execution, stopped by --time 2s");
}

TEST(Verdict, TellsOfSealsAndCuts) {
  SearchResult result;
  result.outcome.sealed = true;
  result.outcome.cut = 1;
  result.outcome.put_aside = 2;
  EXPECT_EQ(told(options(), result).notes,
            (std::vector<std::string>{"the program seals: within seals only one order was explored", "1 execution was still running after 10,000 steps, and cut there; --max-depth N cuts them elsewhere",
                                      "2 executions were longer than 10,000 steps and not followed to the end"}));
  CheckOptions given = options();
  given.engine.limits.max_depth_given = true;
  result.outcome.put_aside = 0;
  EXPECT_EQ(told(given, result).notes, (std::vector<std::string>{"the program seals: within seals only one order was explored", "1 execution was cut at --max-depth 10000"}));
}

TEST(Verdict, CountsTheSearchThatDecided) {
  SearchResult result;
  result.outcome.complete = true;
  result.outcome.totals = Progress::Totals{.states = 5};
  EXPECT_EQ(told(options(), result, 100).totals().states, 5u);
}

TEST(Findings, AreMergedIfTheyAreTheSame) {
  const Finding longer{.kind = "assertion", .message = "x", .location = "a:1", .schedule = {}, .steps = 9};
  Finding shorter = longer, other = longer;
  shorter.steps = 3;
  other.location = "a:2";
  const auto kept = merged({longer, other, shorter});
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].count, 2u);
  EXPECT_EQ(kept[0].finding.steps, 3u);
}

TEST(Wire, BringsBackWhatWasSent) {
  SearchResult sent;
  sent.explorer = "mine";
  sent.outcome.stopped_by = StoppedBy::kMemory;
  sent.outcome.notes = {"a note \xff that is not UTF-8"};
  sent.outcome.totals = Progress::Totals{.states = 1, .transitions = 2, .executions = 3, .depth = 4};
  sent.findings = {{.kind = "deadlock", .message = "m", .location = "f:1", .schedule = {{Choice::Kind::kProcess, 4095}, {Choice::Kind::kValue, ~0u}}, .steps = 1, .delays = -1}};
  sent.checks = {.made = {"invariant"}, .missing = {"no end check"}};
  const auto got = process::read_search(process::wire::search_result(sent));
  const auto& result = std::get<SearchResult>(got);
  EXPECT_EQ(result.explorer, "mine");
  EXPECT_EQ(result.checks.made, sent.checks.made);
  EXPECT_EQ(result.checks.missing, sent.checks.missing);
  EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kMemory);
  EXPECT_EQ(result.outcome.totals->depth, 4u);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].schedule, sent.findings[0].schedule);
  EXPECT_EQ(result.findings[0].delays, -1);
  EXPECT_EQ(std::get<Diagnostic>(process::read_search(process::wire::diagnostic({"wrong"}))).text, "wrong");
  EXPECT_EQ(std::get<OurFault>(process::read_replay(process::wire::failure("oh"))).text, "oh");
}

TEST(CommandLine, KnowsTheNearestName) {
  const std::vector<std::string> names = {"dfs", "random-dfs", "ses"};
  EXPECT_EQ(did_you_mean("dsf", names), "; did you mean 'dfs'?");
  EXPECT_EQ(did_you_mean("random_dfs", names), "; did you mean 'random-dfs'?");
  EXPECT_EQ(did_you_mean("portfolio", names), "");
}

TEST(CommandLine, TellsFilesFromNames) {
  EXPECT_TRUE(names_a_file("mine.cpp"));
  EXPECT_TRUE(names_a_file("./mine"));
  EXPECT_FALSE(names_a_file("round-robin"));
  EXPECT_EQ(duration_text(std::chrono::milliseconds(1500)), "1.5 s");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(10'000)), "10 s");
}

}  // namespace
}  // namespace tarry::cli
