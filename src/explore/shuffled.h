// The discipline of randomized searches: each point has a random order of its own. Free of cost, or at one a step (then strata are depths).
#pragma once

#include <vector>

#include "base/rng.h"
#include "explore/discipline.h"

namespace tarry {

/// Memo: a hash of the history, so that each state has a random order of its own, the same whenever it is resumed.
class Shuffled final : public Discipline {
 public:
  Shuffled(std::uint64_t seed, std::uint32_t step_price) : seed_(mix64(seed)), step_price_(step_price) {}

  Bound unit() const override { return step_price_ == 0 ? Bound() : Bound("depth"); }
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
  std::uint32_t pass(std::uint32_t history, const Survey&, ProcessId) override { return history; }
  std::uint32_t step(std::uint32_t history, const Step& step) override {
    return static_cast<std::uint32_t>(mix64(std::uint64_t{history} << 32 | index(step.process)));
  }
  std::uint32_t step_price() const override { return step_price_; }

 private:
  static std::vector<ProcessId>& scratch() {
    static thread_local std::vector<ProcessId> order;
    return order;
  }
  std::uint64_t seed_;
  std::uint32_t step_price_;
};

}  // namespace tarry
