// Sleeping: a step that says that the thread cannot go on by itself. Its time passes; nobody else's does.
#include <poll.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/spin.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/time/clock.h"
#include "native/rt/time/timers.h"

namespace tarry::native::rt {
namespace {

/// Sleeps until then by its own time. False if a signal came.
bool sleep_to(std::uint64_t time, std::uint64_t nanoseconds, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  self.time.wakes_at = time;
  self.time.slept = true;
  const Yielding yielding = spins_yielding(pc);
  if (yielding == Yielding::kNothingNew) {
    pass_time(time_of_sleep(nanoseconds));
    return true;
  }
  Operation operation{.op = Op::kSleep, .ready = uses_timers() ? sleeps_undisturbed : nullptr, .pc = pc, .interruptible = true};
  if (!uses_timers()) come_by(operation);
  operation.yields = !rests() && yielding == Yielding::kCounts;
  cancellation_point(operation);
  leave_no_trace();
  self.time.wakes_at = time;  // handlers may have slept, too
  if (self.signals.interrupted || scheduler().fault()) return false;
  pass_time(time_of_sleep(nanoseconds));
  return true;
}
bool sleep(std::uint64_t nanoseconds, std::uintptr_t pc) { return sleep_to(time_now() + nanoseconds, nanoseconds, pc); }

std::uint64_t rest_of_sleep() {
  const Thread& self = scheduler().self();
  return std::max(self.time.wakes_at, self.time.passed) - self.time.passed;
}

bool is_duration(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond); }

/// An error number, or 0.
int sleep_for(const timespec& time, timespec* rest, std::uintptr_t pc) {
  if (!is_duration(time)) return EINVAL;
  if (sleep(nanoseconds_of(time), pc)) return 0;
  writes(rest, sizeof(*rest), accessor(pc));
  if (rest != nullptr) *rest = {static_cast<time_t>(rest_of_sleep() / kSecond), static_cast<long>(rest_of_sleep() % kSecond)};
  return EINTR;
}

int sleep_until(clockid_t clock, const timespec& time, std::uintptr_t pc) {
  if (!is_duration(time)) return EINVAL;
  if (!sleep_to(time_at(clock, time), 0, pc)) return EINTR;
  Deadline(clock, &time).expire();
  return 0;
}

int failed(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int nanosleep(const timespec* time, timespec* rest) {
  if (!in_program()) return TARRY_REAL(nanosleep)(time, rest);
  reads(time, sizeof(*time), accessor(TARRY_PC));
  return failed(sleep_for(*time, rest, TARRY_PC));
}
TARRY_TAKEN_OVER int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  if (!in_program()) return TARRY_REAL(clock_nanosleep)(clock, flags, time, rest);
  reads(time, sizeof(*time), accessor(TARRY_PC));
  return (flags & TIMER_ABSTIME) != 0 ? sleep_until(clock, *time, TARRY_PC) : sleep_for(*time, rest, TARRY_PC);
}
TARRY_TAKEN_OVER int usleep(useconds_t microseconds) {
  if (!in_program()) return TARRY_REAL(usleep)(microseconds);
  return failed(tarry::native::rt::sleep(std::uint64_t{microseconds} * 1000, TARRY_PC) ? 0 : EINTR);
}
TARRY_TAKEN_OVER unsigned sleep(unsigned seconds) {
  if (!in_program()) return TARRY_REAL(sleep)(seconds);
  return tarry::native::rt::sleep(seconds * kSecond, TARRY_PC) ? 0 : static_cast<unsigned>((rest_of_sleep() + kSecond - 1) / kSecond);
}
TARRY_TAKEN_OVER int thrd_sleep(const timespec* time, timespec* rest) {
  if (!in_program()) return TARRY_REAL(thrd_sleep)(time, rest);
  reads(time, sizeof(*time), accessor(TARRY_PC));
  const int error = sleep_for(*time, rest, TARRY_PC);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}
