// Finds the places along a schedule where an explorer must be delayed to follow it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/move.h"
#include "core/program.h"

namespace tarry {

/// Returns the steps (from 1) before which delays are needed, each step once per delay. A data choice of value v counts v times
/// (or once, with `unit`).
std::vector<std::uint32_t> delays_along(const Program& program, const Explorer& explorer, const std::vector<Choice>& schedule, bool unit);

}  // namespace tarry
