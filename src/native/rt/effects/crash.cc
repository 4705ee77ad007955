// Crashes, from the signal to the finding, on a signal stack of the runtime's.
//
// The handler does not return from a crash: the thread stays where it is until the reset. Nothing is blocked while it runs, so the kernel has no
// state that would have to be undone, and it can come thousands of times.
#include "native/rt/effects/crash.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/signal_name.h"
#include "native/rt/base/executable_stacks.h"
#include "native/rt/base/heap.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/effects/actions.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/mappings.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/hidden_state.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// The handler of crashes reads it, too.
struct Crashes {
  std::jmp_buf* way_out = nullptr;  // set while stacks are walked that may be in ruins
  bool large_stacks = false;        // there are, in this execution
  char* stack = nullptr;            // of the handler

  /// Before threads are forgotten.
  void reset();
};
template struct RoomOf<Crashes>;

namespace {

constexpr int kSynchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPIPE, SIGXFSZ};
constexpr std::uintptr_t kNull = 65'536;  // below: a member or an element by way of a null pointer

Crashes& crashes() { return part<Crashes>(); }
constexpr std::size_t kStackSize = 256 << 10;

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
  const std::string what = "the program crashed with " + signal_name(signal);
  if (signal == SIGPIPE) return "the program was ended by SIGPIPE: it wrote to a pipe that has no reader";
  if (!by_kernel(info)) return signal == SIGABRT ? "the program called abort()" : "the program was ended by " + signal_name(signal);
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
  if (unmapped_last(address) != nullptr) return what + (is_of_late_library(address) ? ": a library that was unloaded at {0}" : ": memory that was unmapped at {0}");
  return info.si_code == SEGV_ACCERR ? what + ": memory that may not be accessed so" : what + ": memory that does not exist";
}

/// A stack that was asked to be large becomes so in pieces, from the top. What it had is given back by `Crashes::reset`.
bool grew_stack(const Thread& thread, std::uintptr_t address) {
  if (thread.borrowed == nullptr || thread.stack_size <= kUsualStack) return false;
  constexpr std::uintptr_t kPiece = 1 << 20;
  const auto low = reinterpret_cast<std::uintptr_t>(thread.borrowed->stack);
  const std::uintptr_t end = low + kGuardSize;
  const std::uintptr_t wanted = address & ~(kPiece - 1);
  const std::uintptr_t from = std::max(wanted, low + kPiece);  // some is left to be a guard
  if (address < from || address >= end || low + kLargestStack - from > thread.stack_size + kPiece) return false;
  crashes().large_stacks = true;
  return raw(SYS_mprotect, from, end - from, PROT_READ | PROT_WRITE | protection_of_code_on_stacks()) == 0;
}

/// The gate (effects/gate.h) sends a signal on the thread's own stack. Where that is a cold page the kernel says SIGSEGV instead: make room, again.
bool made_room_for_signal(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  const auto* const pc = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  if (place_of(reinterpret_cast<std::uintptr_t>(pc)).offset == 0 || pc[-2] != 0x0f || pc[-1] != 0x05) return false;
  constexpr std::size_t kRoom = 32 << 10;
  Pages& pages = part<Pages>();
  const std::uint64_t before = pages.faults();
  pages.prepare(reinterpret_cast<char*>(registers[REG_RSP]) - kRoom, kRoom);
  if (pages.faults() == before) return false;
  registers[REG_RIP] -= 2;
  return true;
}

/// A call through a bad pointer has left no frame: as if it had returned.
void leave_bad_call(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  const auto pc = static_cast<std::uintptr_t>(registers[REG_RIP]);
  if (place_of(pc).offset != 0 && unmapped_last(pc) == nullptr) return;
  registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RSP] += 8;
}

std::vector<std::uintptr_t> stack_of_crash(ucontext_t& context) {
  std::vector<std::uintptr_t> stack;
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  std::jmp_buf way_out;
  if (setjmp(way_out) == 0) {
    crashes().way_out = &way_out;
    leave_bad_call(context);
    stack = backtrace();
  }
  crashes().way_out = nullptr;
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
    if (failure.message.ends_with("{0}")) failure.places = {unmapped_last(reinterpret_cast<std::uintptr_t>(info.si_addr))->pc};
    failure.stack = stack_of_crash(context);
  }
  scheduler().fail(std::move(failure));
}

/// As the kernel has it, for a return by `signal_return`.
struct HandlerFrame {
  void (*returns_to)();
  ucontext_t context;
  siginfo_t info;
};

/// The program's handler runs in the thread, whose next frame it is.
void run_handler(int signal, siginfo_t* info, void* context) {
  call_handler(signal, info, context);
  scheduler().self().signals.handler_frame = nullptr;
  tell_race_held_back();
}

/// A crash within the program's own handler is not for that handler, unless it says so. It may have left the handler by a jump: then the frame is gone.
bool is_in_handler(int signal, const Thread& thread, const char* stack) {
  const auto* const frame = static_cast<const HandlerFrame*>(thread.signals.handler_frame);
  if (frame == nullptr || stack > static_cast<const void*>(frame) || on_alternate_stack(frame) != on_alternate_stack(stack) || (action_of(signal).sa_flags & SA_NODEFER) != 0) return false;
  return frame->returns_to == signal_return && frame->info.si_signo == signal;
}

/// When this one returns, the program's handler begins, on the thread's own stack or its alternate one: other threads may run, and crash, before it ends.
void enter_handler(int signal, const siginfo_t& info, ucontext_t& context) {
  constexpr std::uintptr_t kRedZone = 128;
  auto& registers = context.uc_mcontext.gregs;
  const auto* const floats = reinterpret_cast<const char*>(context.uc_mcontext.fpregs);
  std::uint32_t words[2];  // behind what every processor has: a mark, and how much there is with what this one has
  constexpr std::size_t kUsual = 512, kMark = 464;
  constexpr std::uint32_t kMagic = 0x46505853;
  std::memcpy(words, floats + kMark, sizeof(words));
  const std::size_t size = words[0] == kMagic ? words[1] : kUsual;
  void* const alternate = stack_for_handler(signal, reinterpret_cast<const void*>(registers[REG_RSP]));
  const std::uintptr_t top = alternate != nullptr ? reinterpret_cast<std::uintptr_t>(alternate) : static_cast<std::uintptr_t>(registers[REG_RSP]) - kRedZone;
  const std::uintptr_t room = (top - size) & ~std::uintptr_t{63};
  std::memcpy(reinterpret_cast<char*>(room), floats, size);
  // 8 bytes off 16, as after a call.
  auto* const frame = reinterpret_cast<HandlerFrame*>(((room - sizeof(HandlerFrame)) & ~std::uintptr_t{15}) - 8);
  constexpr std::size_t kKernels = offsetof(ucontext_t, uc_sigmask) + sizeof(std::uint64_t);  // the C library's has more, which the kernel does not fill
  std::memset(&frame->context, 0, sizeof(frame->context));
  std::memcpy(&frame->context, &context, kKernels);
  frame->context.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(room);
  frame->info = info;
  frame->returns_to = signal_return;
  scheduler().self().signals.handler_frame = frame;
  registers[REG_RSP] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(frame));
  registers[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(&run_handler));
  registers[REG_RDI] = signal;
  registers[REG_RSI] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(&frame->info));
  registers[REG_RDX] = static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(&frame->context));
  constexpr greg_t kDirection = 0x400, kTrap = 0x100;
  registers[REG_EFL] &= ~(kDirection | kTrap);
}

void handle(int signal, siginfo_t* info, void* raw_context) {
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && part<Pages>().touched(info->si_addr)) return;
  auto& context = *static_cast<ucontext_t*>(raw_context);
  if (signal == SIGSEGV && in_program() && grew_stack(scheduler().self(), reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  if (signal == SIGSEGV && info->si_code == SI_KERNEL && (is_read_of_time_stamp(context) || made_room_for_signal(context))) return;
  if (crashes().way_out != nullptr) std::longjmp(*crashes().way_out, 1);
  if (!in_program()) {
    die_of_own_fault(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]));
    return;
  }
  const bool ignored = action_of(signal).sa_handler == SIG_IGN;
  if (ignored && !by_kernel(*info)) return;
  if (signal == SIGPIPE && ignored) return;
  const auto stack = reinterpret_cast<char*>(context.uc_mcontext.gregs[REG_RSP]);
  const bool on_ours = stack >= crashes().stack && stack < crashes().stack + kStackSize;
  if (!has_handler(signal) || on_ours || is_in_handler(signal, scheduler().self(), stack)) report(signal, *info, context);
  // One whose stack is full has no room for a handler, unless it has an alternate stack: it gets the runtime's, on which no other thread must come meanwhile.
  const bool full = stack_for_handler(signal, stack) == nullptr && signal == SIGSEGV && by_kernel(*info) && overflowed(scheduler().self(), reinterpret_cast<std::uintptr_t>(info->si_addr), reinterpret_cast<std::uintptr_t>(stack));
  if (full) return call_handler(signal, info, raw_context);
  enter_handler(signal, *info, context);
}

}  // namespace

bool can_access(std::uintptr_t address, bool write) {
  auto* const byte = reinterpret_cast<volatile char*>(address);
  std::jmp_buf way_out;
  if (setjmp(way_out) != 0) {
    crashes().way_out = nullptr;
    return false;
  }
  crashes().way_out = &way_out;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const char value = *byte;
  if (write) *byte = value;  // no other thread runs meanwhile
  std::atomic_signal_fence(std::memory_order_seq_cst);
  crashes().way_out = nullptr;
  return true;
}

void Crashes::reset() {
  if (!large_stacks) return;
  large_stacks = false;
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
  crashes().stack = static_cast<char*>(engine_heap::map(kStackSize));
  stack_t stack{};
  stack.ss_sp = crashes().stack;
  stack.ss_size = kStackSize;
  raw(SYS_sigaltstack, &stack, nullptr);
  for (const int signal : kSynchronous) handle_signal(signal, handle, SA_ONSTACK);
  listen_to_tool();
}

}  // namespace tarry::native::rt
