// A finding is confirmed by running its schedule again, and kept as a trace.
#pragma once

#include <string>

#include "cli/check_options.h"
#include "core/subject.h"
#include "trace/render/report.h"
#include "trace/render/text.h"

namespace tarry::cli {

/// Runs the schedule of each finding again, in a child of its own, and writes the traces. A finding that does not show again becomes one of kind
/// `nondeterminism`. Fills in `trace` and `replay` of each finding. What goes wrong becomes a note. The time that this takes is bounded, and
/// progress is shown: findings beyond the limit, and after a signal, are written without being run again. Returns whether a signal ended a rerun.
/// `hurries`: the user has interrupted the search.
bool confirm_and_keep(Report& report, const CheckOptions& options, const std::string& explorer, const Subject& subject, bool hurries = false);

RenderOptions render_options(Color color, bool verbose);

}  // namespace tarry::cli
