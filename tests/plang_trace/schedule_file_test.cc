#include <gtest/gtest.h>

#include "base/rng.h"
#include "plang/trace/schedule_file.h"

namespace tarry::plang {
namespace {

using Kind = ScheduleStep::Kind;

const char* const kText =
    "--fair-scheduling\n"
    "--liveness-temperature-threshold:500\n"
    "--test-method:tcSafety\n"
    "(0)\n"
    "(1)\n"
    "True\n"
    "7\n"
    "(12)\n"
    "False\n";

TEST(ScheduleFile, IsReadAndWrittenAlike) {
  const auto file = parse_schedule("a.schedule", kText);
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->test, "tcSafety");
  EXPECT_TRUE(file->fair);
  EXPECT_EQ(file->threshold, 500u);
  const std::vector<ScheduleStep> steps{{Kind::kDecision, 0, 4}, {Kind::kDecision, 1, 5},  {Kind::kBoolean, 1, 6},
                                        {Kind::kInteger, 7, 7},  {Kind::kDecision, 12, 8}, {Kind::kBoolean, 0, 9}};
  EXPECT_EQ(file->steps, steps);
  EXPECT_EQ(schedule_text(*file), kText);
}

TEST(ScheduleFile, CommentsEmptyLinesAndCarriageReturnsMeanNothing) {
  const auto file = parse_schedule("a.schedule", "// made by hand\r\n\r\n(0)\r\n// (9)\n(1)");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(schedule_text(*file), "(0)\n(1)\n");
}

std::string problem(std::string_view text) {
  const auto file = parse_schedule("a.schedule", text);
  return file ? "none" : file.error().text;
}

TEST(ScheduleFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem(""), "a.schedule:1:1: error: expected a decision such as (0), found the end of the file");
  EXPECT_EQ(problem("(0)\nTrue1\n"),
            "a.schedule:2:1: error: expected a decision such as (1), True, False or a number, found 'True1'");
  EXPECT_EQ(problem("(0)\n(x)\n"), "a.schedule:2:2: error: expected the number of an operation, found 'x'");
  EXPECT_EQ(problem("(0)\n()\n"), "a.schedule:2:2: error: expected the number of an operation, found nothing");
  EXPECT_EQ(problem("(0)\n(\n"), "a.schedule:2:2: error: expected the number of an operation, found nothing");
  EXPECT_EQ(problem("(0)\n(1\n"), "a.schedule:2:3: error: expected ')', found the end of the line");
  EXPECT_EQ(problem("(0)\n(4294967296)\n"), "a.schedule:2:2: error: expected the number of an operation, found '4294967296'");
  EXPECT_EQ(problem("(0)\n99999999999999999999\n"),
            "a.schedule:2:1: error: expected a decision such as (1), True, False or a number, found '99999999999999999999'");
  EXPECT_EQ(problem("(1)\n"), "a.schedule:1:1: error: expected (0), the start of the root task, as the first step, found '(1)'");
  EXPECT_EQ(
      problem("--fast\n(0)\n"),
      "a.schedule:1:1: error: expected --test-method:, --fair-scheduling or --liveness-temperature-threshold:, found '--fast'");
  EXPECT_EQ(problem("--liveness-temperature-threshold:x\n(0)\n"),
            "a.schedule:1:34: error: expected a number of steps, found 'x'");
  EXPECT_EQ(problem("--test-method:\n(0)\n"), "a.schedule:1:15: error: expected the name of a test, found nothing");
  EXPECT_EQ(problem("(0)\n--fair-scheduling\n"),
            "a.schedule:2:1: error: expected a decision such as (1), True, False or a number, found '--fair-scheduling', which "
            "belongs before the first step");
}

/// Either read, and then written so that it reads the same, or refused with a place.
void expect_sane(const std::string& text) {
  const auto file = parse_schedule("f", text);
  if (!file) {
    EXPECT_TRUE(file.error().text.starts_with("f:")) << file.error().text;
    EXPECT_NE(file.error().text.find(": error: expected "), std::string::npos) << file.error().text;
    return;
  }
  const auto again = parse_schedule("f", schedule_text(*file));
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(schedule_text(*again), schedule_text(*file));
}

TEST(ScheduleFile, EveryTruncationIsReadOrRefused) {
  const std::string text = kText;
  for (std::size_t length = 0; length <= text.size(); ++length) expect_sane(text.substr(0, length));
}

TEST(ScheduleFile, RandomChangesAreReadOrRefused) {
  const std::string text = kText;
  for (std::uint64_t run = 0; run < 20'000; ++run) {
    Rng rng(3, run);
    std::string changed = text;
    for (std::uint64_t i = 0, most = 1 + rng.below(4); i < most; ++i) {
      const std::size_t at = rng.below(changed.size());
      const auto byte = static_cast<char>(rng.below(256));
      if (rng.below(3) == 0) changed.erase(at, 1 + rng.below(3));
      else if (rng.below(2) == 0) changed.insert(at, 1, byte);
      else changed[at] = byte;
      if (changed.empty()) break;
    }
    expect_sane(changed);
  }
}

}  // namespace
}  // namespace tarry::plang
