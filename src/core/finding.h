// A finding: a bug of the tested program, with the schedule that shows it. A value, never an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/finding_kind.h"
#include "core/move.h"

namespace tarry {

struct Finding {
  FindingKind kind;
  std::string message;
  std::string location;  // file:line, may be empty
  std::vector<Choice> schedule;
  std::uint64_t steps = 0;
  std::int64_t delays = -1;  // delays spent to get there; -1 if the search does not count them
  std::vector<std::uint32_t> delayed = {};  // the steps (from 1) before which delays were spent, each step once per delay
  std::uint64_t count = 1;                  // number of equal findings in the search; this one is the shortest
  std::vector<std::string> points = {};     // choice points that the program had when the schedule was made, in its own words
  std::uint64_t loop = 0;                   // infinite execution: the step (from 1) that starts its loop; 0: the execution ends
  std::vector<std::string> why = {};        // for a loop: why it is fair, one sentence each
  FailureId failure = FailureId::kNone;     // within the front end that found it
};

}  // namespace tarry
