// Stratified sampling: near-uniform samples of the executions with exactly d delays.
//
// Figure 7 of Desai, Qadeer, Seshia (FSE 2015). A sample starts with the execution without delays; then d times a position
// after the last delay is drawn uniformly and the execution with that delay is run. An execution with d delays comes with
// probability 1 / (l_1 … l_d), where l_i is the number of positions after the (i-1)-th delay; at least 1 / L^d (theorem 3).
// We differ: only positions at which a delay changes something are drawn.
#pragma once

#include <functional>

#include "base/rng.h"
#include "explore/delay_policy.h"
#include "explore/sampling.h"

namespace tarry {

/// Where a sample starts. Default: at the beginning.
struct SampleStart {
  StartingPoint point;
  Memo memo;
  std::int64_t delays = 0;  // spent before
};

/// Draws one sample with up to `delays` delays; runs delays + 1 executions at most, and tells `sampler` of each.
/// Returns the number of delays that there was room for.
std::uint64_t draw_sample(Sampler& sampler, Runner& runner, std::uint64_t number, const AskedExplorer& explorer, Rng rng,
                          std::uint64_t delays, const SampleStart* start = nullptr);

/// c1 + c2^d.
std::uint64_t samples_in_stratum(std::uint64_t c1, std::uint64_t c2, std::uint64_t delays);

}  // namespace tarry
