// A schedule run again in a child of its own: what it shows, crashes and endless steps included.
#pragma once

#include <chrono>
#include <filesystem>
#include <variant>
#include <vector>

#include "cli/child.h"

namespace tarry::cli {

struct Rerun {
  Replay replay;           // what can be told of the steps; fingerprints of those that came to an end
  StepText ending;         // of the replay or, if it did not come back, of the crash; kind is empty if all went well
  std::uint64_t steps = 0; // taken, the last one included even if it did not end
  bool crashed = false;    // it did not come back
  std::vector<Choice> schedule;  // of these steps: one more than was asked for if a look at who could run next was fatal
};

using RerunResult = std::variant<Rerun, Diagnostic, OurFault>;
RerunResult rerun(const Subject& subject, const std::vector<Choice>& schedule, const std::vector<std::uint32_t>& expected,
                  std::chrono::milliseconds step_timeout);

/// The kind, message and place of what a child left on record.
StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout);

/// Ours to explain: the child is gone without result and without a crash of the program on record.
OurFault vanished(const Shared& shared, const ChildEnd& end);

/// Does the rerun show the finding?
bool shows(const Rerun& rerun, const Finding& finding);

}  // namespace tarry::cli
