// A finding is confirmed by running its schedule again, and kept as a trace.
#pragma once

#include <string>
#include <vector>

#include "cli/check_options.h"
#include "core/subject.h"
#include "trace/render/report.h"
#include "trace/render/text.h"

namespace tarry::cli {

/// Runs the schedule of each finding again, in a child of its own, and writes the traces. A finding that does not show again becomes one of kind
/// `nondeterminism`. Fills in `trace` of each finding, and `text` if JUnit is asked for. What goes wrong becomes a note. The time that this takes is
/// bounded, and progress is shown: findings beyond the limit, and after a signal, are written without being run again.
struct Kept {
  std::vector<std::string> texts;  // the traces for the terminal, one per finding; long ones in part
  bool interrupted = false;        // a signal ended a rerun
};
/// `hurries`: the user has interrupted the search.
Kept confirm_and_keep(Report& report, const CheckOptions& options, const std::string& explorer, const Subject& subject, bool hurries = false);

RenderOptions render_options(Color color, bool verbose);

}  // namespace tarry::cli
