// What changed between two states, field by field and element by element.
#pragma once

#include "core/program.h"

namespace tarry {

/// Names and values of what differs: "at[2]" and "hungry -> has-first". Lists "[a b c]" are taken apart if both have as many
/// elements, structs "{x=1, y=2}" if both have the same fields; otherwise the whole value is shown.
Narrator::Fields changed_fields(const Narrator::Fields& before, const Narrator::Fields& after);

}  // namespace tarry
