#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "tests/trace/scratch_folder.h"
#include "trace/render/json.h"
#include "trace/render/junit.h"

namespace tarry {
namespace {

using testing::contains;
using testing::ScratchFolder;

Report bug() {
  Report report;
  report.target = "a<b>&\"c\".cpp";
  report.verdict = "bug";
  report.reached = {"delays", 3};
  report.stopped_by = std::nullopt;
  report.search = "ses";
  report.explorer = "run-to-completion";
  report.seed = 7;
  report.jobs = 2;
  report.findings = {
      {.finding =
           {.kind = "assertion", .message = "total is 1", .location = "c.cpp:24", .schedule = {}, .steps = 41, .delays = 2},
       .trace = "tarry-out/c.tarry",
       .count = 3,
       .text = "  1  ann  reads <0>\n"}};
  report.states = 1234;
  report.executions = 56;
  report.transitions = 7890;
  report.depth = 41;
  report.seconds = 0.125;
  report.peak_rss = 12345678;
  report.bytes_per_state = 14.204;
  report.checks.made = {"invariant"};
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
  "bytes_per_state": 14.2,
  "notes": [
    "used seals"
  ],
  "verdict_text": "found a bug."
})";
  EXPECT_EQ(render_json({bug()}), expected);
}

TEST(RenderJson, WhatIsNotThereIsNull) {
  Report report = bug();
  report.verdict = "no-bug-found";
  report.reached.reset();
  report.explorer.reset();
  report.stopped_by = "time";
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
  report.verdict = "verified";
  EXPECT_FALSE(contains(render_junit({report}), "<failure"));
  report.verdict = "no-bug-found";
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
  EXPECT_FALSE(write_junit(folder / "ci/out.xml", {bug()}));
  Report report = bug();
  report.seed = 8;
  EXPECT_FALSE(write_junit(folder / "ci/out.xml", {report}));
  EXPECT_EQ(ScratchFolder::read(folder / "ci/out.xml"), render_junit({report}));
  EXPECT_EQ(folder.count(".tmp"), 0u);
  EXPECT_TRUE(write_junit(folder / "ci", {report})) << "a folder is in the way";
}

}  // namespace
}  // namespace tarry
