// Exhaustive search, then sampling: SES until memory is nearly used up, then SS from the states of its frontier.
//
// It finds all shallow bugs, and deep bugs with some probability. The guarantee of the second part is about continuations of
// frontier states: one state is drawn uniformly, then d delays after it as in stratified sampling.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.1 (proposed as future work).
#include "core/registry.h"
#include "explore/delay_bounding.h"
#include "explore/stratified.h"
#include "explore/stratified_sampling.h"

namespace tarry {
namespace {

class SesThenSs final : public Search {
 public:
  SesThenSs(std::uint64_t delta, std::uint64_t c1, std::uint64_t c2) : delta_(delta), c1_(c1), c2_(c2) {}

  void run(Session& session) override {
    const SearchOptions& options = session.options();
    MemoryBudget budget(options.limits.memory);
    Interner surveys(budget);
    DelayBounding delays(session, budget);
    const auto nearly_spent = [](const MemoryBudget& spent) { return spent.used() > spent.limit() / 8 * 7; };
    Stratified ses(session, delays, {.delta = delta_, .last = options.limits.max_delays}, budget, surveys, nearly_spent);
    ses.run();
    if (!ses.handed_over() || session.stopping()) return;
    sample(session, ses, delays);
  }

 private:
  void sample(Session& session, const Stratified& ses, const DelayBounding& discipline) {
    const std::uint64_t frontier = ses.frontier_size();
    session.outcome.notes.push_back("memory was nearly spent after " + std::to_string(session.outcome.reached) +
                                    " delays; went on by sampling from " + std::to_string(frontier) + " frontier states");
    if (frontier == 0) return session.stop(StoppedBy::kMemory);
    Sampler sampler(session);
    for (std::uint64_t delays = 1;; ++delays) {
      if (!sampler.run(samples_in_stratum(c1_, c2_, delays), [&](Runner& runner, std::uint64_t number) {
            Rng rng(session.options().seed, number);
            const SampleStart start = start_at(session, ses, discipline, ses.frontier(rng.below(frontier)));
            draw_sample(sampler, runner, number, *discipline.explorer(), rng, delays, &start);
          }))
        break;
    }
    const std::uint64_t cut = session.outcome.cut;
    sampler.finish();
    session.outcome.cut += cut;
  }

  static SampleStart start_at(Session& session, const Stratified& ses, const DelayBounding& discipline, const Node& node) {
    SampleStart start;
    start.point.path = ses.log().path(node.path);
    start.point.state.resize(session.program().shape().words);
    ses.store().state(node.state, start.point.state.data());
    start.memo = discipline.get(node.memo);
    start.delays = static_cast<std::int64_t>(session.outcome.reached) + 1;
    return start;
  }

  std::uint64_t delta_, c1_, c2_;
};

const Registration<Search> entry{{
    .name = "ses-ss",
    .summary = "stratified exhaustive until memory is nearly spent, then sampling from its frontier",
    .paper = "Desai et al., FSE 2015, section 6.1",
    .params = {{"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"},
               {"c1", 100, 0, 1'000'000'000, "samples of stratum d: c1 + c2^d"},
               {"c2", 3, 1, 1000, "samples of stratum d: c1 + c2^d"}},
    .kind = {.takes_explorer = true,
             .complete = true,
             .instead = "goes on from captured states; on programs that can only be run use 'ses' or 'ss', or 'portfolio', which has both",
             .limits = {"max-delays", "samples", "strict-bound", "cache", "choice-cost"}, .make =
                 [](const ParamValues& values) {
                   return std::make_unique<SesThenSs>(static_cast<std::uint64_t>(values.at("delta")),
                                                      static_cast<std::uint64_t>(values.at("c1")),
                                                      static_cast<std::uint64_t>(values.at("c2")));
                 }},
}};

}  // namespace
}  // namespace tarry
