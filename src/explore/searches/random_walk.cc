// Random walk: draws every choice uniformly, from the start to the end of an execution, and repeats this.
//
// Every execution is possible, but the probability of an execution falls exponentially with its length. This is the baseline of
// all other searches.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.1 (random scheduler).
#include "core/registry.h"
#include "explore/random_policy.h"
#include "explore/sampling.h"

namespace tarry {
namespace {

class RandomWalk final : public Search {
 public:
  void run(Session& session) override {
    if (!start_is_sound(session)) return;
    Sampler sampler(session);
    while (sampler.run(1024, [&](Runner& runner, std::uint64_t number) {
      RandomPolicy policy(session.options().seed, number);
      sampler.executed(runner, number, runner.run(policy), -1);
    })) {
    }
    sampler.finish();
  }
};

const Registration<Search> entry{{
    .name = "random-walk",
    .summary = "every choice at random; the baseline",
    .paper = "Desai et al., FSE 2015, section 6.1",
    .kind = {.runs = true, .limits = {"samples"}, .hunts_executions = {{3}}, .make = [](const ParamValues&) { return std::make_unique<RandomWalk>(); }},
}};

}  // namespace
}  // namespace tarry
