// What is kept of the time of each thread (common_time.h, clock.h), and of the random numbers that it has drawn.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

struct TimeOfThread {
  std::uint64_t passed = 0;           // nanoseconds that have passed for it (clock.h)
  std::uint64_t seen = 0;             // by what others did, or its own
  std::uint64_t clock_reads = 0;
  std::uint64_t latest_deadline = 0;  // that it has seen, as a time of its own
  std::uint64_t held_up = 0;          // of its time: it did not run, and its processor time did not pass
  std::uint64_t wakes_at = 0;         // its time when it ends to sleep, if it uses timers (timers.h)
  bool slept = false;                 // since its last event (session/admissible.h)
};

struct RandomOfThread {
  std::uint64_t drawn = 0;  // numbers
};

}  // namespace tarry::native::rt
