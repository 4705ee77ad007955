// How much longer a program takes under a set of schedules.
#pragma once

#include <string>

#include "core/subject.h"

namespace tarry::cli {

struct Overhead {
  static constexpr int kRuns = 15;
  double plain = 0, enforced = 0;  // seconds from start to end of the process: medians
  std::string problem = {};        // why it could not be measured

  double ratio() const { return enforced / plain - 1; }
};

/// Runs the program by itself and under the set in turn.
Overhead measure_overhead(const Executable& program, const std::string& image);

}  // namespace tarry::cli
