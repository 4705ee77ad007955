// A schedule of P's checker as one of ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/finding.h"
#include "plang/trace/schedule_file.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {

struct Translated {
  std::vector<Choice> schedule;     // as far as the program could follow
  std::uint32_t diverged_line = 0;  // of the file, from 1; 0: it followed to the end
  std::string divergence;           // in words
  std::uint32_t unused_line = 0;    // the program failed, and this is the first line that was not needed; 0: none
};

/// Runs the program by the file. Requires: opened with Points::kAll, for a replay.
Translated translate(const PProgram& program, const ScheduleFile& file);

}  // namespace tarry::plang
