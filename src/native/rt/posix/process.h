// State of the runtime's that belongs to the program's process and is reset with it: it lies in the program's heap.
#pragma once

#include <semaphore.h>
#include <signal.h>

#include <array>
#include <cstdint>

namespace tarry::native::rt {

struct NamedSemaphore {
  sem_t semaphore;
  std::uint32_t users;  // 0: free; its name counts too
  bool unlinked;
  char name[252];
};

struct ProcessState {
  std::array<NamedSemaphore, 256> semaphores;
  std::uint64_t signals_pending;               // sent to the process, while all of its threads block them (bit n: signal n + 1)
  std::array<sigval, 64> signal_values;        // that were last sent with them
  std::array<int, 64> signal_codes;            // how they were last sent
  std::uint32_t clock_jumps;                   // that there were (time/clock.cc)
};

/// Made before the baseline, at the latest by `make_process_state`.
ProcessState& process_state();
void make_process_state();

}  // namespace tarry::native::rt
