// A finding is confirmed by running its schedule again, and kept as a trace.
#pragma once

#include <string>
#include <vector>

#include "cli/check_options.h"
#include "cli/subject.h"
#include "trace/render/report.h"
#include "trace/render/text.h"

namespace tarry::cli {

/// Runs the finding's schedule in a child of its own and writes the trace. A finding that does not show again becomes one of kind
/// `nondeterminism`. Fills in `reported.trace`, and `reported.text` if JUnit is asked for. What goes wrong becomes a note.
struct Kept {
  std::string text;        // the trace for the terminal; long ones in part
  int interrupted_by = 0;  // the signal that ended the rerun: the finding is kept, but not confirmed
};
Kept confirm_and_keep(ReportedFinding& reported, const CheckOptions& options, const std::string& explorer, const Subject& subject,
                      std::vector<std::string>& notes);

RenderOptions render_options(Color color, bool verbose);

}  // namespace tarry::cli
