#include <gtest/gtest.h>

#include "trace/render/sequence.h"

namespace tarry {
namespace {

using Kind = Happening::Kind;

ReplayedStep step(std::uint64_t number, const std::string& who, char mark, std::vector<Happening> happenings) {
  return {.number = number,
          .process = ProcessId{0},
          .process_name = who,
          .values = {},
          .label = "",
          .switched = mark != ' ',
          .preempted = mark == '!',
          .changes = {},
          .happenings = std::move(happenings)};
}

Happening at(Kind kind, const std::string& who, const std::string& text, const std::string& place = "a/b.p:1:2") {
  return {.kind = kind, .observer = false, .who = who, .whom = "", .text = text, .detail = "", .location = place};
}

Happening arrow(Kind kind, const std::string& who, const std::string& whom, const std::string& text,
                const std::string& detail = "") {
  return {.kind = kind, .observer = false, .who = who, .whom = whom, .text = text, .detail = detail, .location = "a/b.p:12:3"};
}

Happening spec(Kind kind, const std::string& text) {
  return {.kind = kind, .observer = true, .who = "Spec", .whom = "", .text = text, .detail = "", .location = "a/b.p:30:3"};
}

/// A makes B, asks, is answered late; the spec sees it and is violated.
Replay sample() {
  Replay out;
  out.steps = {step(1, "A(1)", ' ',
                    {at(Kind::kEnter, "A(1)", "Init"), arrow(Kind::kCreate, "A(1)", "B(2)", "new"),
                     arrow(Kind::kSend, "A(1)", "B(2)", "eAsk", "<n:1, >")}),
               step(2, "A(1)", ' ', {arrow(Kind::kArrive, "A(1)", "B(2)", "eAsk")}),
               step(3, "B(2)", '>',
                    {at(Kind::kTake, "B(2)", "eAsk"), at(Kind::kEnter, "B(2)", "Busy"),
                     arrow(Kind::kSend, "B(2)", "A(1)", "eYes"), spec(Kind::kSee, "eYes"), spec(Kind::kEnter, "Owed")}),
               step(4, "A(1)", '!', {at(Kind::kNote, "A(1)", "chooses true")}),
               step(5, "B(2)", '>', {arrow(Kind::kArrive, "B(2)", "A(1)", "eYes"), at(Kind::kHalt, "B(2)", "halts")}),
               step(6, "A(1)", '>',
                    {at(Kind::kTake, "A(1)", "eYes"), arrow(Kind::kSend, "A(1)", "B(2)", "eBye"), spec(Kind::kSee, "eBye")})};
  out.last_state = {
      {"A(1)", "running in 'Init'"}, {"A(1).n", "4"}, {"B(2)", "halted"}, {"Spec", "in 'Owed'"}, {"Other", "in 'X'"}};
  out.ending = {.label = "",
                .kind = "spec",
                .message = "no",
                .location = "a/b.p:31:4",
                .happenings = {},
                .who = {"Spec", "A(1)"},
                .cut_short = true};
  out.fingerprints.resize(6);
  return out;
}

Finding finding() { return {.kind = "spec", .message = "no", .location = "a/b.p:31:4", .schedule = {}, .steps = 6}; }

TEST(RenderSequence, Chart) {
  EXPECT_EQ(render_trace_text(sample(), finding(), {}),
            "             A(1)        B(2)\n"
            "  1  b.p:1   │ [Init]\n"
            "     b.p:12  ├───new────▶┬\n"
            "     b.p:12  ├───eAsk───▶│ <n:1, >\n"
            "> 3  b.p:1   │           ● eAsk [Busy]\n"
            "     b.p:12  │◀───eYes───┤\n"
            "     b.p:30  │           │   Spec sees eYes → [Owed]\n"
            "! 4  b.p:1   │ chooses true\n"
            "> 5  b.p:12  │◀┄┄┄eYes┄┄┄┤ arrives\n"
            "     b.p:1   │           ╳ halts\n"
            "> 6  b.p:1   ● eYes\n"
            "     b.p:12  ├───eBye───▶\n"
            "✗    b.p:31  │               ✗ Spec is violated\n"
            "> another machine goes on, because the one before cannot\n"
            "! another machine goes on, although the one before could\n"
            "before step 6 (all values: --verbose):\n"
            "  A(1)    running in 'Init'\n"
            "  A(1).n  4\n"
            "  Spec    in 'Owed'\n"
            "spec: no (a/b.p:31:4)\n");
}

TEST(RenderSequence, Ascii) {
  RenderOptions options;
  options.ascii = true;
  const std::string text = render_trace_text(sample(), finding(), options);
  EXPECT_NE(text.find("     b.p:12  +---eAsk--->| <n:1, >\n"), std::string::npos) << text;
  EXPECT_NE(text.find("> 5  b.p:12  |<...eYes...+ arrives\n"), std::string::npos) << text;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

TEST(RenderSequence, ListWhereColumnsDoNotFit) {
  RenderOptions options;
  options.chart_width = 35;
  const std::string text = render_trace_text(sample(), finding(), options);
  EXPECT_EQ(text.substr(0, text.find("> another")),
            "  1  b.p:1   A(1) [Init]\n"
            "     b.p:12  A(1) ──new──▶ B(2)\n"
            "     b.p:12  A(1) ──eAsk──▶ B(2)\n"
            "> 3  b.p:1   B(2) takes eAsk [Busy]\n"
            "     b.p:12  B(2) ──eYes──▶ A(1)\n"
            "     b.p:30    Spec sees eYes → [Owed]\n"
            "! 4  b.p:1   A(1) chooses true\n"
            "> 5  b.p:12  B(2) ┄┄eYes┄┄▶ A(1) arrives\n"
            "     b.p:1   B(2) halts\n"
            "> 6  b.p:1   A(1) takes eYes\n"
            "     b.p:12  A(1) ──eBye──▶ B(2)\n"
            "✗    b.p:31    ✗ Spec is violated\n");
}

TEST(RenderSequence, VerboseHasEverything) {
  RenderOptions options;
  options.verbose = true;
  const std::string text = render_trace_text(sample(), finding(), options);
  EXPECT_NE(text.find("  2  b.p:12  ├┄┄┄eAsk┄┄┄▶│ arrives\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Spec sees eBye\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  Other   in 'X'\n"), std::string::npos) << text;
}

TEST(RenderSequence, LongPayloadsAreCutAndWholeWithVerbose) {
  Replay run = sample();
  run.steps[0].happenings[2].detail = std::string(200, 'p');
  RenderOptions options;
  std::string text = render_trace_text(run, finding(), options);
  EXPECT_NE(text.find("pp…\n"), std::string::npos) << text;
  EXPECT_EQ(text.find(std::string(200, 'p')), std::string::npos) << text;
  options.verbose = true;
  text = render_trace_text(run, finding(), options);
  EXPECT_NE(text.find("                 " + std::string(200, 'p') + "\n"), std::string::npos) << text;
}

TEST(RenderSequence, MachinesThatWereMadeInStepsThatAreNotToldLiveBehindTheGap) {
  Replay run;
  run.steps = {step(1, "A(1)", ' ', {at(Kind::kEnter, "A(1)", "Init")}), step(900, "A(1)", ' ', {at(Kind::kNote, "A(1)", "x")}),
               step(901, "A(1)", ' ', {arrow(Kind::kCreate, "A(1)", "D(4)", "new")}), step(902, "C(3)", '>', {at(Kind::kNote, "C(3)", "y")})};
  run.verbose_tells_more = true;
  run.last_state = {{"C(3)", "running in 'Init'"}, {"C(3).inbox", "empty"}, {"E(5)", "idle in 'Init'"}, {"E(5).inbox", "empty"}};
  run.ending = {.label = "", .kind = "assertion", .message = "no", .location = "a/b.p:31:4", .happenings = {}, .who = {"C(3)"}};
  const std::string text = render_trace_text(run, {.kind = "assertion", .message = "no", .location = "a/b.p:31:4", .schedule = {}, .steps = 902}, {});
  EXPECT_NE(text.find("A(1)        D(4)        C(3)\n"), std::string::npos) << text;  // and no column for E(5), which does nothing
  EXPECT_NE(text.find("│ [Init]\n  ... 898 steps are left out here (2 to 899); --verbose shows them\n"), std::string::npos) << text;
  EXPECT_NE(text.find("│ x                     │\n"), std::string::npos) << text;
  EXPECT_NE(text.find("├───new────▶┬           │\n"), std::string::npos) << text;
}

TEST(RenderSequence, LongExecutionsAreLeftOutInTheMiddle) {
  Replay run = sample();
  const std::vector<ReplayedStep> last(run.steps.begin() + 1, run.steps.end());
  run.steps.resize(1);
  for (std::uint64_t i = 2; i <= 501; ++i) run.steps.push_back(step(i, "A(1)", ' ', {at(Kind::kNote, "A(1)", "chooses true")}));
  for (ReplayedStep s : last) s.number += 500, run.steps.push_back(s);
  const std::string text = render_trace_text(run, finding(), {});
  EXPECT_NE(text.find("  ... 413 steps are left out here (39 to 451); --verbose shows them\n"), std::string::npos) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120);
}

TEST(RenderSequence, NoFindingNoFailure) {
  Replay run = sample();
  run.ending = {};
  const std::string text = render_trace_text(run, {}, {});
  EXPECT_EQ(text.find("✗"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("  A(1).n  4\n")) << text;
}

TEST(RenderSequence, TextOfTheProgramCannotBreakTheChart) {
  Replay run = sample();
  run.steps[0].happenings[2].detail = "a\nb\x1b[31m\xff";
  run.steps[3].happenings[0].text = "prints \"\t\"";
  const std::string text = render_trace_text(run, finding(), {});
  EXPECT_NE(text.find("a b\xEF\xBF\xBD[31m\xEF\xBF\xBD\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tarry
