// Which races a trace has, by the letter of the standard and without any cleverness: the events as nodes, synchronizes-with and
// sequenced-before as edges, happens-before as their transitive closure, and every pair of accesses looked at.
#pragma once

#include "tests/native_races/trace.h"

namespace tarry::native::testing {

/// All pairs that race, and every access to free memory with the free.
Reports all_races(const Trace& trace);

}  // namespace tarry::native::testing
