// Random P programs, run by the machine that searches run and by the reference interpreter: same decisions, same states after every step, same end.
#include <gtest/gtest.h>

#include <cctype>

#include "tests/support/fewer.h"
#include "tests/support/p_reference/choosers.h"
#include "tests/support/p_reference/generator.h"
#include "tests/support/p_reference/interpreter.h"
#include "tests/support/p_vm.h"

namespace tarry::plang {
namespace {

using namespace testing_vm;

/// One execution of the machine, at every scheduling point of the reference.
struct Recorded {
  std::vector<reference::Decision> decisions;
  std::vector<std::string> states;
  StepText ending;
  bool cut = false;
  std::uint64_t steps = 1;
};

/// The decisions of one step: who runs, and what it chooses (choices among one value included).
void record_step(PSpace& space, StateView state, std::uint32_t slot, const std::vector<std::uint32_t>& values, Recorded& out) {
  const PSpace::MachineWords m = space.machine(state, slot);
  const bool exclusive = state[space.layout().exclusive()] != 0;
  std::vector<LogEntry> log;
  StepResult result;
  std::vector<Word> next(state.size());
  space.step_with_log(state, m, values, Vm::Missing::kZero, result, next.data(), log);
  using Decision = reference::Decision;
  if (!exclusive) out.decisions.push_back({Decision::kMachine, slot + 1});
  for (const LogEntry& e : log) {
    if (e.act != Act::kChoose) continue;
    out.decisions.push_back({e.other == 0 ? Decision::kBool : Decision::kInt, std::stoull(e.text)});
  }
}

Recorded run_machine(const Ready& ready, std::uint64_t seed, std::uint64_t max_steps) {
  const PProgram program(*ready.code, ready.test(), Points::kAll, Purpose::kReplay);
  PSpace space(program.world(), program.layout());
  const auto narrator = program.narrator();
  StateTexts texts(space);
  Recorded out;
  std::vector<Word> state(program.layout().words());
  out.ending = space.initial(state.data());
  if (!out.ending.kind.empty()) {
    out.steps = 0;
    return out;
  }
  out.decisions.push_back({reference::Decision::kMachine, 0});  // the root, which creates the main machine
  out.states.push_back(texts.text(state));
  Rng rng(seed, 7);
  Survey survey(program.shape().processes);
  Taken taken(program.layout().words());
  while (true) {
    space.survey(state, survey);
    if (survey.open().empty()) {
      if (survey.deadlock()) out.ending.kind = "deadlock";
      return out;
    }
    if (out.steps >= max_steps) {
      out.cut = true;
      return out;
    }
    const ProcessId p = survey.open().at(static_cast<std::uint32_t>(rng.below(survey.open().size())));
    std::vector<std::uint32_t> values;
    space.take(state, p, values, taken);
    while (taken.outcome == abi::Outcome::kNeedsValue) {
      values.push_back(static_cast<std::uint32_t>(rng.below(taken.arity)));
      space.take(state, p, values, taken);
    }
    out.steps += space.counted();
    record_step(space, state, index(p), values, out);
    if (taken.failed()) {
      out.ending = narrator->explain(state, p, values);
      if (out.ending.kind == "liveness") out.states.push_back(texts.text(taken.state()));
      return out;
    }
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
    // A step that ends at a data choice is half a segment: nobody else could run.
    if (state[program.layout().exclusive()] == 0) out.states.push_back(texts.text(state));
  }
}

class Collector final : public reference::StepHook {
 public:
  void state(const std::string& text) override { states.push_back(text); }
  std::vector<std::string> states;
};

/// Gives the recorded decisions, then whatever is there: the machine stopped at its bound.
class Following final : public reference::Chooser {
 public:
  explicit Following(const std::vector<reference::Decision>& decisions) : decisions_(decisions) {}
  std::uint32_t machine(const std::vector<std::uint32_t>& enabled) override {
    const auto wanted = static_cast<std::uint32_t>(next(reference::Decision::kMachine, enabled.front()));
    if (std::find(enabled.begin(), enabled.end(), wanted) == enabled.end()) {
      if (problem.empty()) problem = "machine " + std::to_string(wanted) + " is not enabled at decision " + std::to_string(at_);
      return enabled.front();
    }
    return wanted;
  }
  bool boolean() override { return next(reference::Decision::kBool, 0) != 0; }
  std::uint64_t integer(std::uint64_t n) override { return std::min(next(reference::Decision::kInt, 0), n - 1); }
  std::string problem;

 private:
  std::uint64_t next(reference::Decision::Kind kind, std::uint64_t otherwise) {
    if (at_ >= decisions_.size()) return otherwise;
    if (decisions_[at_].kind != kind) {
      if (problem.empty()) problem = "another kind of decision at " + std::to_string(at_);
      return otherwise;
    }
    return decisions_[at_++].value;
  }
  const std::vector<reference::Decision>& decisions_;
  std::size_t at_ = 0;
};

void compare(std::uint64_t seed, std::uint64_t run, reference::Flavour flavour) {
  const std::string source = reference::random_p_program(seed, flavour);
  const Ready ready = make_ready(source);
  const Recorded mine = run_machine(ready, seed * 1000 + run, 200);
  Following chooser(mine.decisions);
  Collector theirs;
  const reference::RunResult result = reference::run(*ready.compiled.program, ready.test(), chooser, mine.cut ? mine.steps : 100'000, &theirs);
  SCOPED_TRACE("seed " + std::to_string(seed) + " run " + std::to_string(run));
  ASSERT_EQ(chooser.problem, "") << source;
  ASSERT_EQ(mine.cut ? "cut" : outcome_of(mine.ending), result.outcome()) << mine.ending.message << " / " << result.message << "\n" << source;
  if (!mine.ending.kind.empty() || mine.cut) {
    const std::size_t both = std::min(mine.states.size(), theirs.states.size());
    for (std::size_t i = 0; i < both; ++i) ASSERT_EQ(mine.states[i], theirs.states[i]) << "step " << i << "\n" << source;
  } else {
    ASSERT_EQ(mine.states, theirs.states) << source;
  }
  EXPECT_EQ(mine.steps, result.steps) << source;
  if (result.r_class == "R01" && !result.message.empty()) {
    EXPECT_NE(mine.ending.message.find(result.message), std::string::npos) << mine.ending.message << " / " << result.message;
  }
}

TEST(Differential, RandomProgramsRunAsInTheReferenceInterpreterStepByStep) {
  for (std::uint64_t seed = 1; seed <= test::fewer(1500u); ++seed)
    for (std::uint64_t run = 0; run < 3; ++run) {
      for (const auto flavour : {reference::Flavour::kUsual, reference::Flavour::kChoosing}) {
        if (flavour == reference::Flavour::kChoosing && seed % 3 != 0) continue;
        compare(seed, run, flavour);
        if (HasFatalFailure()) return;
      }
    }
}

std::string without_number(const std::string& message) {
  std::string out;
  for (std::size_t i = 0; i < message.size(); ++i) {
    std::size_t end = i + 1;
    while (end < message.size() && std::isdigit(static_cast<unsigned char>(message[end])) != 0) ++end;
    if (message[i] == '(' && end > i + 1 && end < message.size() && message[end] == ')') i = end;
    else out += message[i];
  }
  return out;
}

/// Machines are numbered as they are met, which differs.
std::set<std::string> without_numbers(const std::set<std::string>& messages) {
  std::set<std::string> out;
  for (const std::string& message : messages) out.insert(without_number(message));
  return out;
}

/// With the needed points only, the same things can happen.
void compare_points(reference::Flavour flavour, std::uint64_t seeds, std::size_t enough) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string source = reference::random_p_program(seed, flavour);
    const Ready ready = make_ready(source);
    const Endings all = all_endings(ready, Points::kAll, 60, 20'000);
    if (!all.complete || all.outcomes.count("cut") != 0) continue;
    const Endings needed = all_endings(ready, Points::kNeeded, 1000, 20'000);
    ASSERT_TRUE(needed.complete);
    ++compared;
    ASSERT_EQ(text_of_outcomes(all.outcomes), text_of_outcomes(needed.outcomes)) << source;
    ASSERT_EQ(without_numbers(all.messages), without_numbers(needed.messages)) << source;
  }
  EXPECT_GT(compared, enough);
}

TEST(Differential, NeededPointsShowTheSameOutcomesAsAllPoints) {
  compare_points(reference::Flavour::kUsual, test::fewer(600u), test::fewer(100u));
}

TEST(Differential, NeededPointsShowTheSameOutcomesOfProgramsThatChoose) {
  compare_points(reference::Flavour::kChoosing, test::fewer(600u), test::fewer(60u));
}

}  // namespace
}  // namespace tarry::plang
