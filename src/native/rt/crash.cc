#include "native/rt/crash.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "native/rt/heap.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/session.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

std::string describe(int signal, const siginfo_t& info, const Thread& thread) {
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const char* const name = ::sigabbrev_np(signal);
  const std::string what = "the program crashed with SIG" + std::string(name == nullptr ? "?" : name);
  if (signal != SIGSEGV && signal != SIGBUS) return what;
  if (thread.borrowed != nullptr) {
    const auto low = reinterpret_cast<std::uintptr_t>(thread.borrowed->stack);
    if (address >= low && address < low + (64 << 10)) return "the program overflowed the stack of a thread";
  }
  if (address < 65'536) {
    char text[32];
    std::snprintf(text, sizeof(text), "%#lx", address);
    return what + " at address " + text;
  }
  return what;
}

/// On a stack of its own. Does not come back from a crash: the thread that crashed stays where it is until the reset.
void handle(int signal, siginfo_t* info, void* raw) {
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && scheduler().pages().touched(info->si_addr)) return;
  if (!in_program()) {
    die_of_own_fault(signal, reinterpret_cast<std::uintptr_t>(info->si_addr), static_cast<std::uintptr_t>(static_cast<ucontext_t*>(raw)->uc_mcontext.gregs[REG_RIP]));
    return;
  }
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = "crash";
    failure.message = describe(signal, *info, scheduler().self());
    failure.stack = backtrace();
    const auto pc = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(raw)->uc_mcontext.gregs[REG_RIP]);
    // The handler's own frames are ours and left out; the kernel's trampoline comes before the frame that crashed.
    for (std::size_t i = 0; i < failure.stack.size(); ++i)
      if (failure.stack[i] == pc || failure.stack[i] + 1 == pc) {
        failure.stack.erase(failure.stack.begin(), failure.stack.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
  }
  scheduler().fail(std::move(failure));
}

}  // namespace

void handle_crashes() {
  constexpr std::size_t kSize = 256 << 10;
  stack_t stack{};
  stack.ss_sp = engine_heap::map(kSize);
  stack.ss_size = kSize;
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

}  // namespace tarry::native::rt
