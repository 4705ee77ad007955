// Signals between threads. The mask is each thread's own and virtual: the one kernel thread blocks nothing. A signal that a thread sends itself
// is handled at once; one that it sends to another when that thread takes its next step, even if it waits: then a wait that can be interrupted
// fails with EINTR, and others are taken up again. It may also come later, as one processor interrupts another: behind what the thread does without the
// kernel, and behind one call of the kernel that does not wait, since the kernel runs handlers when a call returns. Both only if the sender went on meanwhile
// (else it is as good as sent later), or if the call sends something back.
//
// A signal to the process goes to any thread that does not block it or waits for it, which is a choice of the search; if there is none, it
// waits with the process for the first that does (ProcessState).
#include "native/rt/posix/signal.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/signal_name.h"
#include "native/rt/base/admitted.h"
#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/effects/actions.h"
#include "native/rt/effects/process_numbers.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/process.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/threads/watched_ends.h"
#include "native/rt/time/clock.h"
#include "native/rt/time/timers.h"

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

siginfo_t info_of(int signal) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = process_state().signal_codes[signal - 1];
  info.si_pid = kProcess;
  info.si_value = process_state().signal_values[signal - 1];
  return info;
}

/// Calls what the program set for the signal, with the mask that it asked for.
Handled handle(int signal) {
  Thread& self = scheduler().self();
  const struct sigaction action = action_of(signal);
  looked_at(&action_of(signal));
  if (action.sa_handler == SIG_IGN) return Handled::kIgnored;
  if (action.sa_handler == SIG_DFL) {
    if (!ends_by_default(signal)) return Handled::kIgnored;
    Failure failure;
    {
      const EngineScope engine;
      failure.kind = "crash";
      const std::string number = "signal " + std::to_string(signal), name = signal_name(signal);
      failure.message = "the program was ended by " + (name == number ? number : number + " (" + name + ")") + ", for which it has no handler";
    }
    scheduler().fail(std::move(failure));
  }
  const std::uint64_t before = self.signals.blocked;
  self.signals.blocked |= set_of(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) self.signals.blocked |= bit(signal);
  siginfo_t info = info_of(signal);
  const bool in_call = std::exchange(self.cancel.in_call, false);  // it may be left by a jump
  call_handler(signal, &info, nullptr);
  self.cancel.in_call = in_call;
  self.signals.blocked = before;
  return (action.sa_flags & SA_RESTART) != 0 ? Handled::kRestart : Handled::kInterrupt;
}

/// What waits with the process, and the running thread takes: by not blocking it, or by waiting for it. A signal that waits with the thread, too, is another
/// one and comes first.
void take_from_process(std::uint64_t set) {
  std::uint64_t& waiting = process_state().signals_pending;
  set &= ~scheduler().self().signals.pending;
  if ((waiting & set) == 0) return;
  acquire(&process_state());
  changed(&process_state());
  scheduler().self().signals.pending |= waiting & set;
  waiting &= ~set;
}

void keep_details(int signal, SignalDetails details) {
  process_state().signal_values[signal - 1] = details.value;
  process_state().signal_codes[signal - 1] = details.code;
}

/// A signal is sent that is pending already. Others are one then; those of real time queue up, which is not modelled.
void is_pending_already(int signal) {
  constexpr int kFirstOfRealTime = 32;
  if (signal < kFirstOfRealTime || scheduler().self().of_runtime) return;
  scheduler().fail({.kind = kLimitKind, .message = "a real-time signal is sent while the same one is pending: their queue is not modelled"});
}

/// The running thread sends it, or a timer does. What was done before happens before the handler.
void reaches(Thread& thread, int signal) {
  Scheduler& all = scheduler();
  if ((thread.signals.pending & bit(signal)) != 0) is_pending_already(signal);
  release(&thread);
  if (!thread.signals.due()) {
    thread.signals.sent_by = all.self().of_runtime ? 0 : all.running() + 1;
    thread.signals.sent_at = all.self().steps;
    thread.signals.passed = 0;
    thread.signals.in_kernel = false;
  }
  thread.signals.pending |= bit(signal);
}

/// Whether the thread does it by itself, without a call of the kernel, where signals that have come are taken.
bool is_done_without_kernel(const Operation& operation) {
  switch (operation.op) {
    case Op::kLoad: case Op::kStore: case Op::kExchange: case Op::kReadModifyWrite: case Op::kCompareExchange: case Op::kFence: case Op::kRead: case Op::kWrite:
    case Op::kLock: case Op::kTryLock: case Op::kUnlock: case Op::kSpinLock: case Op::kSpinTryLock: case Op::kSpinUnlock:
    case Op::kReadLock: case Op::kTryReadLock: case Op::kWriteLock: case Op::kTryWriteLock: case Op::kReadWriteUnlock:
    case Op::kSignal: case Op::kBroadcast: case Op::kSemaphorePost: case Op::kSemaphoreTryWait: case Op::kSemaphoreValue:
      return operation.ready == nullptr || operation.ready(operation);
    default: return false;
  }
}

/// A call of the kernel that the thread may be in already when the signal comes, and that does not wait: the kernel performs it first.
bool is_done_by_kernel_first(const Operation& operation) {
  switch (operation.op) {
    case Op::kKill: case Op::kCancel: case Op::kCreate: case Op::kYield: case Op::kFile: case Op::kSend: case Op::kReceive: case Op::kPoll:
    case Op::kSemaphoreWait: case Op::kSemaphoreTimedWait: case Op::kJoin: case Op::kBarrier: case Op::kWait: case Op::kFutexWake: case Op::kSetMask:
      return operation.ready == nullptr || operation.ready(operation);
    default: return false;
  }
}

/// The operation changes what the sender finds in its own step, even if that has not taken place yet.
bool strikes_back(const Operation& operation) { return operation.op == Op::kKill || operation.op == Op::kCancel; }

/// Within a step.
void handle_now() {
  handle_signals();
  has_gone_on();
}

int change_mask(int how, const sigset_t* set, sigset_t* before, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  if (set != nullptr && (handles_signals() || process_state().signals_pending != 0) && !scheduler().alone()) scheduler().point({.op = Op::kSetMask, .object = &self, .pc = pc});
  if (before != nullptr) put(before, self.signals.blocked);
  if (set == nullptr) return 0;
  const std::uint64_t wanted = set_of(*set) & ~kAlways;
  if (how == SIG_BLOCK) self.signals.blocked |= wanted;
  else if (how == SIG_UNBLOCK) self.signals.blocked &= ~wanted;
  else if (how == SIG_SETMASK) self.signals.blocked = wanted;
  else return EINVAL;
  changed(&self);  // a signal finds it blocked or not
  take_from_process(~self.signals.blocked);
  if (self.signals.due()) handle_now();
  return 0;
}

int send(std::uint32_t to, int signal, std::uintptr_t pc, SignalDetails details = {SI_TKILL}) {
  Scheduler& all = scheduler();
  if (signal < 0 || signal > 64) return EINVAL;
  Thread& thread = all.thread(to);
  if (to != all.running()) all.point({.op = Op::kKill, .object = &thread, .pc = pc});
  if (signal == 0) return 0;
  if (thread.state != Thread::State::kAlive) return 0;
  keep_details(signal, details);
  reaches(thread, signal);
  if (to == all.running() && thread.signals.due()) handle_now();
  return 0;
}

bool takes(const Thread& thread, int signal) {
  if (thread.state != Thread::State::kAlive) return false;
  if ((thread.signals.blocked & bit(signal)) == 0) return true;
  const bool runs = &thread == &scheduler().self();  // the last operation of one that runs is over
  return !runs && thread.pending.op == Op::kPause && (thread.pending.argument & bit(signal)) != 0;
}

/// Of one that is sent to the process: kNobody if all threads block it.
std::uint32_t receiver(int signal) {
  Scheduler& all = scheduler();
  std::uint32_t takers = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    looked_at(&all.thread(i));
    takers += takes(all.thread(i), signal) ? 1 : 0;
  }
  if (takers == 0) return Scheduler::kNobody;
  std::uint32_t left = has_handler(signal) ? all.decide(takers) : 0;  // else it is all the same
  std::uint32_t to = 0;
  while (!takes(all.thread(to), signal) || left-- > 0) ++to;
  return to;
}

/// Waits with a thread, or with the process.
std::uint64_t pending_for(const Thread& thread) { return thread.signals.pending | process_state().signals_pending; }

bool never(const Operation& /*operation*/) { return false; }
bool has_one(const Operation& operation) { return (pending_for(scheduler().thread(operation.thread)) & operation.argument) != 0; }

/// The number of a signal of the set that has come; 0 if time was out, or a handler of another one ran.
int wait_for(std::uint64_t set, siginfo_t* info, bool timed, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  cancellation_point({.op = Op::kPause, .object = &process_state(), .also = &self, .ready = has_one, .argument = set, .pc = pc, .timed = timed, .interruptible = true});
  take_from_process(set);
  const std::uint64_t come = self.signals.pending & set;
  if (come == 0) return 0;
  const int signal = __builtin_ctzll(come) + 1;
  self.signals.pending &= ~bit(signal);
  changed(&self);
  acquire(&self);
  has_signal(signal);
  has_gone_on();
  if (info != nullptr) *info = info_of(signal);
  return signal;
}

}  // namespace

Handled handle_signals() {
  Thread& self = scheduler().self();
  Handled result = Handled::kIgnored;
  while (self.signals.due()) {
    const int signal = __builtin_ctzll(self.signals.pending & ~self.signals.blocked) + 1;
    self.signals.pending &= ~bit(signal);
    acquire(&self);
    changed(&self);  // it matters between which of its steps
    has_signal(signal);
    result = std::max(result, handle(signal));
    take_from_process(~self.signals.blocked);
  }
  return result;
}

bool comes_later(const Operation& operation) {
  constexpr std::uint32_t kMost = 8;  // steps: a thread that waits in a loop for the handler would wait for ever
  Scheduler& all = scheduler();
  Thread& self = all.self();
  const bool in_kernel = !is_done_without_kernel(operation);
  if (self.signals.sent_by == 0 || self.signals.in_kernel || (in_kernel && !is_done_by_kernel_first(operation))) return false;
  const Thread& sender = all.thread(self.signals.sent_by - 1);
  const bool sender_went_on = sender.state != Thread::State::kAlive || sender.steps != self.signals.sent_at;
  if (!sender_went_on && !strikes_back(operation)) return false;  // as good as sent after this step
  if (self.signals.passed == kMost) {
    admit("a handler of a signal ran at most 8 steps of its thread late: what needs more was not explored");
    return false;
  }
  if (all.decide(2) == 0) return false;
  ++self.signals.passed;
  self.signals.in_kernel = in_kernel;
  return true;
}

int signal_process(int signal, std::uintptr_t pc, SignalDetails details) {
  Scheduler& all = scheduler();
  if (signal < 0 || signal > 64) return EINVAL;
  if (!all.alone()) all.point({.op = Op::kKill, .object = &process_state(), .pc = pc});
  if (signal == 0) return 0;
  give_to_process(signal, details);
  if (all.self().signals.due()) handle_now();
  return 0;
}

void give_to_process(int signal, SignalDetails details) {
  changed(&process_state());
  const std::uint32_t to = receiver(signal);
  if (to != Scheduler::kNobody) return give_to_thread(to, signal, details);
  if ((process_state().signals_pending & bit(signal)) != 0) is_pending_already(signal);
  keep_details(signal, details);
  release(&process_state());
  process_state().signals_pending |= bit(signal);
}

void give_to_thread(std::uint32_t number, int signal, SignalDetails details) {
  Thread& thread = scheduler().thread(number);
  changed(&thread);
  if (thread.state != Thread::State::kAlive) return;
  keep_details(signal, details);
  reaches(thread, signal);
}

void discard_pending(int signal) {
  Scheduler& all = scheduler();
  if ((process_state().signals_pending & bit(signal)) != 0) process_state().signals_pending &= ~bit(signal), changed(&process_state());
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    Thread& thread = all.thread(i);
    if ((thread.signals.pending & bit(signal)) != 0) thread.signals.pending &= ~bit(signal), changed(&thread);
  }
}

MaskDuringCall::MaskDuringCall(const std::uint64_t* mask) : replaces_(mask != nullptr) {
  if (!replaces_) return;
  Thread& self = scheduler().self();
  before_ = self.signals.blocked;
  self.signals.blocked = *mask & ~kAlways;
  changed(&self);
  take_from_process(~self.signals.blocked);
}
MaskDuringCall::~MaskDuringCall() {
  if (!replaces_) return;
  Thread& self = scheduler().self();
  self.signals.blocked = before_;
  changed(&self);
  take_from_process(~before_);
}
std::uint64_t MaskDuringCall::unblocks() const { return replaces_ ? before_ & ~scheduler().self().signals.blocked : 0; }

long change_mask_by_call(const long (&arguments)[6], std::uintptr_t pc) {
  if (arguments[3] != sizeof(std::uint64_t)) return -EINVAL;
  const auto* const wanted = reinterpret_cast<const std::uint64_t*>(arguments[1]);
  auto* const told = reinterpret_cast<std::uint64_t*>(arguments[2]);
  sigset_t set, before;
  if (wanted != nullptr) put(&set, *wanted);
  const int error = change_mask(static_cast<int>(arguments[0]), wanted == nullptr ? nullptr : &set, &before, pc);
  if (error == 0 && told != nullptr) *told = set_of(before);
  return -error;
}

int signal_thread(pid_t thread, int signal, std::uintptr_t pc, SignalDetails details) {
  const auto number = static_cast<std::uint32_t>(thread - kProcess);
  if (thread < kProcess || number >= scheduler().thread_count()) return ESRCH;
  if (number != scheduler().running()) looks_at_ends();
  const int error = send(number, signal, pc, details);
  return error == 0 && scheduler().thread(number).state != Thread::State::kAlive ? ESRCH : error;  // unlike pthread_kill
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

namespace {

/// A thread that a constructor makes begins with main: the kernel thread that stands for it until then would get the signal.
void check_receiver_before_main(pthread_t handle) {
  if (before_main() && scheduler().started_early(handle)) is_not_carried_over("a constructor of a static object sends a signal to a thread that it made before main: such threads begin with main, so send it in main");
}

/// The C library refuses to send its own signals to a thread. kill() and sigqueue() send them.
bool is_of_the_c_library(int signal) { return signal == 32 || signal == 33; }

void tell_masks(const sigset_t* set, const sigset_t* before, std::uintptr_t pc) {
  reads(set, sizeof(*set), accessor(pc));
  writes(before, sizeof(*before), accessor(pc));
}

}  // namespace

TARRY_TAKEN_OVER int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  TARRY_PASS(pthread_sigmask, how, set, before);
  tell_masks(set, before, TARRY_PC);
  return change_mask(how, set, before, TARRY_PC);
}
TARRY_TAKEN_OVER int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  TARRY_PASS(sigprocmask, how, set, before);
  tell_masks(set, before, TARRY_PC);
  const int error = change_mask(how, set, before, TARRY_PC);
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int sigpending(sigset_t* out) noexcept {
  TARRY_PASS(sigpending, out);
  Thread& self = scheduler().self();
  if (scheduler().alone()) looked_at(&process_state()), looked_at(&self);
  else scheduler().point({.op = Op::kPendingSignals, .object = &process_state(), .also = &self, .pc = TARRY_PC, .reads = true});
  has_effect();  // what it tells is no memory of the program: a loop that asks for it is no await
  writes(out, sizeof(*out), accessor(TARRY_PC));
  put(out, pending_for(self));
  return 0;
}
TARRY_TAKEN_OVER int pthread_kill(pthread_t handle, int signal) noexcept {
  is_not_enforced("pthread_kill");
  check_receiver_before_main(handle);
  TARRY_PASS(pthread_kill, handle, signal);
  if (is_of_the_c_library(signal)) return EINVAL;
  const std::uint32_t number = scheduler().find(handle);
  return number == Scheduler::kNobody ? ESRCH : send(number, signal, TARRY_PC);
}
TARRY_TAKEN_OVER int raise(int signal) noexcept {
  TARRY_PASS(raise, signal);
  const int error = is_of_the_c_library(signal) ? EINVAL : send(scheduler().running(), signal, TARRY_PC);
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int kill(pid_t process, int signal) noexcept {
  is_not_enforced("kill");
  if (!in_program() || process != kProcess) return TARRY_REAL(kill)(number_in_child(process), signal);
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
  reads(set, sizeof(*set), accessor(TARRY_PC));
  const std::uint64_t wanted = set_of(*set);
  Thread& self = scheduler().self();
  {
    const MaskDuringCall mask(&wanted);
    while (!self.signals.interrupted) cancellation_point({.op = Op::kPause, .ready = never, .pc = TARRY_PC, .interruptible = true, .unblocks = mask.unblocks()});
    self.signals.interrupted = false;
  }
  errno = EINTR;
  return -1;
}
TARRY_TAKEN_OVER int sigwait(const sigset_t* set, int* signal) {
  TARRY_PASS(sigwait, set, signal);
  reads(set, sizeof(*set), accessor(TARRY_PC));
  int came = 0;
  while (came == 0) came = wait_for(set_of(*set), nullptr, false, TARRY_PC);
  writes(signal, sizeof(*signal), accessor(TARRY_PC));
  *signal = came;
  return 0;
}
TARRY_TAKEN_OVER int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  TARRY_PASS(sigwaitinfo, set, info);
  reads(set, sizeof(*set), accessor(TARRY_PC));
  const int signal = wait_for(set_of(*set), info, false, TARRY_PC);
  if (signal != 0) writes(info, sizeof(*info), accessor(TARRY_PC));
  return signal != 0 ? signal : (errno = EINTR, -1);
}
TARRY_TAKEN_OVER int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  TARRY_PASS(sigtimedwait, set, info, time);
  if (time == nullptr) return sigwaitinfo(set, info);
  reads(set, sizeof(*set), accessor(TARRY_PC));
  reads(time, sizeof(*time), accessor(TARRY_PC));
  const int signal = wait_for(set_of(*set), info, true, TARRY_PC);
  if (signal != 0) writes(info, sizeof(*info), accessor(TARRY_PC));
  if (signal != 0) return signal;
  errno = scheduler().self().signals.interrupted ? EINTR : EAGAIN;
  if (errno == EAGAIN) pass_time(static_cast<std::uint64_t>(time->tv_sec) * kSecond + static_cast<std::uint64_t>(time->tv_nsec));
  return -1;
}
TARRY_TAKEN_OVER int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  if (!in_program() || process != kProcess) return TARRY_REAL(sigqueue)(number_in_child(process), signal, value);
  const int error = signal_process(signal, TARRY_PC, {SI_QUEUE, value});
  return error == 0 ? 0 : (errno = error, -1);
}
TARRY_TAKEN_OVER int pthread_sigqueue(pthread_t handle, int signal, const sigval value) noexcept {
  check_receiver_before_main(handle);
  TARRY_PASS(pthread_sigqueue, handle, signal, value);
  if (is_of_the_c_library(signal)) return EINVAL;
  const std::uint32_t number = scheduler().find(handle);
  return number == Scheduler::kNobody ? ESRCH : send(number, signal, TARRY_PC, {SI_QUEUE, value});
}
