// Crashes, from the signal to the finding, on a signal stack of the runtime's.
//
// The handler does not return from a crash: the thread stays where it is until the reset. Nothing is blocked while it runs, so the kernel has no
// state that would have to be undone, and it can come thousands of times.
#include "native/rt/crash.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

#include "native/rt/effects/actions.h"
#include "native/rt/effects/raw.h"
#include "native/rt/heap.h"
#include "native/rt/hidden_state.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"
#include "native/rt/session.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

constexpr int kSynchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPIPE, SIGXFSZ};
constexpr std::uintptr_t kNull = 65'536;  // below: a member or an element by way of a null pointer

/// Set while stacks are walked that may be in ruins.
std::jmp_buf* g_way_out = nullptr;
bool g_large_stacks = false;  // there are, in this execution
char* g_stack = nullptr;
constexpr std::size_t kStackSize = 256 << 10;

std::string name_of_signal(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
}

std::string in_hex(std::uintptr_t number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%#lx", number);
  return text;
}

bool by_kernel(const siginfo_t& info) { return info.si_code > 0; }

bool overflowed(const Thread& thread, std::uintptr_t address, std::uintptr_t stack) {
  if (thread.borrowed != nullptr) {
    const auto low = reinterpret_cast<std::uintptr_t>(thread.borrowed->stack);
    if (address >= low && address < low + kGuardSize) return true;
  }
  constexpr std::uintptr_t kNear = 64 << 10;  // a frame with large arrays touches memory this far below
  return address < stack + 256 && address + kNear > stack;
}

std::string describe(int signal, const siginfo_t& info, const Thread& thread, std::uintptr_t stack) {
  const std::string what = "the program crashed with " + name_of_signal(signal);
  if (signal == SIGPIPE) return "the program was ended by SIGPIPE: it wrote to a pipe that nobody reads";
  if (!by_kernel(info)) return signal == SIGABRT ? "the program called abort()" : "the program was ended by " + name_of_signal(signal);
  switch (signal) {
    case SIGFPE:
      if (info.si_code == FPE_INTDIV) return what + ": division by zero";
      return what;
    case SIGILL: return what + ": illegal instruction";
    case SIGBUS:
      if (info.si_code == BUS_ADRERR) return what + ": memory of a file, beyond the end of the file";
      return what;
    case SIGSEGV: break;
    default: return what;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (info.si_code == SI_KERNEL) return what + " at an address that cannot exist";
  if (overflowed(thread, address, stack)) return "the program overflowed its stack";
  if (address < kNull) return what + " at address " + in_hex(address) + (address == 0 ? ": a null pointer" : ": next to a null pointer");
  return info.si_code == SEGV_ACCERR ? what + ": memory that may not be accessed so" : what + ": memory that does not exist";
}

/// A stack that was asked to be large becomes so in pieces, from the top. What it had is given back by `shrink_stacks`.
bool grew_stack(const Thread& thread, std::uintptr_t address) {
  if (thread.borrowed == nullptr || thread.stack_size <= kUsualStack) return false;
  constexpr std::uintptr_t kPiece = 1 << 20;
  const auto low = reinterpret_cast<std::uintptr_t>(thread.borrowed->stack);
  const std::uintptr_t end = low + kGuardSize;
  const std::uintptr_t wanted = address & ~(kPiece - 1);
  const std::uintptr_t from = std::max(wanted, low + kPiece);  // some is left to be a guard
  if (address < from || address >= end || low + kLargestStack - from > thread.stack_size + kPiece) return false;
  g_large_stacks = true;
  return raw(SYS_mprotect, from, end - from, PROT_READ | PROT_WRITE) == 0;
}

/// The gate (effects/gate.h) sends a signal on the thread's own stack. Where that is a cold page the kernel says SIGSEGV instead: make room, again.
bool made_room_for_signal(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  const auto* const pc = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  if (place_of(reinterpret_cast<std::uintptr_t>(pc)).offset == 0 || pc[-2] != 0x0f || pc[-1] != 0x05) return false;
  constexpr std::size_t kRoom = 32 << 10;
  Pages& pages = scheduler().pages();
  const std::uint64_t before = pages.faults();
  pages.prepare(reinterpret_cast<char*>(registers[REG_RSP]) - kRoom, kRoom);
  if (pages.faults() == before) return false;
  registers[REG_RIP] -= 2;
  return true;
}

/// A call through a bad pointer has left no frame: as if it had returned.
void leave_bad_call(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  if (place_of(static_cast<std::uintptr_t>(registers[REG_RIP])).offset != 0) return;
  registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RSP] += 8;
}

std::vector<std::uintptr_t> stack_of_crash(ucontext_t& context) {
  std::vector<std::uintptr_t> stack;
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  std::jmp_buf way_out;
  if (setjmp(way_out) == 0) {
    g_way_out = &way_out;
    leave_bad_call(context);
    stack = backtrace();
  }
  g_way_out = nullptr;
  // The handler's own frames are ours and left out; the kernel's trampoline comes before the frame that crashed.
  for (std::size_t i = 0; i < stack.size(); ++i)
    if (stack[i] == pc + 1) {
      stack.erase(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(i));
      return stack;
    }
  if (!stack.empty() && place_of(pc).offset == 0) return stack;
  if (stack.empty()) stack.push_back(pc + 1);
  return stack;
}

[[noreturn]] void report(int signal, const siginfo_t& info, ucontext_t& context) {
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = "crash";
    failure.message = describe(signal, info, scheduler().self(), static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]));
    failure.stack = stack_of_crash(context);
  }
  scheduler().fail(std::move(failure));
}

void handle(int signal, siginfo_t* info, void* raw_context) {
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && scheduler().pages().touched(info->si_addr)) return;
  auto& context = *static_cast<ucontext_t*>(raw_context);
  if (signal == SIGSEGV && in_program() && grew_stack(scheduler().self(), reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  if (signal == SIGSEGV && info->si_code == SI_KERNEL && (is_read_of_time_stamp(context) || made_room_for_signal(context))) return;
  if (g_way_out != nullptr) std::longjmp(*g_way_out, 1);
  if (!in_program()) {
    die_of_own_fault(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]));
    return;
  }
  const bool ignored = action_of(signal).sa_handler == SIG_IGN;
  if (ignored && !by_kernel(*info)) return;
  if (signal == SIGPIPE && ignored) return;
  // A crash within the program's own handler is not for that handler.
  const auto stack = reinterpret_cast<char*>(context.uc_mcontext.gregs[REG_RSP]);
  const bool nested = stack >= g_stack && stack < g_stack + kStackSize;
  if (has_handler(signal) && !nested) return call_handler(signal, info, raw_context);
  report(signal, *info, context);
}

}  // namespace

void shrink_stacks() {
  if (!g_large_stacks) return;
  g_large_stacks = false;
  for (std::uint32_t i = 1; i < scheduler().thread_count(); ++i) {
    const Thread& thread = scheduler().thread(i);
    if (thread.stack_size <= kUsualStack) continue;
    raw(SYS_madvise, thread.borrowed->stack, kGuardSize, MADV_DONTNEED);
    raw(SYS_mprotect, thread.borrowed->stack, kGuardSize, PROT_NONE);
  }
}

bool needed_for_crashes(int signal) {
  for (const int ours : kSynchronous)
    if (ours == signal) return true;
  return false;
}

void handle_crashes() {
  make_actions();
  g_stack = static_cast<char*>(engine_heap::map(kStackSize));
  stack_t stack{};
  stack.ss_sp = g_stack;
  stack.ss_size = kStackSize;
  raw(SYS_sigaltstack, &stack, nullptr);
  for (const int signal : kSynchronous) handle_signal(signal, handle, SA_ONSTACK);
}

}  // namespace tarry::native::rt
