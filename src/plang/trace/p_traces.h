// The forms in which P's own tools keep an execution: the text trace, the JSON trace, and the schedule to replay.
#pragma once

#include <string>

#include "core/finding.h"
#include "plang/trace/p_log.h"
#include "plang/trace/schedule_file.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {

/// A line for each thing that happened, with its tag: "<SendLog> 'A(1)' in state 'S' sent event 'e' to 'B(2)'.".
std::string p_text(const PLog& log);

/// An array of {type, details}.
std::string p_json(const PLog& log);

struct PTraces {
  std::string text, json, schedule;
  std::string problem;  // in words, if the schedule could not be followed to its end
};

/// `header`: what the schedule file says before its steps.
PTraces p_traces(const PProgram& program, const Finding& finding, const std::string& strategy, const ScheduleFile& header);

}  // namespace tarry::plang
