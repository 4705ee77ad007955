// Marks of P's transitions, who is enabled, and whether what is left out of a search matters for liveness.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/p_endless.h"
#include "tests/support/p_everything.h"
#include "tests/support/run_search.h"
#include "trace/replayer.h"

namespace tarry::test {
namespace {

using plang::Points;

struct Verdicts {
  std::vector<bool> violated;  // by fairness, choices and property
  std::set<std::string> failures;
  bool operator==(const Verdicts&) const = default;
};

std::optional<Verdicts> verdicts(const Program& program, std::size_t most) {
  const auto graph = live_graph(program, most);
  if (!graph) return std::nullopt;
  Verdicts out{.violated = {}, .failures = graph->failures};
  for (const OracleFairness fairness : {OracleFairness::kNone, OracleFairness::kWeak, OracleFairness::kStrong})
    for (const bool fair_choices : {false, true})
      for (std::uint32_t p = 0; p < program.properties().size(); ++p)
        out.violated.push_back(FairOracle(*graph, fairness, fair_choices).violated(p));
  return out;
}

/// One property; weak fairness.
bool violated(const std::string& text, bool fair_choices = true, Points points = Points::kNeeded) {
  const Searchable p(text, points);
  EXPECT_EQ(p.program->properties().size(), 1u);
  const auto graph = live_graph(*p.program, 5000);
  EXPECT_TRUE(graph);
  return graph && FairOracle(*graph, OracleFairness::kWeak, fair_choices).violated(0);
}

/// A machine that goes round for ever, and says what is given in each round.
std::string round(const std::string& says, const std::string& spec) {
  return "event again; event ask; event got; event other;\n"
         "machine Main { start state S { entry { send this, again; } on again do { " + says + " send this, again; } } }\n" + spec +
         "\ntest t [main=Main]: assert Answered in { Main };\n";
}

const char* const kAnswered = R"(spec Answered observes ask, got, other {
  start cold state Calm { on ask goto Waits; ignore got, other; }
  hot state Waits { on got goto Calm; on other goto Between; ignore ask; }
  state Between { on ask goto Waits; on got goto Calm; ignore other; } })";

TEST(PLiveness, ARequestThatIsGrantedInEachRoundIsNoBug) { EXPECT_FALSE(violated(round("announce ask; announce got;", kAnswered))); }
TEST(PLiveness, ARequestThatIsNeverGrantedIsOne) { EXPECT_TRUE(violated(round("announce ask;", kAnswered))); }
// Hot inside of the step only, and never cold.
TEST(PLiveness, HotInTheMiddleOfAStepCounts) {
  EXPECT_TRUE(violated(round("announce ask; announce other;", kAnswered)));
  EXPECT_TRUE(violated(round("announce ask; announce other;", kAnswered), true, Points::kAll));
}
// Cold inside of the step only: got, then ask.
TEST(PLiveness, ColdInTheMiddleOfAStepCounts) {
  for (const Points points : {Points::kNeeded, Points::kAll}) EXPECT_FALSE(violated(round("announce got; announce ask;", kAnswered), true, points));
}
// A cold state that is left at once, in one event.
TEST(PLiveness, ColdInTheMiddleOfAnEventCounts) {
  const char* const spec = R"(spec Answered observes ask, got {
  start hot state Waits { on got goto Calm; ignore ask; }
  cold state Calm { entry { goto Waits; } ignore ask, got; } })";
  EXPECT_FALSE(violated(round("announce got;", spec)));
  EXPECT_TRUE(violated(round("announce ask;", spec)));
}

/// Data and acknowledgement over a channel that loses either, by one `$`; who waits is told by a time-out.
const char* const kRetransmission = R"(event packet: machine; event ack; event timeout; event begun; event over;
fun lossy(receiver: machine, sender: machine, first: bool) {
  if ($) { if (first) { send receiver, packet, sender; } else { send sender, ack; } } else { send sender, timeout; } }
machine Main { var r: machine; start state S { entry { r = new Receiver(); announce begun; goto Sending; } }
  state Sending { entry { lossy(r, this, true); } on ack goto Done; on timeout goto Sending; }
  state Done { entry { announce over; } ignore ack, timeout; } }
machine Receiver { start state S { on packet do (sender: machine) { lossy(this, sender, false); } } }
spec Delivered observes begun, over { start state Calm { on begun goto Waits; } hot state Waits { on over goto Gone; } cold state Gone { } }
test t [main=Main]: assert Delivered in { Main, Receiver };
)";

// Fair by place would not be enough: the one `$` may pass all data and lose all acknowledgements.
TEST(PLiveness, RetransmissionNeedsFairChoices) {
  EXPECT_TRUE(violated(kRetransmission, false));
  EXPECT_FALSE(violated(kRetransmission, true));
}

TEST(PLiveness, DoubledDollarsAreMarkedAsFair) {
  const auto fair_bits = [](const std::string& says) {
    const Searchable p(round(says, kAnswered));
    const auto graph = live_graph(*p.program, 100);
    std::set<std::uint32_t> out;
    for (const auto& edge : graph->edges)
      if (!edge.values.empty()) out.insert(edge.resolved.fair);
    return out;
  };
  EXPECT_EQ(fair_bits("if ($) { announce ask; }"), std::set<std::uint32_t>{0});
  EXPECT_EQ(fair_bits("if ($$) { announce ask; }"), std::set<std::uint32_t>{1});
  EXPECT_EQ(fair_bits("if ($ == $$) { announce ask; } else { if (choose(3) == 1) { announce got; } }"), std::set<std::uint32_t>{2});
}

const char* const kTimers = R"(event fired; event asked; event answered;
machine Main { var t: machine; start state S { entry { announce asked; t = new Timer(this); }
  on fired do { ANSWER announce asked; t = new Timer(this); } } }
machine Timer { start state S { entry (m: machine) { send m, fired; raise halt; } } }
spec Answered observes asked, answered { start cold state Calm { on asked goto Waits; ignore answered; } hot state Waits { on answered goto Calm; ignore asked; } }
test t [main=Main]: assert Answered in { Main, Timer };
)";

TEST(PLiveness, MachinesThatAreCreatedInTheLoopLetItClose) {
  const auto with = [](const std::string& answer) {
    std::string out = kTimers;
    return out.replace(out.find("ANSWER"), 6, answer);
  };
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_TRUE(violated(with(""), true, points));
    EXPECT_FALSE(violated(with("announce answered;"), true, points));
  }
}

// Another machine is enabled all the time and never runs: no fair execution. Local steps hide it in most states, but not from fairness.
TEST(PLiveness, MachinesThatWaitBehindLocalStepsAreEnabled) {
  const std::string text = R"(event again; event ask; event got;
machine Main { start state S { entry { announce ask; new Helper(); send this, again; } on again do { send this, again; } } }
machine Helper { start state S { entry { announce got; } } }
spec Answered observes ask, got { start cold state Calm { on ask goto Waits; ignore got; } hot state Waits { on got goto Calm; ignore ask; } }
test t [main=Main]: assert Answered in { Main, Helper };
)";
  EXPECT_FALSE(violated(text));
  EXPECT_FALSE(violated(text, true, Points::kAll));
  const Searchable p(text);
  const auto graph = live_graph(*p.program, 100);
  EXPECT_TRUE(FairOracle(*graph, OracleFairness::kNone, true).violated(0));
  EXPECT_TRUE(std::any_of(graph->enabled.begin(), graph->enabled.end(), [](const auto& who) { return who.size() == 2; }));

  // In every round there is a state in which only the local step of Other is explored. Helper can run there, too.
  const std::string local = R"(event again; event ask; event got; event done;
machine Main { var other: machine; start state S { entry { announce ask; new Helper(); other = new Other(); send this, again; } on again do { send other, done; send this, again; } } }
machine Helper { start state S { entry { announce got; } } }
machine Other { start state S { on done do { } } }
spec Answered observes ask, got { start cold state Calm { on ask goto Waits; ignore got; } hot state Waits { on got goto Calm; ignore ask; } }
test t [main=Main]: assert Answered in { Main, Helper, Other };
)";
  EXPECT_FALSE(violated(local));
  const Searchable q(local);
  EXPECT_TRUE(FairOracle(*live_graph(*q.program, 100), OracleFairness::kNone, true).violated(0));
}

TEST(PLiveness, SchedulesWithMachinesThatAreCreatedInTheLoopClose) {
  std::string text = kTimers;
  text.replace(text.find("ANSWER"), 6, "");
  const Searchable p(text);
  const auto space = p.program->open();
  std::vector<Word> state(p.program->shape().words);
  ASSERT_EQ(space->initial(state.data()).kind, FindingKind(""));
  Finding finding;
  std::vector<std::vector<Word>> met{state};
  Expansion expansion(p.program->shape().words);
  std::uint64_t loop = 0;
  while (loop == 0) {
    ASSERT_LT(met.size(), 100u);
    space->expand(met.back(), expansion);
    ASSERT_GT(expansion.count, 0u);
    finding.schedule.push_back({Choice::Kind::kProcess, expansion.successors[0].process});
    state.assign(expansion.state(0).begin(), expansion.state(0).end());
    if (const auto again = std::find(met.begin(), met.end(), state); again != met.end()) loop = static_cast<std::uint64_t>(again - met.begin()) + 1;
    met.push_back(state);
  }
  p.program->make_portable(finding);
  const plang::PProgram replayed(*p.ready.code, p.ready.test(), p.points, plang::Purpose::kReplay);
  EXPECT_TRUE(replayed.closes(finding.schedule, loop));
  EXPECT_FALSE(replayed.closes(finding.schedule, loop + 1));
}

/// What a search finds, with these rules. Loops must close when they are replayed.
Searched searched(const Searchable& p, LoopFairness fairness, LoopChoices choices) {
  SearchOptions options;
  options.limits.memory = 256 << 20;
  options.fairness = fairness;
  options.choices = choices;
  Searched out = run_search(*p.program, "fair-cycle", "round-robin", options);
  for (Finding finding : out.findings) {
    p.program->make_portable(finding);
    const plang::PProgram again(*p.ready.code, p.ready.test(), p.points, plang::Purpose::kReplay);
    Telling telling;
    telling.loop = finding.loop;
    const Replay shown = replay(again, finding.schedule, {}, {}, telling);
    EXPECT_FALSE(shown.diverged_at) << shown.divergence;
    EXPECT_EQ(shown.ending.kind, finding.kind);
    EXPECT_EQ(shown.ending.message, finding.message);
  }
  return out;
}

// Two specs that are hot in turn; one that cools inside of a step; machines that are created in the loop.
TEST(PLiveness, TheSearchFindsLoops) {
  const auto found = [](const std::string& text, LoopChoices choices = LoopChoices::kFair) {
    const Searched out = searched(Searchable(text), LoopFairness::kWeak, choices);
    EXPECT_EQ(out.findings.empty(), out.outcome.live);
    return out.findings.empty() ? std::string() : out.findings[0].message;
  };
  const std::string stays = "spec 'Answered' stays hot in an execution that goes on for ever";
  EXPECT_EQ(found(round("announce ask;", kAnswered)), stays);
  EXPECT_EQ(found(round("announce got; announce ask;", kAnswered)), "");
  const std::string in_turn = R"(event again; event a; event b;
machine Main { start state S { entry { send this, again; } on again do { announce a; send this, again; announce b; } } }
spec A observes a, b { start cold state Calm { on a goto Hot; ignore b; } hot state Hot { on b goto Calm; ignore a; } }
spec B observes a, b { start cold state Calm { on b goto Hot; ignore a; } hot state Hot { on a goto Calm; ignore b; } }
test t [main=Main]: assert A, B in { Main };
)";
  EXPECT_EQ(found(in_turn), "");
  std::string timers = kTimers;
  EXPECT_EQ(found(timers.replace(timers.find("ANSWER"), 6, "")), stays);
  EXPECT_EQ(found(kRetransmission), "");
  EXPECT_EQ(found(kRetransmission, LoopChoices::kDemonic), "spec 'Delivered' stays hot in an execution that goes on for ever");
}

TEST(PLiveness, ChoicesThatAProofRestsOnAreNamed) {
  const Searched out = searched(Searchable(kRetransmission), LoopFairness::kWeak, LoopChoices::kFair);
  const auto& notes = out.outcome.notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return note.find("test.p:3") != std::string::npos; }))
      << testing::PrintToString(notes);
}

TEST(PLiveness, TheSearchFindsWhatTheOracleFinds) {
  std::size_t bugs = 0, none = 0;
  for (std::uint64_t seed = 5001; seed <= 5000 + fewer(400u); ++seed) {
    const Searchable p(EndlessProgram(seed).text(), seed % 3 == 0 ? Points::kAll : Points::kNeeded);
    const auto graph = live_graph(*p.program, 500);
    if (!graph) continue;
    for (const auto& [fairness, oracle] : {std::pair(LoopFairness::kNone, OracleFairness::kNone), std::pair(LoopFairness::kWeak, OracleFairness::kWeak),
                                           std::pair(LoopFairness::kStrong, OracleFairness::kStrong)})
      for (const LoopChoices choices : {LoopChoices::kFair, LoopChoices::kDemonic}) {
        bool expected = !graph->failures.empty();
        for (std::uint32_t i = 0; i < p.program->properties().size(); ++i)
          expected = expected || FairOracle(*graph, oracle, choices == LoopChoices::kFair).violated(i);
        const Searched out = searched(p, fairness, choices);
        ASSERT_EQ(!out.findings.empty(), expected) << "seed " << seed << " " << static_cast<int>(fairness) << static_cast<int>(choices) << "\n" << EndlessProgram(seed).text();
        ASSERT_EQ(out.outcome.live, !expected);
        (expected ? bugs : none) += 1;
      }
  }
  EXPECT_GT(bugs, fewer(200u));
  EXPECT_GT(none, fewer(200u));
}

// Whatever is left out between the needed points, and whoever goes first: the same verdicts, with every fairness and every kind of choices. And since enabled machines stay
// enabled in P, weak and strong fairness are one.
TEST(PLiveness, NeededPointsShowTheSameVerdictsAsAllPoints) {
  std::size_t compared = 0, bugs = 0, only_fair = 0, only_choices = 0;
  for (std::uint64_t seed = 1; seed <= fewer(1500u); ++seed) {
    const std::string text = EndlessProgram(seed).text();
    const Searchable all(text, Points::kAll), needed(text, Points::kNeeded);
    const auto expected = verdicts(*all.program, 600);
    if (!expected) continue;
    const auto found = verdicts(*needed.program, 5000);
    ASSERT_TRUE(found) << text;
    ASSERT_EQ(found->violated, expected->violated) << "seed " << seed << "\n" << text;
    ASSERT_EQ(found->failures, expected->failures) << "seed " << seed << "\n" << text;
    const std::size_t n = all.program->properties().size();
    for (std::size_t i = 0; i < 2 * n; ++i) ASSERT_EQ(expected->violated[2 * n + i], expected->violated[4 * n + i]) << text;
    ++compared;
    for (std::size_t p = 0; p < n; ++p) {
      bugs += expected->violated[3 * n + p] ? 1 : 0;
      only_fair += expected->violated[n + p] && !expected->violated[3 * n + p] ? 1 : 0;
      only_choices += expected->violated[2 * n + p] && !expected->violated[3 * n + p] ? 1 : 0;
    }
  }
  EXPECT_GT(compared, fewer(300u));
  EXPECT_GT(bugs, fewer(50u));
  EXPECT_GT(only_fair, fewer(10u));
  EXPECT_GT(only_choices, fewer(10u));
}

}  // namespace
}  // namespace tarry::test
