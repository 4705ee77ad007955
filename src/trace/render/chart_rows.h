// The rows of a chart: what happens in the steps of a replay, one event per row, without events that readers do not need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/replayer.h"

namespace tarry {

struct ChartRow {
  std::uint64_t step = 0;
  bool first = false;       // of its step
  char mark = ' ';          // of the step: '!' preempted, '>' switched
  bool failing = false;     // this is what went wrong
  bool shown = true;        // rows in the middle of a long execution are not
  bool behind_gap = false;  // steps before it are not shown, or not known
  Happening::Kind kind = Happening::Kind::kNote;
  bool observer = false;
  std::string who, whom, text, detail;
  std::string state;     // that is entered by it; may be empty
  std::string location;  // "Server.p:12"
};

/// Leaves out: arrivals that follow their sending at once, and events that an observer only takes note of (unless `all`). `most`:
/// shown rows.
std::vector<ChartRow> chart_rows(const Replay& replay, const Finding& finding, std::size_t most, bool all);

}  // namespace tarry
