#include "native/rt/posix/process.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/effects/process_numbers.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/program_heap.h"

namespace tarry::native::rt {

struct ProcessRoom : Kept {
  ProcessState* state = nullptr;  // in the program's memory
  bool child_of_constructor = false;
};
template struct RoomOf<ProcessRoom>;

ProcessState& process_state() {
  if (part<ProcessRoom>().state == nullptr) [[unlikely]] make_process_state();  // a constructor opens a named semaphore
  return *part<ProcessRoom>().state;
}

bool is_child_of_constructor() { return part<ProcessRoom>().child_of_constructor; }

void make_process_state() {
  if (part<ProcessRoom>().state != nullptr) return;
  part<ProcessRoom>().state = new (program_heap::allocate(sizeof(ProcessState))) ProcessState{};
  part<CommonTime>().carries_nothing = reinterpret_cast<std::uintptr_t>(&process_state().clock_jumps);  // how often a clock has jumped
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
    part<ProcessRoom>().child_of_constructor = true;
    forked_from(static_cast<pid_t>(raw(SYS_getppid)));
  }
  return child;
}
