#include "native/rt/posix/process.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "native/rt/effects/process_numbers.h"
#include "native/rt/effects/raw.h"
#include "native/rt/heap.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/unenforced_calls.h"

namespace tarry::native::rt {
namespace {
ProcessState* g_state = nullptr;
bool g_child_of_constructor = false;
}  // namespace

ProcessState& process_state() {
  if (g_state == nullptr) [[unlikely]] make_process_state();  // a constructor opens a named semaphore
  return *g_state;
}

bool is_child_of_constructor() { return g_child_of_constructor; }

void make_process_state() {
  if (g_state == nullptr) g_state = new (program_heap::allocate(sizeof(ProcessState))) ProcessState{};
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// The other threads are not in the child, and what they hold stays held there: it matters where they are. The system call comes to the gate.
TARRY_TAKEN_OVER pid_t fork() noexcept {
  is_not_enforced("fork");
  if (in_program() && !scheduler().alone()) scheduler().point({.op = Op::kFork, .pc = TARRY_PC});
  const bool early = before_main();
  const pid_t child = TARRY_REAL(fork)();
  if (child == 0 && early) {
    g_child_of_constructor = true;
    forked_from(static_cast<pid_t>(raw(SYS_getppid)));
  }
  return child;
}
