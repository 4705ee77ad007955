#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "tests/trace/scratch_folder.h"
#include "trace/render/renderer.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

using testing::contains;
using testing::ScratchFolder;

std::string render_json(const std::vector<Report>& reports) { return renderer("json").whole(reports); }
std::string render_junit(const std::vector<Report>& reports) { return renderer("junit").whole(reports); }

Report bug() {
  Report report;
  report.target = "a<b>&\"c\".cpp";
  report.verdict = Verdict::kBug;
  report.search = {.name = "ses", .explorer = "run-to-completion", .seed = 7, .jobs = 2};
  report.result.outcome.bound = "delays";
  report.result.outcome.reached = 3;
  report.result.outcome.reached_any = true;
  Replay replay;
  replay.steps = {{.number = 1, .process = ProcessId{0}, .process_name = "ann", .values = {}, .label = "reads <0>", .switched = false, .preempted = false, .changes = {}}};
  report.findings = {
      {.finding =
           {.kind = "assertion", .message = "total is 1", .location = "c.cpp:24", .schedule = {}, .steps = 41, .delays = 2},
       .trace = "tarry-out/c.tarry",
       .count = 3,
       .replay = replay}};
  report.effort = {.totals = {.states = 1234, .transitions = 7890, .executions = 56, .depth = 41}, .peak_rss = 12345678, .seconds = 0};
  report.seconds = 0.125;
  report.result.checks.made = {"invariant"};
  report.notes = {"used seals"};
  report.verdict_text = "found a bug.";
  return report;
}

TEST(RenderJson, ContractOfSchemaOne) {
  const std::string expected = std::string(R"({
  "schema": 1,
  "tarry": ")") + std::string(kVersion) +
                               R"(",
  "target": "a<b>&\"c\".cpp",
  "verdict": "bug",
  "reached": {
    "bound": "delays",
    "value": 3
  },
  "complete": false,
  "checks": {
    "made": [
      "invariant"
    ],
    "missing": []
  },
  "stopped_by": null,
  "search": "ses",
  "explorer": "run-to-completion",
  "seed": 7,
  "jobs": 2,
  "findings": [
    {
      "kind": "assertion",
      "message": "total is 1",
      "location": "c.cpp:24",
      "trace": "tarry-out/c.tarry",
      "steps": 41,
      "delays": 2,
      "count": 3
    }
  ],
  "states": 1234,
  "executions": 56,
  "transitions": 7890,
  "samples": 0,
  "depth": 41,
  "seconds": 0.125,
  "search_seconds": 0.0,
  "peak_rss": 12345678,
  "bytes_per_state": 10004.6,
  "notes": [
    "used seals"
  ],
  "verdict_text": "found a bug."
})";
  EXPECT_EQ(render_json({bug()}), expected + "\n");
}

TEST(RenderJson, WhatIsNotThereIsNull) {
  Report report = bug();
  report.verdict = Verdict::kNoBugFound;
  report.result.outcome.reached_any = false;
  report.search.explorer.reset();
  report.result.outcome.stopped_by = StoppedBy::kTime;
  report.seconds = std::numeric_limits<double>::infinity();
  report.findings[0].finding.delays = -1;
  report.findings[0].finding.location = "";
  report.findings[0].trace = "";
  const auto json = nlohmann::json::parse(render_json({report}));
  EXPECT_TRUE(json["reached"].is_null());
  EXPECT_TRUE(json["explorer"].is_null());
  EXPECT_TRUE(json["seconds"].is_null());
  EXPECT_EQ(json["stopped_by"], "time");
  for (const char* field : {"delays", "location", "trace"}) EXPECT_TRUE(json["findings"][0][field].is_null()) << field;
  report.findings.clear();
  EXPECT_EQ(nlohmann::json::parse(render_json({report}))["findings"], nlohmann::json::array());
}

TEST(RenderJson, BytesThatAreNotUtf8DoNotThrow) {
  Report report = bug();
  report.findings[0].finding.message = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(render_json({report})));
}

TEST(RenderJunit, FindingIsAFailure) {
  EXPECT_EQ(render_junit({bug()}), R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tarry" tests="1" failures="1" errors="0" skipped="0" time="0.125">
  <testsuite name="a&lt;b&gt;&amp;&quot;c&quot;.cpp" tests="1" failures="1" errors="0" skipped="0" time="0.125">
    <properties>
      <property name="verdict" value="bug"/>
      <property name="search" value="ses"/>
      <property name="explorer" value="run-to-completion"/>
      <property name="seed" value="7"/>
      <property name="states" value="1234"/>
      <property name="transitions" value="7890"/>
      <property name="executions" value="56"/>
    </properties>
    <testcase classname="tarry" name="a&lt;b&gt;&amp;&quot;c&quot;.cpp" time="0.125">
      <failure type="assertion" message="assertion: total is 1 (c.cpp:24)">replay it with: tarry replay tarry-out/c.tarry
found 3 times
  1  ann  reads &lt;0&gt;
assertion: total is 1 (c.cpp:24)
</failure>
      <system-out>found a bug.
note: used seals
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)xml");
}

TEST(RenderJunit, VerifiedPassesAndNotVerifiedFailsIfAsked) {
  Report report = bug();
  report.findings.clear();
  report.verdict = Verdict::kVerified;
  EXPECT_FALSE(contains(render_junit({report}), "<failure"));
  report.verdict = Verdict::kNoBugFound;
  EXPECT_FALSE(contains(render_junit({report}), "<failure"));
  report.demand.verified = true;
  EXPECT_TRUE(contains(render_junit({report}), "<failure type=\"not-verified\" message=\"found a bug.\">"));
}

TEST(RenderJunit, ControlCharactersAreNotXml) {
  Report report = bug();
  report.findings[0].finding.message = std::string("a\0b\x1b]]>", 7);
  const std::string xml = render_junit({report});
  EXPECT_EQ(xml.find('\0'), std::string::npos);
  EXPECT_TRUE(contains(xml,
                       "a\xEF\xBF\xBD"
                       "b\xEF\xBF\xBD]]&gt;"))
      << xml;
}

TEST(RenderJunit, IsWrittenOverTheOldOne) {
  const ScratchFolder folder;
  const auto write = [&](const Report& report, const char* file) { return write_whole(folder / file, render_junit({report}), Existing::kReplace); };
  EXPECT_FALSE(write(bug(), "ci/out.xml"));
  Report report = bug();
  report.search.seed = 8;
  EXPECT_FALSE(write(report, "ci/out.xml"));
  EXPECT_EQ(ScratchFolder::read(folder / "ci/out.xml"), render_junit({report}));
  EXPECT_EQ(folder.count(".tmp"), 0u);
  EXPECT_TRUE(write(report, "ci")) << "a folder is in the way";
}

}  // namespace
}  // namespace tarry
