// What the user wants to be explored. Set before the first execution.
#pragma once

#include <cstdint>

#include "native/abi/messages.h"
#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

struct RunRules : Kept {
  bool spurious = false;  // what the standards allow and seldom happens
  bool faults = false;    // calls fail for want of memory, of threads, or by a signal
  bool awaits = true;
  bool orders_output = false;  // what executions write is told, each text once (--outcomes): so it counts in which order threads write
  bool lenient = false;   // a schedule is followed: a thread that waits in a loop may go round once more
  Samaritan selfish = Samaritan::kNote;  // what it is to wait in a loop without yielding
  std::uint32_t clock_jumps = 0;
  bool left_out_spurious = false;  // a thread waited where it may wake up without a cause, and that was not explored
};
inline RunRules& run_rules() { return part<RunRules>(); }

}  // namespace tarry::native::rt
