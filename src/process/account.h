// What a child left behind, in words.
#pragma once

#include <chrono>
#include <variant>

#include "process/state_work.h"

namespace tarry::process {

/// The kind, message and place of what a child left on record.
StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout);

/// Of a crash that overwrote the stack: there is no schedule to show, and it is no fault of ours.
Diagnostic wrecked(const Shared& shared);

/// What kept a search from its end when it had to end.
std::string why_cut_off(const Shared& shared);

/// Of a search that was stopped as its process held so much, of which its tables are a small part.
std::string memory_note(std::uint64_t held, std::uint64_t tables);

/// Explains a child that ended without result and without a recorded crash of the program: another process killed it, or the fault is ours.
std::variant<Diagnostic, OurFault> why_vanished(const Shared& shared, const ChildEnd& end);

/// The same as one of `End`, which can be either and more.
template <class End>
End vanished(const Shared& shared, const ChildEnd& end) {
  return std::visit([](auto why) -> End { return why; }, why_vanished(shared, end));
}

}  // namespace tarry::process
