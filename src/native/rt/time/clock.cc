#include "native/rt/time/clock.h"

#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>

#include <algorithm>
#include <cerrno>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/process.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/spin.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/time/timers.h"

namespace tarry::native::rt {

struct Clocks : Kept {
  bool met_most_jumps = false;             // in some execution
  Lasting<std::vector<CodeSpan>> frameworks;  // of tests
};
template struct RoomOf<Clocks>;

namespace {

// Where the clocks stand when the program starts. 2024-01-01 12:00:00 UTC.
constexpr std::uint64_t kStart = 1'704'110'400 * kSecond;
constexpr std::uint64_t kBoot = 10'000 * kSecond;
constexpr std::uint64_t kLeapSeconds = 37 * kSecond;

/// Where a clock stood at the start; false if there is no such clock.
bool origin(clockid_t clock, std::uint64_t& out) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM: out = kStart; return true;
    case CLOCK_TAI: out = kStart + kLeapSeconds; return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: out = kBoot; return true;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: out = 0; return true;
    default: out = 0; return clock < 0;  // processor time of some thread
  }
}

/// Counts what a thread or the process computed, not what time it is.
bool is_processor_time(clockid_t clock) { return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0; }

std::vector<CodeSpan>& frameworks() { return *part<Clocks>().frameworks; }

/// A clock that is read by a test framework, which shows how long a test took.
bool is_read_by_framework() {
  if (frameworks().empty()) return false;
  const EngineScope engine;
  const Place place = place_of(first_of_program(backtrace()));
  return std::any_of(frameworks().begin(), frameworks().end(), [&](const CodeSpan& span) {
    return place.module == span.from.module && place.offset >= span.from.offset && place.offset < span.from.offset + span.size;
  });
}

/// The thread was held up before it reads a clock, if the search says so: its time is past every deadline that it has seen, and some that the program
/// may have worked out.
void may_be_held_up(Thread& self) {
  constexpr std::uint64_t kLong = 600 * kSecond;
  Scheduler& all = scheduler();
  if (!in_program() || self.of_runtime) return;
  if (self.time.clock_reads == 0 && all.thread_count() == 1) return;  // nobody knows yet what time it was
  if (is_read_by_framework()) return;
  std::uint32_t& jumps = process_state().clock_jumps;
  if (g_watch.footprint != nullptr) all.point({.op = Op::kLibraryState, .object = &jumps, .reads = run_rules().clock_jumps == 0});
  looked_at(&jumps);
  if (jumps >= run_rules().clock_jumps) {
    part<Clocks>().met_most_jumps = true;
    return;
  }
  if (all.decide(2) == 0) return;
  changed(&jumps);
  ++jumps;
  const std::uint64_t passes = std::max(self.time.latest_deadline, self.time.passed) + kLong - self.time.passed;
  self.time.held_up += passes;
  pass_time(passes);
  all.came_to("held up for 10 minutes before it reads the clock");
}

timespec spec_of(std::uint64_t nanoseconds) { return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)}; }

}  // namespace

bool met_most_clock_jumps() { return part<Clocks>().met_most_jumps; }

bool is_virtual() { return in_program() || (g_side == Side::kFree && under_control()); }

std::uint64_t nanoseconds_of(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  if (time.tv_sec > 9'000'000'000) return 9'000'000'000 * kSecond;
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(std::max(time.tv_nsec, 0L));
}

std::uint64_t time_at(clockid_t clock, const timespec& shown) {
  std::uint64_t start = 0;
  origin(clock, start);
  return std::max(nanoseconds_of(shown), start) - start;
}

void pass_time(std::uint64_t nanoseconds) {
  part<CommonTime>().passed = true;
  scheduler().self().time.passed += nanoseconds;
  if (uses_timers()) [[unlikely]] expire_passed();
}

std::uint64_t time_now() {
  Thread& self = scheduler().self();
  if (self.time.seen > self.time.passed) {
    const std::uint64_t passed = self.time.seen - self.time.passed;
    self.time.held_up += passed;
    pass_time(passed);
  }
  return self.time.passed;
}

bool look_at_clock(clockid_t clock, timespec& out) {
  constexpr std::uint64_t kFirst = 1'000, kDoubles = 256, kMost = 10;
  Thread& self = scheduler().self();
  std::uint64_t start = 0;
  if (!origin(clock, start)) return false;
  has_effect();  // no two looks at it are the same
  time_now();
  if (!is_processor_time(clock)) may_be_held_up(self);
  pass_time((kFirst << std::min(self.time.clock_reads++ / kDoubles, kMost)) + time_of_loads());
  out = spec_of(start + self.time.passed - (is_processor_time(clock) ? self.time.held_up : 0));
  return true;
}

void see_deadline(clockid_t clock, const timespec& until) {
  if (!in_program()) return;
  std::uint64_t& latest = scheduler().self().time.latest_deadline;
  constexpr std::uint64_t kFarthest = 3'000'000 * kSecond;  // a month: beyond lies "for ever"
  if (const std::uint64_t time = time_at(clock, until); time < kFarthest) latest = std::max(latest, time);
}

void set_frameworks(const std::vector<CodeSpan>& spans) { frameworks() = spans; }

int Deadline::expire() const {
  const std::uint64_t now = time_now();
  pass_time(std::max(now, time_at(clock_, until_)) - now);
  return ETIMEDOUT;
}

timespec after(clockid_t clock, const timespec& relative) {
  std::uint64_t start = 0;
  origin(clock, start);
  return spec_of(start + time_now() + nanoseconds_of(relative));
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!is_virtual()) return TARRY_REAL(clock_gettime)(clock, out);
  timespec now{};
  if (look_at_clock(clock, now)) {
    writes(out, sizeof(*out), accessor(TARRY_CALLER));
    *out = now;
    return 0;
  }
  errno = EINVAL;
  return -1;
}
TARRY_TAKEN_OVER int __clock_gettime(clockid_t clock, timespec* out) noexcept { return writes(out, sizeof(*out), accessor(TARRY_CALLER)), clock_gettime(clock, out); }
TARRY_TAKEN_OVER int clock_getres(clockid_t clock, timespec* out) noexcept {
  if (!is_virtual()) return TARRY_REAL(clock_getres)(clock, out);
  writes(out, sizeof(*out), accessor(TARRY_CALLER));
  if (out != nullptr) *out = {0, 1};
  return 0;
}
TARRY_TAKEN_OVER int gettimeofday(timeval* out, void* zone) noexcept {
  if (!is_virtual()) return TARRY_REAL(gettimeofday)(out, static_cast<struct timezone*>(zone));
  timespec now{};
  look_at_clock(CLOCK_REALTIME, now);
  writes(out, sizeof(*out), accessor(TARRY_CALLER));
  *out = {now.tv_sec, now.tv_nsec / 1000};
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  return 0;
}
TARRY_TAKEN_OVER time_t time(time_t* out) noexcept {
  if (!is_virtual()) return TARRY_REAL(time)(out);
  timespec now{};
  look_at_clock(CLOCK_REALTIME, now);
  writes(out, sizeof(*out), accessor(TARRY_CALLER));
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}
TARRY_TAKEN_OVER int timespec_get(timespec* out, int base) noexcept {
  if (!is_virtual()) return TARRY_REAL(timespec_get)(out, base);
  if (base != TIME_UTC) return 0;
  timespec now{};
  look_at_clock(CLOCK_REALTIME, now);
  writes(out, sizeof(*out), accessor(TARRY_CALLER));
  *out = now;
  return base;
}
TARRY_TAKEN_OVER clock_t clock() noexcept {
  if (!is_virtual()) return TARRY_REAL(clock)();
  timespec now{};
  look_at_clock(CLOCK_PROCESS_CPUTIME_ID, now);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}
TARRY_TAKEN_OVER clock_t times(tms* out) noexcept {
  if (!is_virtual()) return TARRY_REAL(times)(out);
  constexpr long kTicks = 100;
  const auto ticks = [](const timespec& time) { return static_cast<clock_t>(time.tv_sec * kTicks + time.tv_nsec / (static_cast<long>(kSecond) / kTicks)); };
  timespec now{}, computed{};
  look_at_clock(CLOCK_MONOTONIC, now);
  look_at_clock(CLOCK_PROCESS_CPUTIME_ID, computed);
  writes(out, sizeof(*out), accessor(TARRY_CALLER));
  if (out != nullptr) *out = {ticks(computed), 0, 0, 0};
  return ticks(now);
}
