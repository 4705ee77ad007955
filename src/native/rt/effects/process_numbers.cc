#include "native/rt/effects/process_numbers.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <charconv>
#include <cstring>
#include <string_view>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/posix/before_main.h"
#include "native/rt/posix/identity.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

struct ProcessNumbers : Kept {
  bool known = false;  // to the program
  pid_t parent = 0;    // in a child that the program made
};
template struct RoomOf<ProcessNumbers>;

namespace {

// Younger than the headers that Tarry may be built with.
constexpr long kPidfdOpen = 434, kFaccessat2 = 439;

bool is_number_of_ours(long number) { return number >= kProcess && number < kProcess + static_cast<long>(kMaxThreads); }

long to_kernel(long number) {
  if (is_number_of_ours(number)) return raw(SYS_getpid);
  if (number == kProcess - 1) return raw(SYS_getppid);
  return number;
}
long process_to_program(long number) { return number == raw(SYS_getpid) ? kProcess : number; }
/// A process group or session that is the worker's is the program's own, as a shell would start it.
long group_to_program(long number) { return number == raw(SYS_getpid) || number == raw(SYS_getpgid, 0) ? kProcess : number; }

/// Which argument is the name of a file that is only looked at; -1: none.
int file_name_in(long number) {
  switch (number) {
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_readlink:
    case SYS_statfs:
    case SYS_chdir: return 0;
    case SYS_openat:
    case SYS_openat2:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case kFaccessat2:
    case SYS_readlinkat:
    case SYS_inotify_add_watch: return 1;
    default: return -1;
  }
}

/// Which arguments are numbers of processes or threads, one bit each.
unsigned numbers_in(long number, const long (&a)[6]) {
  constexpr unsigned kFirst = 1, kSecond = 2;
  switch (number) {
    case SYS_getpgid:
    case SYS_getsid:
    case SYS_sched_setparam:
    case SYS_sched_getparam:
    case SYS_sched_setscheduler:
    case SYS_sched_getscheduler:
    case SYS_sched_rr_get_interval:
    case SYS_sched_setaffinity:
    case SYS_sched_getaffinity:
    case SYS_sched_setattr:
    case SYS_sched_getattr:
    case SYS_prlimit64:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
    case SYS_migrate_pages:
    case SYS_move_pages:
    case SYS_get_robust_list:
    case kPidfdOpen: return kFirst;
    case SYS_setpgid:
    case SYS_kcmp: return kFirst | kSecond;
    case SYS_ptrace:
    case SYS_perf_event_open: return kSecond;
    case SYS_getpriority:
    case SYS_setpriority: return a[0] == PRIO_USER ? 0 : kSecond;
    case SYS_ioprio_get:
    case SYS_ioprio_set: return a[0] == 1 ? kSecond : 0;  // IOPRIO_WHO_PROCESS
    case SYS_fcntl: return a[1] == F_SETOWN ? 4 : 0;
    default: return 0;
  }
}

/// The rest of a path behind `number/` or `number`, if the path goes on with a number of ours.
bool skip_number(std::string_view& path) {
  long number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  const auto length = static_cast<std::size_t>(end - path.data());
  if (error != std::errc() || !is_number_of_ours(number) || (length < path.size() && path[length] != '/')) return false;
  path.remove_prefix(length);
  return true;
}

bool skip(std::string_view& path, std::string_view beginning) {
  if (!path.starts_with(beginning)) return false;
  path.remove_prefix(beginning.size());
  return true;
}

}  // namespace

KernelCall::KernelCall(long number, const long (&seen)[6]) : number_(number) {
  std::memcpy(arguments_, seen, sizeof(arguments_));
  const unsigned numbers = numbers_in(number, seen);
  for (int i = 0; i < 6; ++i)
    if ((numbers >> i & 1) != 0) arguments_[i] = to_kernel(static_cast<pid_t>(seen[i]));
  if (const int name = file_name_in(number); name >= 0) name_file(name);
}

void KernelCall::name_file(int argument) {
  const auto* const name = reinterpret_cast<const char*>(arguments_[argument]);
  constexpr std::string_view kFolder = "/proc/", kTasks = "/task/";
  if (name == nullptr || std::strncmp(name, kFolder.data(), kFolder.size()) != 0 || ::strnlen(name, kLongest) == kLongest) return;
  std::string_view rest = name;
  rest.remove_prefix(kFolder.size());
  const bool numbered = skip_number(rest);
  if (!numbered && !skip(rest, "self")) return;
  std::string_view task = rest;
  const bool of_thread = skip(task, kTasks) && skip_number(task);
  if (!of_thread && rest.starts_with("/task")) admit("the program looks into /proc/self/task, which has the kernel's threads, not those of the program");
  if (!numbered && !of_thread) return;
  // Threads of the program have no kernel thread of their own: all run on the same one.
  const std::string_view beginning = of_thread ? "/proc/thread-self" : "/proc/self";
  const std::string_view end = of_thread ? task : rest;
  if (beginning.size() + end.size() >= kLongest) return;
  std::memcpy(path_, beginning.data(), beginning.size());
  std::memcpy(path_ + beginning.size(), end.data(), end.size());
  path_[beginning.size() + end.size()] = '\0';
  arguments_[argument] = reinterpret_cast<long>(path_);
}

long KernelCall::told(long result) const {
  if (result < 0) return result;
  switch (number_) {
    case SYS_getpgrp:
    case SYS_getpgid:
    case SYS_getsid: return group_to_program(result);
    case SYS_fcntl:
      if (arguments_[1] == F_GETOWN) return process_to_program(result);
      if (arguments_[1] == F_GETLK) {
        auto& lock = *reinterpret_cast<struct flock*>(arguments_[2]);
        lock.l_pid = static_cast<pid_t>(process_to_program(lock.l_pid));
      }
      return result;
    case SYS_getsockopt:
      if (arguments_[1] == SOL_SOCKET && arguments_[2] == SO_PEERCRED && *reinterpret_cast<const socklen_t*>(arguments_[4]) >= sizeof(pid_t)) {
        auto& process = *reinterpret_cast<pid_t*>(arguments_[3]);  // first in ucred
        process = static_cast<pid_t>(process_to_program(process));
      }
      return result;
    default: return result;
  }
}

void number_is_known() { part<ProcessNumbers>().known = true; }
bool knows_number() { return part<ProcessNumbers>().known; }

void forked_from(pid_t process) { part<ProcessNumbers>().parent = process; }
pid_t number_in_child(pid_t seen) {
  if (before_main()) return static_cast<pid_t>(to_kernel(seen));
  return part<ProcessNumbers>().parent != 0 && is_number_of_ours(seen) ? part<ProcessNumbers>().parent : seen;
}
pid_t parent_in_child(pid_t real) { return part<ProcessNumbers>().parent != 0 && real == part<ProcessNumbers>().parent ? kProcess : real; }

}  // namespace tarry::native::rt
