// An execution that was run again, as data: its steps, its states and how it ended. Renderers turn it into text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace tarry {

/// One step, told.
struct ReplayedStep {
  std::uint64_t number;                  // from 1
  ProcessId process;
  std::string process_name;
  std::vector<std::uint32_t> values;     // data choices
  std::string label;
  bool switched;                         // another process than in the step before
  bool preempted;                        // and the one before could still run
  Narrator::Fields changes;              // fields that changed: name, "old -> new" or the new value of an element
  std::vector<Happening> happenings = {};
  std::string location = {};             // of threads: file:line
  std::string output = {};               // that the program wrote in this step
  bool frameworks = false;               // of the test framework, not of the test: shown only if asked for
  std::optional<std::string> short_output = {};  // what of the output is the test's own, where that is less
};

/// A thread of a program that was run, when it was over.
struct ThreadAtEnd {
  std::string name;
  std::string state;                     // "ended", "failed", "waits for …"
  std::vector<std::string> stack;        // a line a frame, the innermost first
};

/// Which steps of a long execution are told: the first and the last ones. Telling takes much more time and memory than walking.
struct Telling {
  std::uint64_t first = 20'000, last = 80'000;
  std::uint64_t loop = 0;  // Finding::loop: from that step on it goes round for ever, if it comes back to where it was
  std::string message = {};  // Finding::message: names the property if the execution violates several liveness properties
  bool record = false;       // Narrator::record is wanted: every step is explained, told or not
};

struct Replay {
  std::vector<ReplayedStep> steps;       // the steps that are told
  Narrator::Fields first_state, last_state;
  StepText ending;                       // kind, message, location that the last step showed; kind empty if none
  std::optional<std::uint64_t> diverged_at;  // step number
  std::string divergence;                // in words
  std::vector<std::uint32_t> fingerprints;   // of every step that could be taken
  std::vector<ThreadAtEnd> threads = {};     // of programs that are run; the others have states instead
  std::vector<std::string> stack = {};       // where it failed
  bool verbose_tells_more = false;           // steps were left out that a verbose replay tells
  std::string record = {};                   // Narrator::record, if it was wanted
  std::string in_search = {};                // the ending's message in the words of a search, where a replay has more
};

}  // namespace tarry
