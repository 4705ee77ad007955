// System calls by number: those of syscall(), such as libstdc++'s atomic waits, and those that the gate catches (libgomp's, glibc's own locks).
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "native/rt/base/admitted.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/process_numbers.h"
#include "native/rt/posix/attributes.h"
#include "native/rt/posix/futex.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/signal.h"
#include "native/rt/posix/syscall.h"
#include "native/rt/posix/thread.h"
#include "native/rt/time/random.h"

namespace tarry::native::rt {
namespace {

// Younger than the headers that Tarry may be built with.
constexpr long kFutexWaitv = 449, kFutexWake = 454, kFutexWait = 455, kFutexRequeue = 456, kRseq = 334;

/// The program knows the numbers of its process that it has later.
long call_before_main(long number, const long (&arguments)[6]) {
  switch (number) {
    case SYS_gettid: return thread_id();
    case SYS_getpid: return process_id();
    case SYS_getppid: return parent_id();
    case SYS_kill:
    case SYS_tkill: return raw(number, number_in_child(static_cast<pid_t>(arguments[0])), arguments[1]);
    case SYS_tgkill: return raw(number, number_in_child(static_cast<pid_t>(arguments[0])), number_in_child(static_cast<pid_t>(arguments[1])), arguments[2]);
    default: {
      const KernelCall call(number, arguments);
      const auto& a = call.arguments();
      return call.told(raw(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    }
  }
}

}  // namespace

long system_call(long number, const long (&arguments)[6], std::uintptr_t pc) {
  switch (number) {
    case SYS_futex: return futex(arguments, pc);
    case kFutexWaitv: return futex_wait_any(arguments, pc);
    case kFutexWake:
    case kFutexWait:
    case kFutexRequeue:
      admit("the program calls futex_wake, futex_wait or futex_requeue of Linux 6.7, which Tarry does not know: they were refused with ENOSYS");
      return -ENOSYS;
    case SYS_gettid: return thread_id();
    case SYS_getcpu: return tell_processor(reinterpret_cast<unsigned*>(arguments[0]), reinterpret_cast<unsigned*>(arguments[1]), pc);
    case kRseq:
      admit("the program registers a restartable sequence (rseq), which Tarry does not know: it was refused with ENOSYS");
      return -ENOSYS;
    case SYS_getpid: return process_id();
    case SYS_getppid: return parent_id();
    case SYS_sched_yield: yield(pc); return 0;
    case SYS_getrandom: fill_randomly(reinterpret_cast<void*>(arguments[0]), static_cast<std::size_t>(arguments[1])); return arguments[1];
    case SYS_clock_gettime: return look_at_clock(static_cast<clockid_t>(arguments[0]), *reinterpret_cast<timespec*>(arguments[1])) ? 0 : -EINVAL;
    case SYS_kill: return arguments[0] == kProcess ? -signal_process(static_cast<int>(arguments[1]), pc) : perform(number, arguments, pc);
    case SYS_tkill: return -signal_thread(static_cast<pid_t>(arguments[0]), static_cast<int>(arguments[1]), pc);
    case SYS_tgkill:
      if (arguments[0] != kProcess) return perform(number, arguments, pc);
      return -signal_thread(static_cast<pid_t>(arguments[1]), static_cast<int>(arguments[2]), pc);
    default: {
      long result = 0;
      if (call_attributes(number, arguments, pc, result) || call_locks_of_memory(number, arguments, result)) return result;
      return perform(number, arguments, pc);
    }
  }
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const long result = in_program() ? system_call(number, arguments, TARRY_PC) : before_main() ? call_before_main(number, arguments) : raw(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}
