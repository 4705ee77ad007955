// A step may fail without getting anywhere: the process says that it ends, idles or waits, and something that it expected does not hold. For
// a search that is a step like any other, whose successor is the state it came from. Every search reports it.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "tests/support/fewer.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// A program in which some processes that cannot run (ended, idle, blocked) have a last step that fails and changes nothing.
class FailingEnds final : public Program {
 public:
  FailingEnds(const abi::Model& model, std::uint64_t seed, std::uint32_t one_in) : inner_(make_model_program(model)), seed_(seed), one_in_(one_in) {}
  const Shape& shape() const override { return inner_->shape(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<Teller>(*this); }

  /// Whether the process, which cannot run, fails in this state. Processes that were not created yet do not.
  bool fails(StateView state, ProcessId process, const Survey& survey) const {
    return !survey.open().contains(process) && survey.alive().contains(process) && hash_of(state, seed_ + index(process)) % one_in_ == 0;
  }

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const FailingEnds& all) : all_(all), inner_(all.inner_->open()), survey_(all.shape().processes), plain_(all.shape().words) {}
    StepText initial(Word* words) override { return inner_->initial(words); }
    void expand(StateView state, abi::Expansion& out) override {
      inner_->expand(state, plain_);
      inner_->survey(state, survey_);
      out.count = out.value_count = out.cut = 0;
      out.blocked = plain_.blocked;
      std::uint32_t i = 0;
      for (std::uint32_t p = 0; p < all_.shape().processes; ++p) {
        if (all_.fails(state, ProcessId{p}, survey_)) add(out, state, {p, abi::kFailed, 0, 0}, {});
        for (; i < plain_.count && plain_.successors[i].process == p; ++i) add(out, plain_.state(i), plain_.successors[i], plain_.values_of(plain_.successors[i]));
      }
    }
    void survey(StateView state, Survey& out) override {
      inner_->survey(state, survey_);
      out = survey_;
      for (std::uint32_t p = 0; p < all_.shape().processes; ++p)
        if (all_.fails(state, ProcessId{p}, survey_)) out.bits()[p / 64] |= std::uint64_t{1} << (p % 64);
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      inner_->survey(state, survey_);
      if (!all_.fails(state, process, survey_)) return inner_->take(state, process, values, out);
      out.outcome = abi::Outcome::kMoved;
      out.flags = abi::kFailed;
      out.sent_count = out.order_count = 0;
      std::copy(state.begin(), state.end(), out.words);
    }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }

   private:
    void add(abi::Expansion& out, StateView state, abi::Successor successor, std::span<const std::uint32_t> values) {
      if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) out.grow(&out);
      if (out.cut != 0) return;
      std::copy(state.begin(), state.end(), out.words + std::size_t{out.count} * state.size());
      successor.first_value = out.value_count;
      successor.value_count = static_cast<std::uint32_t>(values.size());
      for (const std::uint32_t value : values) out.values[out.value_count++] = value;
      out.successors[out.count++] = successor;
    }

    const FailingEnds& all_;
    std::unique_ptr<StateSpace> inner_;
    Survey survey_;
    Expansion plain_;
  };

  class Teller final : public Narrator {
   public:
    explicit Teller(const FailingEnds& all) : all_(all), inner_(all.inner_->narrator()), space_(all.inner_->open()) {}
    Fields fields(StateView state) override { return inner_->fields(state); }
    StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
      Survey survey(all_.shape().processes);
      space_->survey(state, survey);
      if (!all_.fails(state, process, survey)) return inner_->explain(state, process, values);
      return {.label = "", .kind = "assertion", .message = "the last step fails", .location = ""};
    }
    std::string process_name(ProcessId process) override { return inner_->process_name(process); }

   private:
    const FailingEnds& all_;
    std::unique_ptr<Narrator> inner_;
    std::unique_ptr<StateSpace> space_;
  };

  std::unique_ptr<Program> inner_;
  std::uint64_t seed_;
  std::uint32_t one_in_;
};

/// The steps of the shortest execution that fails in the end, or 0.
std::uint64_t shortest(const Program& program) {
  const auto space = program.open();
  Words first(program.shape().words);
  space->initial(first.data());
  std::map<Words, std::uint64_t> distance = {{first, 0}};
  std::vector<Words> queue = {first};
  Expansion ways(program.shape().words);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Words state = queue[i];
    space->expand(state, ways);
    for (std::uint32_t j = 0; j < ways.count; ++j) {
      if ((ways.successors[j].flags & abi::kFailed) != 0) return distance[state] + 1;
      const Words next(ways.state(j).begin(), ways.state(j).end());
      if (distance.emplace(next, distance[state] + 1).second) queue.push_back(next);
    }
  }
  return 0;
}

TEST(FailingEnds, parallel_AreReportedByEverySearchWithEveryExplorer) {
  int failing = 0, missed_by_samples = 0, samples = 0;
  for (std::uint64_t seed = 0; seed < fewer(120u); ++seed) {
    const RandomProgram random(seed + 40'000, {.assertions = false, .creation = false});
    if (!brute_force(model_of(random), 2000).verified()) continue;
    const FailingEnds program(model_of(random), seed, 3);
    const std::uint64_t steps = shortest(program);
    if (steps == 0) continue;
    ++failing;
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
        for (const std::uint32_t jobs : {1u, 2u}) {
          SCOPED_TRACE(entry.name + ", " + explorer.name + ", jobs " + std::to_string(jobs) + ", seed " + std::to_string(seed) + "\n" + random.text());
          SearchOptions options;
          options.jobs = jobs;
          options.seed = seed;
          options.limits.memory = 64 << 20;
          options.limits.samples = 40;
          options.limits.max_depth = 500;
          const Searched result = run_search(program, entry.name, explorer.name, options);
          ASSERT_FALSE(result.outcome.complete);
          ASSERT_TRUE(!result.findings.empty() || !entry.kind.complete);
          if (!entry.kind.complete) ++samples, missed_by_samples += result.findings.empty() ? 1 : 0;
          for (const Finding& finding : result.findings) {
            ASSERT_EQ(finding.message, "the last step fails") << finding.kind.name();
            ASSERT_GE(finding.steps, steps);
            if (entry.name == "bfs") {
              ASSERT_EQ(finding.steps, steps);
            }
          }
        }
        if (!entry.kind.takes_explorer) break;
      }
    }
  }
  EXPECT_GT(failing, fewer(20));
  EXPECT_LT(missed_by_samples * 4, samples);  // most random executions of these programs meet one
}

}  // namespace
}  // namespace tarry::test
