// What a child left behind, in words.
#pragma once

#include <chrono>

#include "cli/child.h"

namespace tarry::cli {

/// The kind, message and place of what a child left on record.
StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout);

/// Of a crash that overwrote the stack: there is no schedule to show, and it is no fault of ours.
Diagnostic wrecked(const Shared& shared);

/// Of a search that was stopped as its process held so much, of which its tables are a small part.
std::string memory_note(std::uint64_t held, std::uint64_t tables);

/// Ours to explain: the child is gone without result and without a crash of the program on record.
OurFault vanished(const Shared& shared, const ChildEnd& end);

}  // namespace tarry::cli
