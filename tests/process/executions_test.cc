// How often a schedule is executed between its finding and the report: the search finds it, one rerun confirms and tells it. No step is taken a third time.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <tarry/model.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <new>

#include "cppmodel/model_program.h"
#include "process/state_subject.h"

namespace tarry::process {
namespace {

/// Steps that children of this process took and told.
struct Counts {
  std::atomic<std::uint64_t> taken{0}, told{0}, loaded{0};
  void clear() { taken = told = loaded = 0; }
};

Counts& counts() {
  static Counts& all = *new (::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Counts;
  return all;
}

constexpr std::uint32_t kSteps = 7;

enum class End { kAssertion, kCrash, kDeadlock };

/// One process; its last step fails.
template <End kEnd>
struct Chain {
  struct State {
    Upto<kSteps + 1> at;
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int /*process*/, Run& run) {
    if (s.at == kSteps) return run.blocked();
    ++s.at;
    run.label("step {}", s.at);
    if (s.at < kSteps || kEnd == End::kDeadlock) return;
    if (kEnd == End::kCrash) ::raise(SIGSEGV);
    run.expect(false, {"the last step", "chain.cpp", 1});
  }
};

class CountedSpace final : public StateSpace {
 public:
  explicit CountedSpace(std::unique_ptr<StateSpace> inner) : inner_(std::move(inner)) {}
  StepText initial(Word* words) override { return inner_->initial(words); }
  void expand(StateView state, abi::Expansion& out) override { inner_->expand(state, out); }
  void survey(StateView state, Survey& out) override { inner_->survey(state, out); }
  void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
    ++counts().taken;
    inner_->take(state, process, values, out);
  }
  const abi::Cursor& cursor() const override { return inner_->cursor(); }

 private:
  std::unique_ptr<StateSpace> inner_;
};

class CountedNarrator final : public Narrator {
 public:
  explicit CountedNarrator(std::unique_ptr<Narrator> inner) : inner_(std::move(inner)) {}
  Fields fields(StateView state) override { return inner_->fields(state); }
  StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
    ++counts().told;
    return inner_->explain(state, process, values);
  }
  std::string process_name(ProcessId process) override { return inner_->process_name(process); }

 private:
  std::unique_ptr<Narrator> inner_;
};

class CountedProgram final : public Program {
 public:
  explicit CountedProgram(std::unique_ptr<Program> inner) : inner_(std::move(inner)) {}
  const Shape& shape() const override { return inner_->shape(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<CountedSpace>(inner_->open()); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<CountedNarrator>(inner_->narrator()); }

 private:
  std::unique_ptr<Program> inner_;
};

template <End kEnd>
class CountedSubject final : public StateSubject {
 public:
  CountedSubject() : StateSubject(SubjectFacts{}, StateFacts{}) {}
  Result<std::unique_ptr<Program>> load(Purpose /*purpose*/) const override {
    static constexpr abi::Model kTable = detail::Adapter<Chain<kEnd>>::table("chain", "chain.cpp");
    ++counts().loaded;
    return std::unique_ptr<Program>(std::make_unique<CountedProgram>(make_model_program(kTable)));
  }
};

template <End kEnd>
void is_executed_twice(FindingKind kind) {
  counts().clear();
  const CountedSubject<kEnd> subject;
  SearchPlan plan{.search = "dfs", .explorer = "run-to-completion"};
  const SearchEnd end = subject.search(plan, {});
  ASSERT_TRUE(std::holds_alternative<Searched>(end));
  const auto& findings = std::get<Searched>(end).result.findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, kind);
  EXPECT_EQ(findings[0].steps, kSteps);
  EXPECT_LE(counts().taken, kSteps) << "the search";
  EXPECT_EQ(counts().loaded, 1u);

  counts().clear();
  const RerunResult result = subject.rerun(findings[0], {}, {});
  ASSERT_TRUE(std::holds_alternative<Rerun>(result));
  const auto& rerun = std::get<Rerun>(result);
  EXPECT_TRUE(shows(rerun, findings[0])) << rerun.ending.message;
  EXPECT_EQ(counts().loaded, 1u) << "processes that execute the schedule again";
  EXPECT_EQ(counts().taken, kSteps) << "each step once";
  EXPECT_EQ(counts().told, kEnd == End::kCrash ? kSteps - 1 : kSteps) << "each step that ends, once";
  ASSERT_EQ(rerun.replay.steps.size(), kSteps);
  EXPECT_EQ(rerun.replay.steps[kSteps - 2].label, "step 6");
  EXPECT_EQ(rerun.replay.steps.back().number, kSteps);
  EXPECT_EQ(rerun.replay.fingerprints.size(), kEnd == End::kCrash ? kSteps - 1 : kSteps);
  EXPECT_EQ(rerun.replay.last_state.empty(), false);
}

TEST(Executions, AFailedStepIsExecutedTwice) { is_executed_twice<End::kAssertion>("assertion"); }
TEST(Executions, ADeadlockIsExecutedTwice) { is_executed_twice<End::kDeadlock>("deadlock"); }
TEST(Executions, ACrashIsExecutedTwice) { is_executed_twice<End::kCrash>("crash"); }

}  // namespace
}  // namespace tarry::process
