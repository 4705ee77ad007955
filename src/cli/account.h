// What a child left behind, in words.
#pragma once

#include <chrono>

#include "cli/child.h"

namespace tarry::cli {

/// The kind, message and place of what a child left on record.
StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout);

/// Ours to explain: the child is gone without result and without a crash of the program on record.
OurFault vanished(const Shared& shared, const ChildEnd& end);

}  // namespace tarry::cli
