#include "native/rt/posix/process.h"

#include <unistd.h>

#include <cstring>
#include <new>

#include "native/rt/heap.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/unenforced_calls.h"

namespace tarry::native::rt {
namespace {
ProcessState* g_state = nullptr;
}  // namespace

ProcessState& process_state() { return *g_state; }

void make_process_state() {
  if (g_state == nullptr) g_state = new (program_heap::allocate(sizeof(ProcessState))) ProcessState{};
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// The other threads are not in the child, and what they hold stays held there: it matters where they are. The system call comes to the gate.
TARRY_TAKEN_OVER pid_t fork() noexcept {
  is_not_enforced("fork");
  if (in_program() && !scheduler().alone()) scheduler().point({.op = Op::kFork, .pc = TARRY_PC});
  return TARRY_REAL(fork)();
}
