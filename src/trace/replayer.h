// Replay: takes the steps of a trace again, and says at which step it went another way, if it did.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/program.h"
#include "core/replayed.h"
#include "trace/trace_file.h"

namespace tarry {

/// `expected`: fingerprints to compare with, may be empty. `before_step` is called ahead of each step, so that a crash leaves
/// a record of where it was (the step number). A failing step is always told.
Replay replay(const Program& program, const std::vector<Choice>& schedule, const std::vector<std::uint32_t>& expected,
              const std::function<void(std::uint64_t)>& before_step = {}, const Telling& telling = {});

}  // namespace tarry
