// Runs of a program without control, whose events are recorded. `tarry verify` then executes and checks the orders that these runs took.
#pragma once

#include <cstdint>
#include <vector>

#include "core/subject.h"
#include "core/target.h"

namespace tarry::cli {

struct FreeRuns {
  std::vector<RecordedRun> recorded;
  std::uint32_t unusable = 0;  // failed, took too long, or had too many events
};

/// Runs the program so often. Its standard streams are closed. A run that takes longer than 10 s is killed.
FreeRuns record_free_runs(const Executable& program, std::uint32_t times);

}  // namespace tarry::cli
