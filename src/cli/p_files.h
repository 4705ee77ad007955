// The files of P's own tools: traces and schedules written beside ours, schedules read, and coverage.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/check_options.h"
#include "cli/child.h"
#include "plang/trace/schedule_file.h"
#include "plang/trace/translate.h"
#include "trace/render/report.h"

namespace tarry::cli {

/// Writes what --p-trace asks for beside the finding's trace: .txt, .trace.json, .schedule. What goes wrong becomes a note.
void write_p_traces(const ReportedFinding& reported, const CheckOptions& options, const StateSubject& subject,
                    std::vector<std::string>& notes);

/// Writes <test>.coverage.txt and .coverage.json to the folder of --coverage.
void write_coverage(const std::vector<ReportedFinding>& findings, const CheckOptions& options, const StateSubject& subject,
                    std::vector<std::string>& notes);

/// Runs the program by a schedule of P, in a child. Requires: the subject is a test of a P program, with all of P's points.
std::variant<plang::Translated, Diagnostic, OurFault> follow_p_schedule(const StateSubject& subject, const plang::ScheduleFile& file,
                                                                        std::chrono::milliseconds step_timeout);

}  // namespace tarry::cli
