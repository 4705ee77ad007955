// The policy that draws every choice uniformly, for so many steps.
#pragma once

#include "base/rng.h"
#include "core/execution.h"

namespace tarry {

class RandomPolicy final : public Policy {
 public:
  RandomPolicy(std::uint64_t seed, std::uint64_t run, std::uint64_t max_steps = ~std::uint64_t{0}) : rng_(seed, run), steps_left_(max_steps) {}

  std::uint32_t pick(const ChoicePoint& point) override {
    if (point.values != 0) return static_cast<std::uint32_t>(rng_.below(point.values));
    if (steps_left_ == 0) return kAbandon;
    if (point.survey.sealed()) return index(point.survey.owner());
    return index(point.survey.open().at(static_cast<std::uint32_t>(rng_.below(point.survey.open().size()))));
  }

  void stepped(const Step& /*step*/) override { --steps_left_; }

 private:
  Rng rng_;
  std::uint64_t steps_left_;
};

}  // namespace tarry
