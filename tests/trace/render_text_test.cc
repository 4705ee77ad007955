#include <gtest/gtest.h>

#include "tests/trace/scratch_folder.h"
#include "tests/trace/tiny_models.h"
#include "trace/render/plain_text.h"
#include "trace/render/text.h"

namespace tarry {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): tiny models

Finding finding_of(const Replay& run) {
  return {.kind = run.ending.kind,
          .message = run.ending.message,
          .location = run.ending.location,
          .schedule = {},
          .steps = run.steps.size(),
          .delays = 1};
}

TEST(RenderText, SmallTrace) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {});
  EXPECT_EQ(render_trace_text(run, finding_of(run), {}),
            "  1  ann  reads 0   pc[0] 0 -> 1\n"
            "! 2  bob  reads 0   pc[1] 0 -> 1\n"
            "  3  bob  writes 1  pc[1] 1 -> 2, total 0 -> 1\n"
            "> 4  ann  writes 1  pc[0] 1 -> 2\n"
            "> another process goes on, because the one before cannot\n"
            "! another process goes on, although the one before could\n"
            "after step 4:\n"
            "  pc     [2 2]\n"
            "  copy   [0 0]\n"
            "  total  1\n"
            "assertion: an update was lost: total is 1 (counter.cpp:24)\n");
}

TEST(RenderText, VerboseShowsTheStart) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0}), {});
  EXPECT_EQ(render_trace_text(run, {.kind = "crash", .message = "", .location = "", .schedule = {}}, {.verbose = true}),
            "at the start:\n"
            "  pc     [0 0]\n"
            "  copy   [0 0]\n"
            "  total  0\n"
            "  1  ann  reads 0  pc[0] 0 -> 1\n"
            "after step 1:\n"
            "  pc     [1 0]\n"
            "  copy   [0 0]\n"
            "  total  0\n"
            "crash\n");
}

TEST(RenderText, NarrowLinesWrapBetweenChanges) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 0}), {});
  const std::string text = render_trace_text(run, finding_of(run), {.width = 40});
  EXPECT_TRUE(contains(text,
                       "  2  ann  writes 1  pc[0] 1 -> 2,\n"
                       "                    total 0 -> 1\n"))
      << text;
}

TEST(RenderText, LongTracesAreAbbreviatedInTheMiddle) {
  const Replay run = replay(*program_of<Clock>(), std::vector<Choice>(1234, {Choice::Kind::kProcess, 0}), {});
  const Finding finding{.kind = "livelock", .message = "", .location = "", .schedule = {}};
  const std::string text = render_trace_text(run, finding, {});
  EXPECT_TRUE(contains(text,
                       "     40  process 0  ticks  time 39 -> 40\n"
                       "  ... 1,134 steps are left out here (41 to 1,174); --verbose shows them\n"
                       "  1,175  process 0  ticks  time 1174 -> 1175\n"))
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 40 + 1 + 60 + 2 + 1);
  const std::string all = render_trace_text(run, finding, {.verbose = true});
  EXPECT_FALSE(contains(all, "left out"));
  EXPECT_TRUE(contains(all, "  1,000  process 0  ticks  time 999 -> 1000\n"));
  EXPECT_TRUE(contains(render_trace_text(run, finding, {.max_steps = 5}), "  ... 1,229 steps are left out here (3 to 1,231)"));
}

TEST(RenderText, StepsThatWereNotToldAreCountedAndPromisedToTheVerbose) {
  const Replay run = replay(*program_of<Clock>(), std::vector<Choice>(1234, {Choice::Kind::kProcess, 0}), {}, {}, {.first = 100, .last = 100});
  const std::string text = render_trace_text(run, {.kind = "livelock", .message = "", .location = "", .schedule = {}}, {});
  EXPECT_TRUE(contains(text, "  ... 1,134 steps are left out here (41 to 1,174); --verbose shows them\n")) << text;
}

TEST(RenderText, StepsThatWereNotToldAreNotPromised) {
  const Replay run = replay(*program_of<Clock>(), std::vector<Choice>(100'005, {Choice::Kind::kProcess, 0}), {});
  const std::string text =
      render_trace_text(run, {.kind = "livelock", .message = "", .location = "", .schedule = {}}, {.verbose = true});
  EXPECT_TRUE(contains(text, "  ... 5 steps are left out here (20,001 to 20,005)\n"));
}

TEST(RenderText, ColorsOnlyIfAsked) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {});
  EXPECT_FALSE(contains(render_trace_text(run, finding_of(run), {}), "\x1b"));
  const std::string colored = render_trace_text(run, finding_of(run), {.color = true});
  EXPECT_TRUE(contains(colored, "\x1b[2mpc[0] 0 -> 1\x1b[0m\n")) << colored;
  EXPECT_TRUE(contains(colored, "\x1b[1;31massertion: an update was lost: total is 1 (counter.cpp:24)\x1b[0m\n")) << colored;
}

TEST(RenderText, DivergenceIsShown) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 0, 0}), {});
  const std::string text =
      render_trace_text(run, {.kind = "deadlock", .message = "nobody moves", .location = "", .schedule = {}}, {});
  EXPECT_TRUE(text.ends_with("diverged at step 3: process 0 cannot run here\ndeadlock: nobody moves\n")) << text;
}

TEST(RenderText, ValuesAndLongLabels) {
  Replay run;
  run.fingerprints = {1, 2};
  run.steps.push_back({.number = 1,
                       .process = ProcessId{0},
                       .process_name = "a",
                       .values = {1, 0},
                       .label = "draws",
                       .switched = false,
                       .preempted = false,
                       .changes = {{"x", "0 -> 1"}}});
  run.steps.push_back({.number = 2,
                       .process = ProcessId{0},
                       .process_name = "a",
                       .values = {3},
                       .label = "",
                       .switched = false,
                       .preempted = false,
                       .changes = {}});
  run.steps.push_back({.number = 3,
                       .process = ProcessId{1},
                       .process_name = "b",
                       .values = {},
                       .label = std::string(50, 'y'),
                       .switched = true,
                       .preempted = false,
                       .changes = {{"x", "1 -> 2"}}});
  const std::string text = render_trace_text(run, {.kind = "crash", .message = "m", .location = "", .schedule = {}}, {});
  EXPECT_EQ(text, "  1  a  draws, chooses 1 0" + std::string(44 - 18, ' ') + "  x 0 -> 1\n" + "  2  a  chooses 3\n" + "> 3  b  " +
                      std::string(50, 'y') + "\n" + std::string(54, ' ') + "x 1 -> 2\n" +
                      "> another process goes on, because the one before cannot\ncrash: m\n");
}

TEST(RenderText, ProgramsCannotWriteToTheTerminal) {
  Replay run;
  run.steps.push_back({.number = 1,
                       .process = ProcessId{0},
                       .process_name = "a\x1b[2J",
                       .values = {},
                       .label = "x\ny\xff",
                       .switched = false,
                       .preempted = false,
                       .changes = {{"f", "\r"}}});
  const std::string text = render_trace_text(run, {.kind = "crash", .message = "a\nb", .location = "", .schedule = {}}, {});
  EXPECT_EQ(text, "  1  a\xEF\xBF\xBD[2J  x y\xEF\xBF\xBD  f \xEF\xBF\xBD\ncrash: a b\n");
}

TEST(PlainText, KeepsWhatIsWellFormed) {
  EXPECT_EQ(plain_text("ä€😀"), "ä€😀");
  EXPECT_EQ(columns("ä€😀"), 3u);
  EXPECT_EQ(plain_text("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(columns(plain_text("\xED\xA0\x80")), 3u) << "surrogate";
  EXPECT_EQ(plain_text("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut short";
  EXPECT_EQ(plain_text("a\tb\nc"), "a b c");
  EXPECT_EQ(plain_text("a\nb", Lines::kKeep), "a\nb");
}

}  // namespace
}  // namespace tarry
