// Random P programs that the checker accepts, for tests that compare executions of P.
//
// A program is a function of its seed: one to four machines with states, handlers and functions, up to two monitors, events with
// all kinds of payloads, and code that walks over every kind of statement and expression. Most of what can fail is guarded, so
// that executions go on for a while; how often a guard is left out is drawn once a program, from never to often. Machines only
// create machines that come later, and every raise, goto and most sends burn a field of fuel: executions end, or go from one
// scheduling point to the next until they are cut by a bound; none of them hangs.
//
// The test to run is the first one (`CheckedProgram::tests[0]`).
#pragma once

#include <cstdint>
#include <string>

namespace tarry::plang::reference {

/// What a program is likely to do.
enum class Flavour : std::uint8_t {
  kUsual,
  kChoosing,  // data choices everywhere: behind points that only separate local actions, beside `new`, in front of what fails
};

std::string random_p_program(std::uint64_t seed, Flavour flavour = Flavour::kUsual);

}  // namespace tarry::plang::reference
