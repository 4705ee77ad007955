// A schedule of a search that crashed, in the numbers of a replay.
//
// A search gives machines their slots as it meets them, a replay in the order of creation; who is who, both know (Identities). `PProgram::
// make_portable` does this where the search is still there; after a crash only its table of identities is left.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/move.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {

/// Is the last step to be taken, or does the crash happen in it?
enum class LastStep { kTaken, kNotTaken };

/// `replay` was opened for replay, and is used up by this. Nothing if a step cannot be taken there.
std::optional<std::vector<Choice>> renumbered(const std::vector<Choice>& schedule, std::span<const Identities::Identity> identities,
                                              const PProgram& replay, LastStep last);

}  // namespace tarry::plang
