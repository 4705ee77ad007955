// The policy that draws every choice uniformly.
#pragma once

#include "base/rng.h"
#include "core/execution.h"

namespace tarry {

class RandomPolicy final : public Policy {
 public:
  RandomPolicy(std::uint64_t seed, std::uint64_t run) : rng_(seed, run) {}

  std::uint32_t pick(const ChoicePoint& point) override {
    if (point.values != 0) return static_cast<std::uint32_t>(rng_.below(point.values));
    if (point.survey.sealed()) return index(point.survey.owner());
    return index(point.survey.open().at(static_cast<std::uint32_t>(rng_.below(point.survey.open().size()))));
  }

 private:
  Rng rng_;
};

}  // namespace tarry
