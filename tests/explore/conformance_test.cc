// What every registered search owes: the processes it picks can run, the same seed gives the same run, findings can be followed,
// and the ones marked complete visit everything. New entries are tested without being named here.
#include <gtest/gtest.h>

#include "tests/explore/example_models.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

SearchOptions modest(std::uint64_t seed = 1) {
  SearchOptions options;
  options.seed = seed;
  options.limits.memory = 64 << 20;
  options.limits.samples = 60;
  options.limits.max_depth = 200;
  return options;
}

std::vector<std::string> explorers_for(const Entry<Search>& entry) {
  if (!entry.kind.takes_explorer) return {"round-robin"};
  std::vector<std::string> out;
  for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) out.push_back(explorer.name);
  return out;
}

/// The portfolio runs two of its members at a time and stops at the first that decides: only its verdict is determined.
bool races(const Entry<Search>& entry) { return entry.name == "portfolio"; }

/// Watches over what is asked of a program: only processes that can run are taken, with values in range.
class Watched final : public Program {
 public:
  explicit Watched(const abi::Model& model) : inner_(make_model_program(model)) {}
  const Shape& shape() const override { return inner_->shape(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return inner_->narrator(); }
  mutable std::atomic<std::uint64_t> steps{0}, not_open{0};

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const Watched& all) : all_(all), inner_(all.inner_->open()), around_(all.shape().processes) {}
    StepText initial(Word* words) override { return inner_->initial(words); }
    void expand(StateView state, abi::Expansion& out) override { inner_->expand(state, out); }
    void survey(StateView state, Survey& out) override { inner_->survey(state, out); }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      inner_->survey(state, around_);
      ++all_.steps;
      if (!around_.open().contains(process)) ++all_.not_open;
      inner_->take(state, process, values, out);
    }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }

   private:
    const Watched& all_;
    std::unique_ptr<StateSpace> inner_;
    Survey around_;
  };

  std::unique_ptr<Program> inner_;
};

TEST(Conformance, EveryRegisteredSearchSaysWhatItIs) {
  EXPECT_GE(Registry<Search>::all().size(), 12u);
  EXPECT_GE(Registry<Explorer>::all().size(), 5u);
  std::string before;
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.paper.empty()) << entry.name;
    EXPECT_LT(before, entry.name);
    before = entry.name;
    EXPECT_EQ(Registry<Search>::find(entry.name), &entry);
    for (const Param& param : entry.params) {
      EXPECT_LE(param.min, param.fallback) << entry.name << " --" << param.name;
      EXPECT_LE(param.fallback, param.max) << entry.name << " --" << param.name;
      EXPECT_FALSE(param.help.empty()) << entry.name << " --" << param.name;
    }
    // What was not declared is dropped, what was not given has its default.
    const ParamValues values = with_defaults(entry.params, {{"no-such-parameter", 7}});
    EXPECT_EQ(values.size(), entry.params.size());
    EXPECT_FALSE(values.contains("no-such-parameter"));
  }
  EXPECT_EQ(Registry<Search>::find("no such search"), nullptr);
}

TEST(Conformance, parallel_EverySearchPicksProcessesThatCanRun) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 90'000);
    const abi::Model& model = model_of(random);
    if (!brute_force(model, 2000).complete) continue;
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      for (const std::string& explorer : explorers_for(entry)) {
        const Watched program(model);
        const Searched result = run_search(program, entry.name, explorer, modest(seed));
        ASSERT_EQ(program.not_open, 0u) << entry.name << ", " << explorer << "\n" << random.text();
        for (const Finding& finding : result.findings) ASSERT_NE(finding.kind, FindingKind("nondeterminism")) << entry.name;
        steps += program.steps;
      }
    }
  }
  EXPECT_GT(steps, 100'000u);
}

/// Without what tells how long something took.
std::vector<std::string> untimed(std::vector<std::string> notes) {
  std::erase_if(notes, [](const std::string& note) { return note.find("% of the time") != std::string::npos; });
  return notes;
}

TEST(Conformance, parallel_TheSameSeedGivesTheSameRun) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 91'000);
    const abi::Model& model = model_of(random);
    if (!brute_force(model, 2000).complete) continue;
    const auto program = make_model_program(model);
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      if (races(entry)) continue;
      for (const std::string& explorer : explorers_for(entry)) {
        SCOPED_TRACE(entry.name + ", " + explorer + "\n" + random.text());
        const Searched first = run_search(*program, entry.name, explorer, modest(seed));
        const Searched second = run_search(*program, entry.name, explorer, modest(seed));
        ASSERT_EQ(first.findings.size(), second.findings.size());
        for (std::size_t i = 0; i < first.findings.size(); ++i) {
          ASSERT_EQ(first.findings[i].schedule, second.findings[i].schedule);
          ASSERT_EQ(first.findings[i].message, second.findings[i].message);
          ASSERT_EQ(first.findings[i].delays, second.findings[i].delays);
        }
        ASSERT_EQ(untimed(first.outcome.notes), untimed(second.outcome.notes));
        ASSERT_EQ(first.outcome.stopped_by, second.outcome.stopped_by);
        ASSERT_EQ(first.outcome.samples, second.outcome.samples);
        ASSERT_EQ(first.outcome.cut, second.outcome.cut);
        if (entry.name == "prss") continue;  // how far the losers get depends on the clock
        ASSERT_EQ(first.totals.states, second.totals.states);
        ASSERT_EQ(first.totals.transitions, second.totals.transitions);
        ASSERT_EQ(first.totals.executions, second.totals.executions);
        ASSERT_EQ(first.totals.depth, second.totals.depth);
      }
    }
  }
}

// Samples are functions of their numbers: more workers find the same bug, by the same schedule.
TEST(Conformance, parallel_SamplersFindTheSameWithMoreWorkers) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomProgram random(seed + 92'000);
    const abi::Model& model = model_of(random);
    if (brute_force(model, 5000).verified()) continue;
    const auto program = make_model_program(model);
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      if (entry.kind.complete) continue;
      SearchOptions options = modest(seed);
      const Searched alone = run_search(*program, entry.name, "run-to-completion", options);
      options.jobs = 3;
      const Searched together = run_search(*program, entry.name, "run-to-completion", options);
      ASSERT_EQ(alone.findings.size(), together.findings.size()) << entry.name;
      if (alone.findings.empty()) continue;
      ++found;
      ASSERT_EQ(alone.findings[0].schedule, together.findings[0].schedule) << entry.name << "\n" << random.text();
    }
  }
  EXPECT_GT(found, 50);
}

TEST(Conformance, EveryFindingCanBeFollowed) {
  int found = 0;
  const auto check = [&](const abi::Model& model, const std::string& about) {
    const auto program = make_model_program(model);
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      for (const std::string& explorer : explorers_for(entry)) {
        SCOPED_TRACE(entry.name + ", " + explorer + ", " + about);
        const Searched result = run_search(*program, entry.name, explorer, modest(3));
        if (result.findings.empty()) {
          ASSERT_FALSE(entry.kind.complete) << "missed";
          continue;
        }
        ++found;
        const Finding& finding = result.findings[0];
        ASSERT_EQ(follow(model, finding), finding.kind.name());
        ASSERT_FALSE(finding.message.empty());
        ASSERT_FALSE(result.outcome.complete);
        ASSERT_EQ(result.outcome.stopped_by, StoppedBy::kFinding);
        std::uint64_t processes = 0;
        for (const Choice& choice : finding.schedule) processes += choice.kind == Choice::Kind::kProcess ? 1 : 0;
        ASSERT_EQ(finding.steps, processes);
      }
    }
  };
  for (const Example& example : examples()) {
    if (example.states == 0) check(example.model, example.name);
    if (HasFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 93'000);
    const abi::Model& model = model_of(random);
    const Everything truth = brute_force(model, 5000);
    if (!truth.complete || truth.verified()) continue;
    check(model, random.text());
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 300);
}

TEST(Conformance, parallel_CompleteSearchesVisitEverythingOfTheExamples) {
  for (const Example& example : examples()) {
    if (example.states == 0) continue;
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      for (const std::uint32_t jobs : {1u, 2u}) {
        SCOPED_TRACE(entry.name + " on " + example.name);
        Record record;
        const RecordingProgram program(example.model, record);
        SearchOptions options = modest();
        options.jobs = jobs;
        const Searched result = run_search(program, entry.name, "round-robin", options, {}, &record);
        ASSERT_TRUE(result.findings.empty());
        ASSERT_EQ(result.outcome.complete, entry.kind.complete);
        ASSERT_LE(record.states.size(), example.states);
        ASSERT_TRUE(!entry.kind.complete || record.states.size() == example.states);
      }
    }
  }
}

struct Broken {
  struct State {
    Upto<1> x;
    TARRY_FIELDS(x)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State&, int, Run& run) { run.ended(); }
  void invariant(const State& s, Run& run) { run.expect(s.x == 1, "wrong from the start"); }
};

TEST(Conformance, ABrokenFirstStateIsAFindingOfEverySearch) {
  static constexpr abi::Model kTable = detail::Adapter<Broken>::table("broken", __FILE__);
  const auto program = make_model_program(kTable);
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    SCOPED_TRACE(entry.name);
    const Searched result = run_search(*program, entry.name, "round-robin", modest());
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind("assertion"));
    EXPECT_TRUE(result.findings[0].schedule.empty());
    EXPECT_FALSE(result.outcome.complete);
  }
}

struct Stuck {
  struct State {
    Upto<1> x;
    TARRY_FIELDS(x)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State&, int p, Run& run) { p == 0 ? run.idle() : run.blocked(); }
};

TEST(Conformance, ADeadlockAtTheStartIsAFindingOfEverySearch) {
  static constexpr abi::Model kTable = detail::Adapter<Stuck>::table("stuck", __FILE__);
  const auto program = make_model_program(kTable);
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    SCOPED_TRACE(entry.name);
    const Searched result = run_search(*program, entry.name, "round-robin", modest());
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind("deadlock"));
    EXPECT_TRUE(result.findings[0].schedule.empty());
    EXPECT_FALSE(result.outcome.complete);
  }
}

}  // namespace
}  // namespace tarry::test
