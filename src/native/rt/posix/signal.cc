// Signals between threads. The mask is each thread's own and virtual: the one kernel thread blocks nothing. A signal that a thread sends itself
// is handled at once; one that it sends to another when that thread takes its next step, even if it waits: then a wait that can be interrupted
// fails with EINTR, and others are taken up again.
#include "native/rt/posix/signal.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/rt/effects/actions.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }
constexpr std::uint64_t kAlways = bit(SIGKILL) | bit(SIGSTOP);

std::uint64_t set_of(const sigset_t& set) {
  std::uint64_t out = 0;
  std::memcpy(&out, &set, sizeof(out));
  return out;
}
void put(sigset_t* set, std::uint64_t value) {
  sigemptyset(set);
  std::memcpy(set, &value, sizeof(value));
}

/// Calls what the program set for the signal, with the mask that it asked for.
Handled handle(int signal) {
  Thread& self = scheduler().self();
  const struct sigaction action = action_of(signal);
  if (action.sa_handler == SIG_IGN) return Handled::kIgnored;
  if (action.sa_handler == SIG_DFL) {
    if (signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT) return Handled::kIgnored;
    Failure failure;
    {
      const EngineScope engine;
      failure.kind = "crash";
      failure.message = "the program was ended by signal " + std::to_string(signal) + " (SIG" + ::sigabbrev_np(signal) + "), for which it has no handler";
    }
    scheduler().fail(std::move(failure));
  }
  const std::uint64_t before = self.signals_blocked;
  self.signals_blocked |= set_of(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) self.signals_blocked |= bit(signal);
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_TKILL;
  call_handler(signal, &info, nullptr);
  self.signals_blocked = before;
  return (action.sa_flags & SA_RESTART) != 0 ? Handled::kRestart : Handled::kInterrupt;
}

int change_mask(int how, const sigset_t* set, sigset_t* before) {
  Thread& self = scheduler().self();
  if (before != nullptr) put(before, self.signals_blocked);
  if (set == nullptr) return 0;
  const std::uint64_t wanted = set_of(*set) & ~kAlways;
  if (how == SIG_BLOCK) self.signals_blocked |= wanted;
  else if (how == SIG_UNBLOCK) self.signals_blocked &= ~wanted;
  else if (how == SIG_SETMASK) self.signals_blocked = wanted;
  else return EINVAL;
  if (self.signal_due()) handle_signals();
  return 0;
}

int send(std::uint32_t to, int signal, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (signal < 0 || signal > 64) return EINVAL;
  Thread& thread = all.thread(to);
  if (to != all.running()) all.point({.op = Op::kKill, .object = &thread, .pc = pc});
  if (signal == 0) return 0;
  if (thread.state != Thread::State::kAlive) return 0;
  thread.signals_pending |= bit(signal);
  if (to == all.running() && thread.signal_due()) handle_signals();
  return 0;
}

bool takes(const Thread& thread, int signal) { return thread.state == Thread::State::kAlive && (thread.signals_blocked & bit(signal)) == 0; }

/// For one sent to the process: the running thread if it takes it, else the first that does, else it waits with the running one.
std::uint32_t receiver(int signal) {
  Scheduler& all = scheduler();
  if (takes(all.self(), signal)) return all.running();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (takes(all.thread(i), signal) || (all.thread(i).pending.op == Op::kPause && (all.thread(i).pending.argument & bit(signal)) != 0)) return i;
  return all.running();
}

bool never(const Operation& /*operation*/) { return false; }
bool has_one(const Operation& operation) { return (scheduler().thread(operation.thread).signals_pending & operation.argument) != 0; }

}  // namespace

Handled handle_signals() {
  Thread& self = scheduler().self();
  Handled result = Handled::kIgnored;
  while (self.signal_due()) {
    const int signal = __builtin_ctzll(self.signals_pending & ~self.signals_blocked) + 1;
    self.signals_pending &= ~bit(signal);
    result = std::max(result, handle(signal));
  }
  return result;
}

int signal_process(int signal, std::uintptr_t pc) {
  if (signal < 0 || signal > 64) return EINVAL;
  return signal == 0 ? 0 : send(receiver(signal), signal, pc);
}

int signal_thread(pid_t thread, int signal, std::uintptr_t pc) {
  const auto number = static_cast<std::uint32_t>(thread - kProcess);
  return thread < kProcess || number >= scheduler().thread_count() ? ESRCH : send(number, signal, pc);
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  TARRY_PASS(pthread_sigmask, how, set, before);
  return change_mask(how, set, before);
}
TARRY_TAKEN_OVER int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  TARRY_PASS(sigprocmask, how, set, before);
  const int error = change_mask(how, set, before);
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int sigpending(sigset_t* out) noexcept {
  TARRY_PASS(sigpending, out);
  put(out, scheduler().self().signals_pending);
  return 0;
}
TARRY_TAKEN_OVER int pthread_kill(pthread_t handle, int signal) noexcept {
  TARRY_PASS(pthread_kill, handle, signal);
  const std::uint32_t number = scheduler().find(handle);
  return number == Scheduler::kNobody ? ESRCH : send(number, signal, TARRY_PC);
}
TARRY_TAKEN_OVER int raise(int signal) noexcept {
  TARRY_PASS(raise, signal);
  const int error = send(scheduler().running(), signal, TARRY_PC);
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int kill(pid_t process, int signal) noexcept {
  if (!in_program() || process != kProcess) return TARRY_REAL(kill)(process, signal);
  const int error = signal_process(signal, TARRY_PC);
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int pause() {
  TARRY_PASS(pause);
  cancellation_point({.op = Op::kPause, .ready = never, .pc = TARRY_PC, .interruptible = true});
  errno = EINTR;
  return -1;
}
TARRY_TAKEN_OVER int sigsuspend(const sigset_t* set) {
  TARRY_PASS(sigsuspend, set);
  Thread& self = scheduler().self();
  const std::uint64_t before = self.signals_blocked;
  self.signals_blocked = set_of(*set) & ~kAlways;
  while (!self.interrupted) cancellation_point({.op = Op::kPause, .ready = never, .pc = TARRY_PC, .interruptible = true});
  self.interrupted = false;
  self.signals_blocked = before;
  errno = EINTR;
  return -1;
}
TARRY_TAKEN_OVER int sigwait(const sigset_t* set, int* signal) {
  TARRY_PASS(sigwait, set, signal);
  Thread& self = scheduler().self();
  cancellation_point({.op = Op::kPause, .object = &self, .ready = has_one, .argument = set_of(*set), .pc = TARRY_PC});
  *signal = __builtin_ctzll(self.signals_pending & set_of(*set)) + 1;
  self.signals_pending &= ~bit(*signal);
  return 0;
}
TARRY_TAKEN_OVER int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  TARRY_PASS(sigwaitinfo, set, info);
  int signal = 0;
  sigwait(set, &signal);
  if (info != nullptr) std::memset(info, 0, sizeof(*info)), info->si_signo = signal;
  return signal;
}
