// A trace for people: who did what, where another process took over, and what that changed.
#pragma once

#include <cstddef>
#include <string>

#include "trace/replayer.h"

namespace tarry {

struct RenderOptions {
  std::size_t width = 100;  // of a line; 0: as long as need be
  bool color = false;
  bool verbose = false;         // every step, and the state at the start
  std::size_t max_steps = 100;  // otherwise: more than that are abbreviated, two fifths of it at the start, the rest at the end
  std::size_t chart_width = 100;  // of a chart of events (sequence.h)
  bool ascii = false;             // and nothing but ASCII in it
};

/// Ends with the line `kind: message (location)` of the finding.
std::string render_trace_text(const Replay& replay, const Finding& finding, const RenderOptions& options);

/// Stands before the first step of a loop (Finding::loop) that is shown, which is number `step`.
std::string loop_title(const Finding& finding, std::uint64_t step);

/// That line, without its newline.
std::string finding_line(const Finding& finding);

}  // namespace tarry
