// Stratified sampling: samples random executions with one delay, then with two, and so on.
//
// It needs no memory and no captured states, and never gets stuck in one part of the program. If an execution with d delays shows
// a bug, each sample of stratum d finds it with probability at least 1 / L^d, where L is the number of steps.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, figure 7 and theorem 3; NumSamples(d) = 100 + 3^d.
#include "core/registry.h"
#include "explore/stratified_sampling.h"

namespace tarry {
namespace {

class StratifiedSampling final : public Search {
 public:
  StratifiedSampling(std::uint64_t c1, std::uint64_t c2) : c1_(c1), c2_(c2) {}

  void run(Session& session) override {
    if (!start_is_sound(session)) return;
    const SearchOptions& options = session.options();
    Outcome& outcome = session.outcome;
    outcome.bound = "delays";
    Sampler sampler(session);
    std::uint64_t most = 0;
    for (std::uint64_t delays = 1; !options.limits.max_delays || delays <= *options.limits.max_delays; ++delays) {
      session.progress().bound = delays;
      std::atomic<std::uint64_t> room{0};
      if (!sampler.run(samples_in_stratum(c1_, c2_, delays), [&](Runner& runner, std::uint64_t number) {
            // Explorers that use random numbers use different ones for every sample.
            const AskedExplorer explorer(session.make_explorer(mix64(options.seed) + number), session.explorer_file);
            if (draw_sample(sampler, runner, number, explorer, Rng(options.seed, number), delays) == delays) room = 1;
          }))
        break;
      outcome.reached = delays;
      outcome.reached_any = true;
      most = delays;
      if (room == 0) break;
    }
    sampler.finish();
    if (!session.stopping()) {
      session.stop(StoppedBy::kBound);
      if (!options.limits.max_delays || most < *options.limits.max_delays)
        outcome.notes.push_back("no sampled execution had room for " + std::to_string(most) + " delays: there are no further strata");
    }
  }

 private:
  std::uint64_t c1_, c2_;
};

const Registration<Search> entry{{
    .name = "ss",
    .summary = "stratified sampling: random executions by number of delays of an explorer",
    .paper = "Desai et al., FSE 2015, figure 7",
    .params = {{"c1", 100, 0, 1'000'000'000, "samples of stratum d: c1 + c2^d"}, {"c2", 3, 1, 1000, "samples of stratum d: c1 + c2^d"}},
    .kind = {.takes_explorer = true,
             .runs = true, .limits = {"max-delays", "samples"}, .hunts_states = {{1, "run-to-completion"}, {9, "round-robin"}},
             .hunts_executions = {{2, "round-robin"}, {4, "run-to-completion"}},
             .make =
                 [](const ParamValues& values) {
                   return std::make_unique<StratifiedSampling>(static_cast<std::uint64_t>(values.at("c1")),
                                                               static_cast<std::uint64_t>(values.at("c2")));
                 }},
}};

}  // namespace
}  // namespace tarry
