// A finding: a bug of the tested program, with the schedule that shows it. A value, never an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/move.h"

namespace tarry {

struct Finding {
  std::string kind;      // "assertion", "deadlock", … (DESIGN section 7)
  std::string message;
  std::string location;  // file:line, may be empty
  std::vector<Choice> schedule;
  std::uint64_t steps = 0;
  std::int64_t delays = -1;  // spent to get there; -1 where the search does not count them
  std::vector<std::uint32_t> delayed = {};  // the steps (from 1) before which delays were spent, a step once for each delay
  std::uint64_t count = 1;                  // of equal ones that the search ran into; this is the shortest
  std::vector<std::string> points = {};     // choice points that the program had been given when the schedule was made, in its own words
  std::uint64_t loop = 0;                   // of an execution that goes on for ever: the step (from 1) that its loop starts with; 0: it ends
  std::vector<std::string> why = {};        // of a loop: why it is fair, a sentence each
};

}  // namespace tarry
