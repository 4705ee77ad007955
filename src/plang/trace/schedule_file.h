// P's schedule file: what its checker decided, a line a decision.
//
//   --test-method:tcSafety        header, each line optional
//   --fair-scheduling
//   --liveness-temperature-threshold:50000
//   (0)                           operation 0, the root task, goes on
//   (1)                           the machine with this number does
//   True                          a choice of a boolean
//   3                             a choice of a number
//   // a comment
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tarry::plang {

struct ScheduleStep {
  enum class Kind : std::uint8_t { kDecision, kBoolean, kInteger };
  Kind kind;
  std::uint64_t number;    // of the operation; 0 or 1; the chosen one
  std::uint32_t line = 0;  // of the file it was read from
  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

struct ScheduleFile {
  std::string test;  // may be empty
  bool fair = false;
  std::optional<std::uint64_t> threshold;  // of a liveness violation
  std::vector<ScheduleStep> steps;         // the first is the root's: (0)
};

std::string schedule_text(const ScheduleFile& file);

/// `name` is what errors call it: "name:line:column: error: expected …, found …". Any text is fine, none is trusted.
Result<ScheduleFile> parse_schedule(const std::string& name, std::string_view text);

/// "(3)", "True", "7": as it stands in a file.
std::string step_text(const ScheduleStep& step);

}  // namespace tarry::plang
