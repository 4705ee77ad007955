// Replay: takes the steps of a trace again, and says at which step it went another way, if it did.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/program.h"
#include "core/replayed.h"
#include "trace/trace_file.h"

namespace tarry {

/// Called ahead of each step with its number, and once behind the last step with the number of that: what is known by then outlives a crash.
using BeforeStep = std::function<void(std::uint64_t step, const Replay& so_far)>;

/// `expected`: fingerprints to compare with, may be empty. A failing step is always told.
Replay replay(const Program& program, const std::vector<Choice>& schedule, const std::vector<std::uint32_t>& expected,
              const BeforeStep& before_step = {}, const Telling& telling = {});

}  // namespace tarry
