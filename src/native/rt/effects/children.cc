#include "native/rt/effects/children.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/signal_name.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/process_numbers.h"
#include "native/rt/effects/touch.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Processes that the program has started.
struct ChildProcesses : Kept {
  bool started = false;
};
template struct RoomOf<ChildProcesses>;

namespace {

/// As waitid takes it.
struct WaitForChild {
  long kind, number, options;
  bool had_time = false;
};

/// The kernel would answer at once. Most children end by themselves: whether they have done so yet must not depend on the machine, so they get a while, once.
bool child_is_there(const Operation& operation) {
  constexpr int kMilliseconds = 500;
  auto& call = *reinterpret_cast<WaitForChild*>(operation.argument);
  for (int i = 0;; ++i) {
    siginfo_t info{};
    if (raw(SYS_waitid, call.kind, call.number, &info, call.options | WNOHANG | WNOWAIT, 0) != 0 || info.si_pid != 0) return true;
    if (call.had_time || i == kMilliseconds) break;
    const timespec moment{0, 1'000'000};
    raw(SYS_nanosleep, &moment, nullptr);
  }
  call.had_time = true;
  return false;
}

constexpr const char* kBecomesAnother = "the program becomes another one (exec), which runs by itself: what it does was not controlled, and only its end was seen";

}  // namespace

void starts_process() {
  part<ChildProcesses>().started = true;
  fresh::need("the program starts other processes");
  admit("the program starts other processes, which run by themselves: in which order they and the program act was not explored");
  if (knows_number()) admit("the program asks for its process number and starts other processes: a program started by them does not know that number");
}

void starts_thread_of_libc() {
  part<ChildProcesses>().started = true;
  admit("libc starts threads of its own (aio, timers with SIGEV_THREAD): they are not under control, and not all that they can do was explored");
  fresh::need("libc starts threads of its own");
}

bool has_started_processes() { return part<ChildProcesses>().started; }

std::string why_unrepeatable() {
  const std::string went = "the program went another way when a schedule was repeated: it depends on ";
  if (time_stamp_mattered()) return went + "the time stamp of the processor (rdtsc), which is not controlled";
  return part<ChildProcesses>().started ? went + "processes or threads that are not controlled" : "";
}

long wait_for_child(long number, const long (&a)[6], std::uintptr_t pc) {
  const long options = number == SYS_wait4 ? a[2] : a[3];
  if ((options & WNOHANG) != 0) {
    const long got = pass_to_kernel(number, a);
    const auto* const about = reinterpret_cast<const siginfo_t*>(a[2]);
    if (number == SYS_wait4 ? got > 0 : got == 0 && about != nullptr && about->si_pid != 0) acquire(kKernel);
    return got;
  }
  WaitForChild call{.kind = a[0], .number = a[1], .options = a[3]};
  if (number == SYS_wait4) {
    const auto process = static_cast<pid_t>(a[0]);
    call.kind = process > 0 ? P_PID : process == -1 ? P_ALL : P_PGID;
    call.number = process > 0 ? process : process == -1 ? 0 : -process;
    call.options = WEXITED | (options & (WUNTRACED | WCONTINUED | __WALL | __WCLONE | __WNOTHREAD));
  }
  scheduler().point({.op = Op::kFile, .object = kKernel, .ready = child_is_there, .argument = reinterpret_cast<std::uintptr_t>(&call), .pc = calling_place(pc), .interruptible = true, .entangled = true});
  if (scheduler().self().signals.interrupted) return -EINTR;
  acquire(kKernel);  // the child may have waited for what others sent
  return pass_to_kernel(number, a);
}

long become_another(long number, const long (&a)[6], std::uintptr_t pc) {
  scheduler().point({.op = Op::kExec, .pc = calling_place(pc)});  // the other threads end there
  fresh::need("the program becomes another one");
  if (!fresh::all_allowed()) {
    const bool started = std::exchange(part<ChildProcesses>().started, true);
    const bool is_new = admit(kBecomesAnother);
    const long error = pass_to_kernel(number, a);
    if (is_new) withdraw(kBecomesAnother);
    part<ChildProcesses>().started = started;
    return error;
  }
  // A replay has only this process, and is to tell what happened: a child becomes the other program, and its end is that of the execution.
  int failed[2] = {-1, -1};
  raw(SYS_pipe2, failed, O_CLOEXEC);
  const long child = raw(SYS_clone, SIGCHLD);
  if (child == 0) {
    const long error = pass_to_kernel(number, a);
    raw(SYS_write, failed[1], &error, sizeof(error));
    while (true) raw(SYS_exit_group, 127);
  }
  raw(SYS_close, failed[1]);
  long error = 0;
  const long size = child < 0 ? 0 : raw(SYS_read, failed[0], &error, sizeof(error));  // nothing, if it has become the other one
  raw(SYS_close, failed[0]);
  int status = 0;
  while (child > 0 && raw(SYS_wait4, child, &status, 0, 0) == -EINTR) {
  }
  if (child < 0) return child;
  if (size > 0) return error;
  part<ChildProcesses>().started = true;
  admit(kBecomesAnother);
  if (WIFEXITED(status)) scheduler().finish(WEXITSTATUS(status));
  const EngineScope engine;
  scheduler().fail({.kind = "crash", .message = "the program was killed by " + signal_name(WTERMSIG(status))});
}

bool children_may_help() {
  if (!fresh::on() && !fresh::all_allowed()) return false;  // children of earlier executions could be there
  siginfo_t info{};
  if (raw(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, 0) != 0) return false;  // there are none
  const timespec moment{0, 1'000'000};
  raw(SYS_nanosleep, &moment, nullptr);
  return true;
}

}  // namespace tarry::native::rt
