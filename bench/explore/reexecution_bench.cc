// What searches by re-execution cost beside the program: three threads of eight steps that do nothing at all.
//
// `alone` is the execution with a policy that always takes the first process: subtract it from the others. Counters are per second; time is
// per execution of 24 steps.
#include <benchmark/benchmark.h>

#include <memory>

#include "core/execution.h"
#include "core/search.h"
#include "explore/fair.h"
#include "explore/in_order.h"
#include "explore/preemption_bounding.h"
#include "explore/reexecution.h"

namespace tarry {
namespace {

constexpr std::uint32_t kThreads = 3;
constexpr std::uint32_t kSteps = 8;

class NothingExecution final : public Execution {
 public:
  explicit NothingExecution(std::uint32_t yields_every) : yields_every_(yields_every), survey_(kThreads), next_(kThreads) { moves_.reserve(1000); }
  const std::vector<Move>& moves_taken() const override { return moves_; }

  ExecutionResult run(Policy& policy) override {
    ExecutionResult result;
    std::uint32_t left[kThreads] = {kSteps, kSteps, kSteps};
    Signature order;
    survey_.bits()[0] = survey_.bits()[1] = (1u << kThreads) - 1;
    policy.begin(survey_);
    while (survey_.bits()[0] != 0) {
      const std::uint32_t thread = policy.pick({survey_, 0, {}, &order});
      if (thread == Policy::kAbandon) return result.end = End::kAbandoned, result;
      ++result.steps;
      next_.bits()[0] = next_.bits()[1] = survey_.bits()[0];
      if (--left[thread] == 0) next_.bits()[0] = next_.bits()[1] = survey_.bits()[0] & ~(1u << thread);
      order.high += mix64(order.low + thread + left[thread]);  // all orders differ
      order.low += mix64(order.high);
      policy.stepped({.process = ProcessId{thread}, .open_before = survey_.open(), .open_after = next_.open(), .alive_before = survey_.alive(), .alive_after = next_.alive(),
                      .sent = {}, .order = {}, .yielded = yields_every_ != 0 && left[thread] % yields_every_ == 0});
      survey_.bits()[0] = next_.bits()[0];
      survey_.bits()[1] = next_.bits()[1];
    }
    result.end = End::kEnded;
    return result;
  }

 private:
  std::uint32_t yields_every_;
  Survey survey_, next_;
  std::vector<Move> moves_;
};

class Nothing final : public Program {
 public:
  explicit Nothing(std::uint32_t yields_every) : yields_every_(yields_every) {}
  const Shape& shape() const override { return shape_; }
  bool captures() const override { return false; }
  std::unique_ptr<StateSpace> open() const override { return nullptr; }
  std::unique_ptr<Execution> execution(Session&, std::uint32_t) const override { return std::make_unique<NothingExecution>(yields_every_); }
  std::unique_ptr<Narrator> narrator() const override { return nullptr; }

 private:
  std::uint32_t yields_every_;
  Shape shape_{.words = 0, .bits = 0, .processes = kThreads, .seals = false};
};

struct FirstPolicy final : Policy {
  std::uint32_t pick(const ChoicePoint& point) override { return index(point.survey.open().at(0)); }
};

void alone(benchmark::State& state) {
  const Nothing program(static_cast<std::uint32_t>(state.range(0)));
  const auto progress = std::make_unique<Progress>();
  SearchOptions options;
  Session session(program, options, nullptr, *progress);
  const auto execution = program.execution(session, 0);
  FirstPolicy policy;
  for (auto _ : state) benchmark::DoNotOptimize(execution->run(policy));
}
BENCHMARK(alone)->Arg(0)->Arg(4);

void walk(benchmark::State& state, Discipline& discipline, bool memo_matters, CacheKey cache, std::uint32_t yields_every, std::uint32_t fair, std::uint64_t bound = 1000) {
  const Nothing program(yields_every);
  const auto progress = std::make_unique<Progress>();
  SearchOptions options;
  options.cache = cache;
  options.fair = fair;
  Session session(program, options, nullptr, *progress);
  MemoryBudget budget(options.limits.memory);
  TreeWalk tree(session, discipline, {.first = bound, .memo_matters = memo_matters}, budget);
  for (auto _ : state)
    if (!tree.go_on(1)) return state.SkipWithError("the tree is too small");
  state.counters["points"] = benchmark::Counter(static_cast<double>(session.totals().transitions), benchmark::Counter::kIsRate);
}

void dfs(benchmark::State& state) {
  InOrder order(0);
  walk(state, order, false, CacheKey::kNone, 0, 0);
}
void dfs_fair(benchmark::State& state) {
  InOrder order(0);
  walk(state, order, false, CacheKey::kNone, static_cast<std::uint32_t>(state.range(0)), 1);
}
void preemption_bounded(benchmark::State& state) {
  PreemptionBounding preemptions;
  walk(state, preemptions, true, CacheKey::kNone, 0, 0, 0);
}
void preemption_bounded_with_cache(benchmark::State& state) {
  PreemptionBounding preemptions;
  walk(state, preemptions, true, CacheKey::kProgram, 0, 0);
}
BENCHMARK(dfs);
BENCHMARK(dfs_fair)->Arg(0)->Arg(4)->Arg(2);
BENCHMARK(preemption_bounded)->Iterations(200'000);
BENCHMARK(preemption_bounded_with_cache);

}  // namespace
}  // namespace tarry

