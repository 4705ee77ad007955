#include "native/rt/effects/actions.h"

#include <sys/syscall.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "native/rt/base/admitted.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/effects/crash.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/signal.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

/// void tarry_rt_call_on_stack(void* top, void* function, int signal, siginfo_t* info, void* context): calls function(signal, info, context) there. Unwinders see
/// the frames of both stacks.
asm(R"(
.text
.globl tarry_rt_call_on_stack
.hidden tarry_rt_call_on_stack
.type tarry_rt_call_on_stack,@function
tarry_rt_call_on_stack:
 .cfi_startproc
 pushq %rbp
 .cfi_def_cfa_offset 16
 .cfi_offset %rbp,-16
 movq %rsp,%rbp
 .cfi_def_cfa_register %rbp
 movq %rdi,%rsp
 movq %rsi,%rax
 movl %edx,%edi
 movq %rcx,%rsi
 movq %r8,%rdx
 call *%rax
 movq %rbp,%rsp
 popq %rbp
 .cfi_def_cfa %rsp,8
 ret
 .cfi_endproc
.size tarry_rt_call_on_stack,.-tarry_rt_call_on_stack
)");
extern "C" void tarry_rt_call_on_stack(void* top, void* function, int signal, siginfo_t* info, void* context);

namespace tarry::native::rt {

/// In the program's memory.
struct Actions {
  struct sigaction of[kSignals];
  stack_t stacks[kMaxThreads];  // for handlers, of each thread
  bool handled;   // some signal that is no crash has had a handler
};
struct SignalActions : Kept {
  Actions* set = nullptr;
};
template struct RoomOf<SignalActions>;
template struct RoomOf<OutsideSignals>;

namespace {

constexpr std::size_t kSmallestStack = 2048;  // MINSIGSTKSZ of the kernel

Actions*& actions() { return part<SignalActions>().set; }

bool controlled() { return under_control() && g_side != Side::kEngine && actions() != nullptr; }

/// A signal that really comes, from outside.
void caught(int signal, siginfo_t* info, void* context) {
  if (!in_program()) {
    part<OutsideSignals>().came.fetch_or(std::uint64_t{1} << (signal - 1));
    return;
  }
  if (!has_handler(signal)) return;
  admit("signals come from other processes: at which moments they can come was not explored");
  const bool before = g_watch.interruptions;
  g_watch.interruptions = false;  // it strikes wherever it likes, and is no choice of the search: that makes no points
  call_handler(signal, info, context);
  g_watch.interruptions = before;
}

void set(int signal, const struct sigaction& action) {
  actions()->of[signal] = action;
  actions()->handled |= has_handler(signal) && !needed_for_crashes(signal);
  g_watch.interruptions |= actions()->handled;
  if (!fresh::on() || needed_for_crashes(signal)) return;
  if (has_handler(signal)) return handle_signal(signal, caught, static_cast<unsigned long>(action.sa_flags & SA_RESTART));
  const struct {
    sighandler_t handler;
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } plain = {action.sa_handler, 0, nullptr, 0};
  raw(SYS_rt_sigaction, signal, &plain, nullptr, sizeof(plain.mask));
}

int change(int signal, const struct sigaction* action, struct sigaction* before, std::uintptr_t pc) {
  if (signal <= 0 || signal >= kSignals || ((signal == SIGKILL || signal == SIGSTOP) && action != nullptr)) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction& own = actions()->of[signal];
  if (in_program() && !scheduler().alone()) scheduler().point({.op = Op::kLibraryState, .object = &own, .pc = pc, .reads = action == nullptr});
  else if (in_program() && action != nullptr) changed(&own);
  const struct sigaction old = own;
  if (action != nullptr) set(signal, *action);
  const bool ignored = action != nullptr && (action->sa_handler == SIG_IGN || (action->sa_handler == SIG_DFL && (signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT)));
  if (in_program() && ignored) discard_pending(signal);
  if (before != nullptr) *before = old;
  return 0;
}

sighandler_t change(int signal, sighandler_t handler, int flags, std::uintptr_t pc) {
  struct sigaction action {}, before {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  return change(signal, &action, &before, pc) == 0 ? before.sa_handler : SIG_ERR;
}

}  // namespace

bool on_alternate_stack(const void* stack) {
  const stack_t& own = actions()->stacks[scheduler().running()];
  const auto* const from = static_cast<const char*>(own.ss_sp);
  return (own.ss_flags & SS_DISABLE) == 0 && stack > from && stack <= from + own.ss_size;
}

void* stack_for_handler(int signal, const void* stack) {
  const stack_t& own = actions()->stacks[scheduler().running()];
  if ((action_of(signal).sa_flags & SA_ONSTACK) == 0 || (own.ss_flags & SS_DISABLE) != 0 || on_alternate_stack(stack)) return nullptr;
  constexpr std::uintptr_t kAligned = 64;
  return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(own.ss_sp) + own.ss_size) & ~(kAligned - 1));
}

int change_alternate_stack(const stack_t* wanted, stack_t* before, const void* stack) {
  stack_t& own = actions()->stacks[in_program() ? scheduler().running() : 0];
  const bool used = on_alternate_stack(stack);
  stack_t old = own;
  if (used) old.ss_flags |= SS_ONSTACK;
  if (wanted != nullptr) {
    constexpr int kAutoDisarm = 1 << 31;
    const int mode = wanted->ss_flags & ~kAutoDisarm;
    if (used) return EPERM;
    if (mode != 0 && mode != SS_DISABLE && mode != SS_ONSTACK) return EINVAL;
    if (mode != SS_DISABLE && wanted->ss_size < kSmallestStack) return ENOMEM;
    own = *wanted;
    own.ss_flags = mode == SS_DISABLE ? SS_DISABLE : 0;
    if (mode == SS_DISABLE) own.ss_sp = nullptr, own.ss_size = 0;
  }
  if (before != nullptr) *before = old;
  return 0;
}

void make_actions() {
  if (actions() != nullptr) return;
  auto* const all = new (program_heap::allocate(sizeof(Actions))) Actions{};
  for (stack_t& stack : all->stacks) stack.ss_flags = SS_DISABLE;
  for (int signal = 1; signal < kSignals; ++signal) ::sigaction(signal, nullptr, &all->of[signal]);
  actions() = all;
  for (int signal = 1; signal < kSignals; ++signal) all->handled |= has_handler(signal) && !needed_for_crashes(signal);
  g_watch.interruptions |= all->handled;
}

struct sigaction& action_of(int signal) { return actions()->of[signal]; }

bool has_handler(int signal) {
  const struct sigaction& action = action_of(signal);
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool handles_signals() { return actions()->handled; }

long change_action(const long (&a)[6]) {
  struct Kernel {
    sighandler_t handler;
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  };
  const auto* const wanted = reinterpret_cast<const Kernel*>(a[1]);
  auto* const before = reinterpret_cast<Kernel*>(a[2]);
  struct sigaction action {}, old {};
  if (wanted != nullptr) {
    action.sa_handler = wanted->handler;
    action.sa_flags = static_cast<int>(wanted->flags);
    std::memcpy(&action.sa_mask, &wanted->mask, sizeof(wanted->mask));
  }
  const int error = errno;
  if (change(static_cast<int>(a[0]), wanted == nullptr ? nullptr : &action, &old, calling_place(0)) != 0) {
    errno = error;
    return -EINVAL;
  }
  if (before == nullptr) return 0;
  *before = {old.sa_handler, static_cast<unsigned long>(old.sa_flags), old.sa_restorer, 0};
  std::memcpy(&before->mask, &old.sa_mask, sizeof(before->mask));
  return 0;
}

bool ends_by_default(int signal) {
  switch (signal) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT: return false;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: admit("the program stops itself by a signal (SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU): it was taken to be continued at once"); return false;
    default: return true;
  }
}

void handle_those_that_came() {
  for (std::uint64_t came = part<OutsideSignals>().came.exchange(0); came != 0; came &= came - 1) {
    siginfo_t info{};
    info.si_signo = std::countr_zero(came) + 1;
    caught(info.si_signo, &info, nullptr);
  }
}

void call_handler(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = action_of(signal);
  looked_at(&action_of(signal));
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    changed(&action_of(signal));
    action_of(signal).sa_handler = SIG_DFL;
  }
  const int error = errno;
  Thread& self = scheduler().self();
  const bool outermost = self.signals.handler_stack == nullptr;
  void* const top = stack_for_handler(signal, __builtin_frame_address(0));
  if (outermost) self.signals.handler_stack = static_cast<const char*>(top != nullptr ? top : __builtin_frame_address(0));
  const auto handler = (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<void*>(action.sa_sigaction) : reinterpret_cast<void*>(action.sa_handler);
  if (top != nullptr) tarry_rt_call_on_stack(top, handler, signal, info, context);
  else reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler)(signal, info, context);
  if (outermost) scheduler().self().signals.handler_stack = nullptr;
  errno = error;
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  if (!controlled()) return TARRY_REAL_AS(sigaction, int(int, const struct sigaction*, struct sigaction*))(signal, action, before);
  reads(action, sizeof(*action), accessor(TARRY_PC));
  writes(before, sizeof(*before), accessor(TARRY_PC));
  return change(signal, action, before, TARRY_PC);
}
TARRY_TAKEN_OVER sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return TARRY_REAL_AS(signal, sighandler_t(int, sighandler_t))(number, handler);
  return change(number, handler, SA_RESTART, TARRY_PC);
}
TARRY_TAKEN_OVER sighandler_t bsd_signal(int number, sighandler_t handler) noexcept { return signal(number, handler); }
TARRY_TAKEN_OVER sighandler_t ssignal(int number, sighandler_t handler) noexcept { return signal(number, handler); }
TARRY_TAKEN_OVER sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return TARRY_REAL_AS(__sysv_signal, sighandler_t(int, sighandler_t))(number, handler);
  return change(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER), TARRY_PC);
}
TARRY_TAKEN_OVER sighandler_t sysv_signal(int number, sighandler_t handler) noexcept { return __sysv_signal(number, handler); }
TARRY_TAKEN_OVER int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  if (!controlled()) return TARRY_REAL_AS(sigaltstack, int(const stack_t*, stack_t*))(stack, before);
  const int error = change_alternate_stack(stack, before, __builtin_frame_address(0));
  return error == 0 ? 0 : (errno = error, -1);
}
