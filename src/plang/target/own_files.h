// The files of P's own tools: traces and schedules written beside ours, schedules read, and coverage.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "plang/target/p_subject.h"
#include "plang/trace/schedule_file.h"
#include "plang/trace/translate.h"

namespace tarry::plang {

/// Makes the program's replays record what write_p_traces needs, if --p-trace is given. `test`: the name of the test.
void record_p_traces(PProgram& program, const OwnFiles& wanted, const std::string& test);

/// Writes what --p-trace asks for beside the finding's trace: .txt, .trace.json, .schedule. What goes wrong becomes a note.
void write_p_traces(const Finding& finding, const RerunResult& rerun, const std::filesystem::path& trace, const OwnFiles& wanted, std::vector<std::string>& notes);

/// Writes <test>.coverage.txt and .coverage.json to the folder of --coverage, if that was given. Returns false if they
/// could not be written; a note says why.
bool write_coverage(const std::vector<Finding>& findings, const OwnFiles& wanted, const PSubject& subject, std::vector<std::string>& notes);

/// Runs the program by a schedule of P, in a child. Requires: the subject has all of P's points.
std::variant<Translated, Diagnostic, OurFault> translate_in_child(const PSubject& subject, const ScheduleFile& file, std::chrono::milliseconds step_timeout);

}  // namespace tarry::plang
