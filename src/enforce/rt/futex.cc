// Futexes: std::future and the atomic waits of C++ use them. While a trace is followed, no thread sleeps in the kernel for them:
// the trace decides which thread is woken.
#include <linux/futex.h>
#include <sys/syscall.h>
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
  const Step step({.kind = Kind::kFutexWoken, .object = word});
  return 0;
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
      if (call.a[3] == 0) return wait(call);
      break;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(call);
    default: break;
  }
  out_of_scope("a futex call with a time limit, or one that moves threads", pc);
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
