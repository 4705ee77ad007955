// Where the runtime gets hold of the process: before main, if the tool started it.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/main_frame.h"
#include "native/abi/protocol.h"
#include "native/rt/base/context.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/real.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/annotations.h"
#include "native/rt/calls/library_calls.h"
#include "native/rt/effects/crash.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/effects/output.h"
#include "native/rt/posix/attributes.h"
#include "native/rt/posix/exit.h"
#include "native/rt/posix/process.h"
#include "native/rt/session/session.h"
#include "native/rt/threads/own_memory.h"
#include "native/rt/threads/region_reads.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/time/timers.h"

// The handle of this library. The compiler declares it by itself, in its own way, in files that have static objects.
extern "C" __attribute__((visibility("hidden"))) char tarry_rt_own_handle __asm__("__dso_handle");

namespace tarry::native::rt {

struct StartOfProgram : Kept {
  int (*main)(int, char**, char**) = nullptr;
  int under_control = -1;  // 0 no, 1 yes; -1: not known yet
};
template struct RoomOf<StartOfProgram>;

namespace {

/// malloc is called before libc has set up the environment: ask the kernel.
bool has_session_variable() {
  const int file = static_cast<int>(raw(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY | O_CLOEXEC));
  if (file < 0) return false;
  constexpr std::size_t kName = 13;
  static_assert(sizeof("TARRY_SESSION") - 1 == kName);
  char buffer[4096];
  std::size_t matched = 0;
  bool at_start = true, found = false;
  for (long n; !found && (n = raw(SYS_read, file, buffer, sizeof(buffer))) > 0;)
    for (long i = 0; i < n && !found; ++i) {
      if (at_start && matched < kName && buffer[i] == "TARRY_SESSION"[matched]) ++matched;
      else if (at_start && matched == kName && buffer[i] == '=') found = true;
      else at_start = false, matched = 0;
      if (buffer[i] == '\0') at_start = true, matched = 0;
    }
  raw(SYS_close, file);
  return found;
}

int controlled_main(int argc, char** argv, char** environment) {
  if (is_child_of_constructor() || !attach()) return part<StartOfProgram>().main(argc, argv, environment);
  if ((block().lacks & kNoFsgsbase) != 0) tarry_rt_no_fsgsbase = true;
  load_unwinder();
  find_modules();
  watch_library_calls();
  know_own_memory();
  capture_output();
  make_exit_state();
  make_process_state();
  make_attributes();
  make_timers();
  handle_crashes();
  ask_for_suppressions();
  backtrace();  // the runtime's own unwinder sets up its tables: exceptions of the program pass through frames of the runtime
  Scheduler& all = scheduler();
  all.take_control(serve, nullptr);
  // From here on: once for every execution.
  all.self().end.frame = __builtin_frame_address(0);
  if (setjmp(all.self().end.jump) == 0) exit(call_main(part<StartOfProgram>().main, argc, argv, environment, part<RegionCells>().main_frame));
  run_thread_destructors();  // pthread_exit in main: the others go on
  all.end_thread();
}

}  // namespace

bool under_control() {
  int& known = part<StartOfProgram>().under_control;
  if (known < 0) {
    known = has_session_variable() ? 1 : 0;
    if (known == 1) know_inherited_descriptors();
  }
  return known == 1;
}

bool owned_by_runtime(const void* dso_handle) { return dso_handle == &tarry_rt_own_handle; }

}  // namespace tarry::native::rt

using StartMain = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);

TARRY_TAKEN_OVER int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  tarry::native::rt::part<tarry::native::rt::StartOfProgram>().main = main;
  tarry::native::rt::end_libraries_with(rtld_fini);
  const bool control = tarry::native::rt::under_control();
  return TARRY_REAL_AS(__libc_start_main, StartMain)(control ? tarry::native::rt::controlled_main : main, argc, argv, init, fini, rtld_fini, stack_end);
}
