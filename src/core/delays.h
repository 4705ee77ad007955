// Where along a schedule an explorer had to be delayed to go that way.
#pragma once

#include <cstdint>
#include <vector>

#include "core/move.h"
#include "core/program.h"

namespace tarry {

/// The steps (from 1) before which delays are needed, a step once for each. A data choice of value v counts v times (or once,
/// with `unit`).
std::vector<std::uint32_t> delays_along(const Program& program, const Explorer& explorer, const std::vector<Choice>& schedule, bool unit);

}  // namespace tarry
