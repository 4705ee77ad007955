// The forms in which P's own tools keep an execution: the text trace, the JSON trace, and the schedule to replay.
//
// They are made in two parts, because an execution is followed in a child and its files are written by the parent: the child records the steps
// of the confirming run (PRecorder), the parent adds the end and makes the files of it.
#pragma once

#include <string>
#include <vector>

#include "core/finding.h"
#include "plang/trace/p_log.h"
#include "plang/trace/schedule_file.h"
#include "plang/vm/follow.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {

/// A line for each thing that happened, with its tag: "<SendLog> 'A(1)' in state 'S' sent event 'e' to 'B(2)'.".
std::string p_text(const std::vector<PRecord>& records);

/// An array of {type, details}.
std::string p_json(const std::vector<PRecord>& records);

struct PTraces {
  std::string text, json, schedule;
  std::string problem;  // in words, if the schedule could not be followed to its end
};

/// Records the steps of one execution.
class PRecorder final : public StepListener {
 public:
  /// `header`: what the schedule file says before its steps. `program` outlives it.
  PRecorder(const PProgram& program, const ScheduleFile& header);
  void add(const FollowedStep& step) override;
  std::string record() override;

 private:
  PLog log_;
  ScheduleFile file_;
  std::uint64_t steps_ = 1;  // as P counts them; the root creates the main machine
};

/// Returns the files of an execution that ends so. `record`: a PRecorder's.
PTraces p_traces(const std::string& record, const StepText& ending, const std::string& strategy);

/// Follows the finding's schedule.
PTraces p_traces(const PProgram& program, const Finding& finding, const std::string& strategy, const ScheduleFile& header);

}  // namespace tarry::plang
