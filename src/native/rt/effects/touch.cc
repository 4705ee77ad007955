#include "native/rt/effects/touch.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>


#include "core/program.h"
#include "native/rt/base/modules.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/output.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

enum class Touch {
  kNothing,  // of others: the call concerns the calling thread alone, or makes a point by itself
  kLooks,
  kChanges,
  kMemory,   // it changes which memory there is, and what may be done with it
  kOutput,
};

constexpr std::size_t kMostOutput = std::size_t{1} << 30;  // it is held back in memory

/// Reading moves the offset, which those who have the descriptor share.
Touch of_descriptor(int descriptor, bool writes) {
  if (is_channel(descriptor)) return Touch::kNothing;
  return writes && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) ? Touch::kOutput : Touch::kChanges;
}

/// Calls that have points of their own (gate.cc), with what the kernel keeps as their object; those of signals and timers have other objects, too.
bool makes_a_point(long number) {
  switch (number) {
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
    case SYS_mq_timedreceive:
    case SYS_mq_timedsend:
    case SYS_msgsnd:
    case SYS_msgrcv:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_fork:
    case SYS_clone:
    case SYS_execve:
    case SYS_execveat:
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_sigaction:
    case SYS_alarm:
    case SYS_setitimer:
    case SYS_getitimer:
    case SYS_timer_create:
    case SYS_timer_settime:
    case SYS_timer_gettime:
    case SYS_timer_getoverrun:
    case SYS_timer_delete:
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime: return true;
    default: return false;
  }
}

/// Calls that concern the calling thread, or tell what no thread of the program changes.
bool is_of_thread(long number, const long (&a)[6]) {
  switch (number) {
    case SYS_rt_sigprocmask:
    case SYS_rt_sigreturn:
    case SYS_rt_sigpending:
    case SYS_sigaltstack:
    case SYS_set_tid_address:
    case SYS_set_robust_list:
    case SYS_get_robust_list:
    case SYS_arch_prctl:
    case SYS_rseq:
    case SYS_membarrier:
    case SYS_gettid:
    case SYS_getpid:
    case SYS_getppid:
    case SYS_getcpu:
    case SYS_sched_yield:
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_times:
    case SYS_getrusage:
    case SYS_sysinfo:
    case SYS_uname:
    case SYS_getrandom:
    case SYS_restart_syscall:
    case SYS_futex:
    case SYS_brk: return true;  // the heap of libc, which is not the program's
    case SYS_prctl: return a[0] == PR_SET_NAME || a[0] == PR_GET_NAME;
    default: return false;
  }
}

bool only_looks(long number, const long (&a)[6]) {
  switch (number) {
    case SYS_stat:
    case SYS_lstat:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_statfs:
    case SYS_fstatfs:
    case SYS_access:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_pread64:
    case SYS_preadv:
    case SYS_getxattr:
    case SYS_lgetxattr:
    case SYS_fgetxattr:
    case SYS_getsockopt:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_getrlimit:
    case SYS_getpriority:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getresuid:
    case SYS_getresgid:
    case SYS_getgroups:
    case SYS_getpgid:
    case SYS_getpgrp:
    case SYS_getsid:
    case SYS_capget:
    case SYS_ioprio_get:
    case SYS_mincore:
    case SYS_sched_getaffinity:
    case SYS_sched_getparam:
    case SYS_sched_getscheduler: return true;
    case SYS_preadv2: return a[3] != -1;  // else it reads on, as readv does
    case SYS_prlimit64: return a[2] == 0;
    case SYS_mq_getsetattr: return a[1] == 0;
    case SYS_ioctl: return a[1] == TCGETS || a[1] == TIOCGWINSZ;  // what isatty and the like ask
    case SYS_fcntl: return a[1] == F_GETFD || a[1] == F_GETFL || a[1] == F_GETLK || a[1] == F_OFD_GETLK || a[1] == F_GETPIPE_SZ || a[1] == F_GETOWN;
    default: return false;
  }
}

/// A call that is not known better changes something.
Touch touch_of(long number, const long (&a)[6]) {
  switch (number) {
    case SYS_read:
    case SYS_readv: return of_descriptor(static_cast<int>(a[0]), false);
    case SYS_write:
    case SYS_writev: return of_descriptor(static_cast<int>(a[0]), true);
    // A new mapping or object is not visible to other threads yet.
    case SYS_mmap: return (a[3] & MAP_FIXED) == 0 || (a[3] & MAP_FIXED_NOREPLACE) == MAP_FIXED_NOREPLACE ? Touch::kNothing : Touch::kMemory;
    case SYS_madvise: return a[2] == MADV_DONTNEED || a[2] == MADV_REMOVE ? Touch::kMemory : Touch::kNothing;
    case SYS_mprotect:
    case SYS_munmap:
    case SYS_mremap: return Touch::kMemory;
    default: break;
  }
  if (makes_a_point(number) || is_of_thread(number, a)) return Touch::kNothing;
  return only_looks(number, a) ? Touch::kLooks : Touch::kChanges;
}

}  // namespace

void touch_shared(long number, const long (&a)[6], std::uintptr_t pc) {
  const Touch touch = touch_of(number, a);
  if (touch == Touch::kNothing) return;
  if (touch == Touch::kOutput) {
    if (output_size() > kMostOutput) scheduler().fail({.kind = kLimitKind, .message = "one execution writes more than 1 GiB"});
    return changed(object_of(Thing::kOutputs));
  }
  const bool looks = touch == Touch::kLooks;
  if (scheduler().alone()) {
    looks ? looked_at(kKernel) : changed(kKernel);
  } else {
    if (touch == Touch::kMemory && is_in_linker(pc)) return;  // it knows what it does
    // Any access of any thread may depend on what memory is there, and how it is protected.
    scheduler().point({.op = Op::kFile, .object = kKernel, .pc = calling_place(pc), .reads = looks, .entangled = touch == Touch::kMemory});
  }
  if (!looks) channels_change();  // who waits may find what it waits for
}

}  // namespace tarry::native::rt
