// Iterative depth bounding: everything within 100 steps, then within 200, and so on, in random order.
//
// The classic that delay bounding is measured against.
//
// Paper: Desai, Qadeer, Rajamani. MSR-TR-2015-28, table 2 (random DFS).
#include "base/rng.h"
#include "core/registry.h"
#include "explore/stratified.h"

namespace tarry {
namespace {

/// Memo: a hash of the history, so that each state has a random order of its own, the same whenever it is resumed.
class DepthBounding final : public Discipline {
 public:
  explicit DepthBounding(std::uint64_t seed) : seed_(mix64(seed)) {}

  std::string unit() const override { return "depth"; }
  std::uint32_t initial(const Survey&) override { return static_cast<std::uint32_t>(seed_); }

  /// The turn-th swap of Fisher-Yates, worked out again from the first.
  ProcessId pick(std::uint32_t history, const Survey& survey, std::uint32_t turn) override {
    if (survey.sealed()) return survey.owner();
    std::vector<ProcessId>& order = scratch();
    order.clear();
    survey.open().for_each([&](ProcessId p) { order.push_back(p); });
    Rng(seed_, history).shuffle(std::span(order));
    return order[turn];
  }
  std::uint32_t price(std::uint32_t, const Survey&, std::uint32_t) override { return 0; }
  std::uint32_t pass(std::uint32_t history, const Survey&) override { return history; }
  std::uint32_t step(std::uint32_t history, const Step& step) override {
    return static_cast<std::uint32_t>(mix64(std::uint64_t{history} << 32 | index(step.process)));
  }
  std::uint32_t step_price() const override { return 1; }

 private:
  static std::vector<ProcessId>& scratch() {
    static thread_local std::vector<ProcessId> order;
    return order;
  }
  std::uint64_t seed_;
};

class DepthBounded final : public Search {
 public:
  explicit DepthBounded(std::uint64_t stride) : stride_(stride) {}

  void run(Session& session) override {
    const Limits& limits = session.options().limits;
    MemoryBudget budget(limits.memory);
    Interner surveys(budget);
    DepthBounding depth(session.options().seed);
    StratifiedPlan plan;
    plan.first = stride_;
    plan.delta = stride_;
    plan.bound_on_memo = false;  // what can be reached depends on the depth alone
    if (limits.max_depth_given) {
      plan.first = std::min<std::uint64_t>(stride_, limits.max_depth);
      plan.last = limits.max_depth;
    }
    Stratified(session, depth, plan, budget, surveys).run();
  }

 private:
  std::uint64_t stride_;
};

const Registration<Search> entry{{
    .name = "depth-bounded",
    .summary = "by depth, in random order, nothing explored twice",
    .paper = "Desai et al., MSR-TR-2015-28, table 2",
    .params = {{"stride", 100, 1, 1'000'000, "steps added to the depth from one stratum to the next"}},
    .kind = {.complete = true, .runs = true,
             .limits = {"strict-bound", "cache", "choice-cost"}, .make =
                 [](const ParamValues& values) {
                   return std::make_unique<DepthBounded>(static_cast<std::uint64_t>(values.at("stride")));
                 }},
}};

}  // namespace
}  // namespace tarry
