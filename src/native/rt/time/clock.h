// Virtual time. A thread's own: it passes when the thread sleeps, when its time is out in a wait, and a little with every look at a clock. A new
// thread begins with its creator's time, and who sees what another thread did sees its time, too (common_time.h). So what a clock shows is a
// function of what happened before in the sense of the order of operations, and steps that are independent commute.
//
// A thread may be held up for long, by others or by the machine: where it reads a clock, its time may jump past every deadline that it has seen, as
// the search says (RunOptions::clock_jumps).
//
// The little grows the more often a thread looks (1 µs at first, 1 ms at most): loops that wait for a time to come get there soon.
#pragma once

#include <time.h>

#include <cstdint>
#include <vector>

#include "native/abi/messages.h"

namespace tarry::native::rt {

constexpr std::uint64_t kSecond = 1'000'000'000;

/// Whether a clock or a random device is to be virtual: for the program, also before its main.
bool is_virtual();

/// What the clock shows the running thread; false if there is no such clock. Time passes.
bool look_at_clock(clockid_t clock, timespec& out);
/// The running thread's time, which is that which it has seen (common_time.h), at least: it catches up. What it waited for it did not compute.
std::uint64_t time_now();
/// The running thread's time passes.
void pass_time(std::uint64_t nanoseconds);

/// The running thread knows of this deadline.
void see_deadline(clockid_t clock, const timespec& until);

/// A thread could have been held up once more.
bool met_most_clock_jumps();

/// Code of a test framework: what it reads of clocks is no part of the test.
void set_frameworks(const std::vector<CodeSpan>& spans);

/// An absolute time up to which an operation waits.
class Deadline {
 public:
  Deadline(clockid_t clock, const timespec* until) : clock_(clock), until_(*until) { see_deadline(clock, *until); }

  bool valid() const { return until_.tv_nsec >= 0 && until_.tv_nsec < static_cast<long>(kSecond); }
  /// The time has come for the running thread. Returns ETIMEDOUT.
  int expire() const;

 private:
  clockid_t clock_;
  timespec until_;
};

/// Time since the start, when the clock shows this; 0 if that was before.
std::uint64_t time_at(clockid_t clock, const timespec& shown);
/// Saturates: "for ever" is often written as the greatest number.
std::uint64_t nanoseconds_of(const timespec& time);

/// The deadline that is so far away from now. Does not count as a look at the clock.
timespec after(clockid_t clock, const timespec& relative);

}  // namespace tarry::native::rt
