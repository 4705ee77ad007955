// Iterative random walk: random walks of growing length.
//
// Stratum i has 100 + 3^i walks of at most i times `stride` steps. So short executions are sampled well before long ones
// dominate.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.1 (iterative random scheduler: depth bound + 100 per stratum, 100 + 3^i
// samples).
#include <algorithm>
#include <cmath>

#include "core/registry.h"
#include "explore/random_policy.h"
#include "explore/sampling.h"

namespace tarry {
namespace {

class IterativeRandomWalk final : public Search {
 public:
  explicit IterativeRandomWalk(std::uint64_t stride) : stride_(stride) {}

  void run(Session& session) override {
    if (!start_is_sound(session)) return;
    Sampler sampler(session);
    session.outcome.bound = "depth";
    const std::uint64_t max_depth = session.options().limits.max_depth;
    for (std::uint64_t i = 1;; ++i) {
      const std::uint64_t depth = std::min(i * stride_, max_depth);
      session.progress().bound = depth;
      const auto count = 100 + static_cast<std::uint64_t>(std::pow(3.0, static_cast<double>(std::min<std::uint64_t>(i, 38))));
      if (!sampler.run(count, [&](Runner& runner, std::uint64_t number) {
            RandomPolicy policy(session.options().seed, number, depth);
            sampler.executed(runner, number, runner.run(policy), -1);
          }))
        break;
      session.outcome.reached = depth;
      session.outcome.reached_any = true;
    }
    sampler.finish();
  }

 private:
  std::uint64_t stride_;
};

const Registration<Search> entry{{
    .name = "iterative-random-walk",
    .summary = "random walks, short ones first",
    .paper = "Desai et al., FSE 2015, section 6.1",
    .params = {{"stride", 100, 1, 1'000'000, "steps added to the depth from one stratum to the next"}},
    .kind = {.runs = true, .limits = {"samples"}, .hunts_states = {{7}}, .make =
                 [](const ParamValues& values) {
                   return std::make_unique<IterativeRandomWalk>(static_cast<std::uint64_t>(values.at("stride")));
                 }},
}};

}  // namespace
}  // namespace tarry
