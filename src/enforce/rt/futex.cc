// Futexes: std::future and the atomic waits of C++ use them. While a trace is followed, no thread sleeps in the kernel for them:
// the trace decides which thread is woken.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>

#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

struct Call {
  long number;
  long a[6];

  long pass_on() const { return TARRY_NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]); }
};

/// Returns the deadline of a call, as a time of nanoseconds(); 0: it has none. FUTEX_WAIT is told how long to wait, the others until when.
std::uint64_t deadline_of(const Call& call) {
  if (call.a[3] == 0) return 0;
  const timespec& limit = *reinterpret_cast<const timespec*>(call.a[3]);
  std::int64_t left = static_cast<std::int64_t>(limit.tv_sec) * 1'000'000'000 + limit.tv_nsec;
  if ((call.a[1] & FUTEX_CMD_MASK) != FUTEX_WAIT) {
    timespec now;
    ::clock_gettime((call.a[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
    left -= static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  }
  return left <= 0 ? 1 : nanoseconds() + static_cast<std::uint64_t>(left);
}
/// Returns whether the kernel takes the time limit, and it is one that fits into 64 bits of nanoseconds.
bool has_usual_limit(const Call& call) {
  if (call.a[3] == 0) return true;
  const timespec& limit = *reinterpret_cast<const timespec*>(call.a[3]);
  return limit.tv_sec >= 0 && limit.tv_sec < 8'000'000'000 && limit.tv_nsec >= 0 && limit.tv_nsec < 1'000'000'000;
}

long wait(const Call& call) {
  const auto* const word = reinterpret_cast<const std::uint32_t*>(call.a[0]);
  {
    const Step step({.kind = Kind::kFutexWait, .object = word, .size = sizeof(*word)});
    if (step.free()) {
      const Blocking blocking(true);
      return call.pass_on();
    }
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != static_cast<std::uint32_t>(call.a[2])) return errno = EAGAIN, -1;
  }
  // If the run leaves the set meanwhile, this is a spurious wake-up.
  const std::uint64_t deadline = deadline_of(call);
  const Step step({.kind = deadline == 0 ? Kind::kFutexWoken : Kind::kTimedFutexWoken, .object = word, .deadline = deadline});
  return step.expired() ? (errno = ETIMEDOUT, -1) : 0;
}

long wake(const Call& call) {
  const auto* const word = reinterpret_cast<const std::uint32_t*>(call.a[0]);
  const Step step({.kind = Kind::kFutexWake, .object = word, .size = sizeof(*word)});
  return step.free() ? call.pass_on() : 0;
}

long futex(const Call& call, std::uintptr_t pc) {
  switch (call.a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      if (has_usual_limit(call)) return wait(call);
      break;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(call);
    default: break;
  }
  out_of_scope("a futex call that moves threads, or with an unusual time limit", pc);
  return call.pass_on();
}

}  // namespace

TARRY_ENFORCED long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  Call call{number, {}};
  for (long& one : call.a) one = va_arg(list, long);
  va_end(list);
  return number == SYS_futex && is_enforced() ? futex(call, TARRY_PLACE) : call.pass_on();
}
