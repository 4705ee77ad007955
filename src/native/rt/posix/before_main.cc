#include "native/rt/posix/before_main.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include "native/rt/base/raw.h"
#include "native/rt/base/real.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/posix/process.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }

/// Takes the next signal that is pending in the kernel; 0 if there is none. Those of the thread come ahead of those of the process.
int take_pending(siginfo_t& info) {
  const std::uint64_t all = ~std::uint64_t{0};
  const timespec now{};
  const long signal = raw(SYS_rt_sigtimedwait, &all, &info, &now, sizeof(all));
  return signal > 0 ? static_cast<int>(signal) : 0;
}

/// Where a signal that is pending belongs: how it was sent says so.
bool is_of_thread(const siginfo_t& info) { return info.si_code == SI_TKILL; }

void keep_pending(Thread& main, int signal, const siginfo_t& info) {
  ProcessState& process = process_state();
  std::uint64_t& pending = is_of_thread(info) ? main.signals.pending : process.signals_pending;
  if ((pending & bit(signal)) != 0) is_not_carried_over("a constructor of a static object sends a real-time signal several times before main, while it is blocked, and Tarry keeps one of them only: send it in main");
  pending |= bit(signal);
  process.signal_codes[static_cast<std::size_t>(signal) - 1] = info.si_code;
  process.signal_values[static_cast<std::size_t>(signal) - 1] = info.si_value;
}

void take_over_cancellation(Thread& main) {
  int state = PTHREAD_CANCEL_ENABLE, type = PTHREAD_CANCEL_DEFERRED;
  TARRY_REAL(pthread_setcancelstate)(PTHREAD_CANCEL_ENABLE, &state);
  TARRY_REAL(pthread_setcanceltype)(PTHREAD_CANCEL_DEFERRED, &type);
  main.cancel.disabled = state != PTHREAD_CANCEL_ENABLE;
  main.cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
}

}  // namespace

void waits_for_ever_before_main(bool made_threads) {
  if (made_threads)
    give_up("a constructor of a static object waits for a thread that it made before main: such threads begin with main, so make the object, or wait for its thread, in main");
  give_up("a constructor of a static object waits before main for something that no thread can do, so the program never starts: it locks what it has locked, or waits for a signal of a condition variable, a post of a semaphore or an arrival at a barrier");
}

void is_not_carried_over(const char* problem) { give_up(problem); }

std::uint64_t blocked_in_kernel() {
  std::uint64_t blocked = 0;
  raw(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, sizeof(blocked));
  return blocked;
}

void take_over_state(Thread& main) {
  main.signals.blocked = blocked_in_kernel();
  siginfo_t info{};
  for (int signal = take_pending(info); signal != 0; signal = take_pending(info)) keep_pending(main, signal, info);
  const std::uint64_t none = 0;
  raw(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof(none));
  take_over_cancellation(main);
  char name[sizeof(main.name)] = {};
  raw(SYS_prctl, PR_GET_NAME, name);
  if (std::strncmp(name, program_invocation_short_name, sizeof(name) - 1) != 0) std::memcpy(main.name, name, sizeof(name));
}

}  // namespace tarry::native::rt
