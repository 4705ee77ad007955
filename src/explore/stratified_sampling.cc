#include "explore/stratified_sampling.h"

#include <algorithm>
#include <cmath>

namespace tarry {

std::uint64_t draw_sample(Sampler& sampler, Runner& runner, std::uint64_t number, const AskedExplorer& explorer, Rng rng,
                          std::uint64_t delays, const SampleStart* start) {
  std::vector<std::uint64_t> positions;
  while (true) {
    DelayPolicy policy(explorer, positions);
    if (start != nullptr) policy.resume(start->memo);
    ExecutionResult result = runner.run_from(policy, start == nullptr ? nullptr : &start->point);
    if (explorer.faulty()) result.end = End::kFailed, result.failure = runner.in_words(explorer);
    const auto spent = static_cast<std::int64_t>(positions.size()) + (start == nullptr ? 0 : start->delays);
    if (!sampler.executed(runner, number, result, spent)) break;
    if (positions.size() == delays || policy.open_positions() == 0) break;
    positions.push_back(rng.below(policy.open_positions()));
  }
  return positions.size();
}

std::uint64_t samples_in_stratum(std::uint64_t c1, std::uint64_t c2, std::uint64_t delays) {
  const double count = static_cast<double>(c1) + std::pow(static_cast<double>(c2), static_cast<double>(delays));
  return static_cast<std::uint64_t>(std::min(count, 1e18));
}

}  // namespace tarry
