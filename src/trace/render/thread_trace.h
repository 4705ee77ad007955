// The trace of a program with threads, for people: what each step did and in which line, what was printed, who waits for what at the end.
#pragma once

#include <string>

#include "trace/render/text.h"
#include "trace/replayer.h"

namespace tarry {

/// Requires: the replay is of a program that was run (it has threads).
std::string render_threads(const Replay& replay, const Finding& finding, const RenderOptions& options);

}  // namespace tarry
