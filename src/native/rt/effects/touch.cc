#include "native/rt/effects/touch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "core/program.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/output.h"
#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"

namespace tarry::native::rt {
namespace {

enum class Touch { kNothing, kLooks, kChanges, kOutput, kLooksAtProcess, kChangesProcess };


constexpr std::size_t kMostOutput = std::size_t{1} << 30;  // it is held back in memory

/// Reading moves the offset, which those who have the descriptor share.
Touch of_descriptor(int descriptor, bool writes) {
  if (is_channel(descriptor)) return Touch::kNothing;
  return writes && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) ? Touch::kOutput : Touch::kChanges;
}

Touch touch_of(long number, const long (&a)[6]) {
  switch (number) {
    case SYS_stat:
    case SYS_lstat:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_access:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_pread64:
    case SYS_preadv:
    case SYS_preadv2: return Touch::kLooks;

    case SYS_read:
    case SYS_readv: return of_descriptor(static_cast<int>(a[0]), false);
    case SYS_write:
    case SYS_writev: return of_descriptor(static_cast<int>(a[0]), true);

    case SYS_open:
    case SYS_creat:
    case SYS_openat:
    case SYS_openat2:
    case SYS_close:
    case SYS_close_range:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_lseek:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_sendfile:
    case SYS_copy_file_range:
    case SYS_getdents64:
    case SYS_ftruncate:
    case SYS_truncate:
    case SYS_fallocate:
    case SYS_flock:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_rmdir:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_mknod:
    case SYS_mknodat:
    case SYS_link:
    case SYS_linkat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_chmod:
    case SYS_fchmod:
    case SYS_fchmodat:
    case SYS_utimensat:
    case SYS_chdir:
    case SYS_fchdir: return Touch::kChanges;

    case SYS_fcntl:
      switch (a[1]) {
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
        case F_SETLK:
        case F_SETLKW:
        case F_OFD_SETLK:
        case F_OFD_SETLKW:
        case F_SETFL: return Touch::kChanges;
        case F_GETLK:
        case F_OFD_GETLK: return Touch::kLooks;
        default: return Touch::kNothing;
      }
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
    case SYS_ioprio_get: return Touch::kLooksAtProcess;
    case SYS_prlimit64: return a[2] == 0 ? Touch::kLooksAtProcess : Touch::kChangesProcess;
    case SYS_umask:
    case SYS_setrlimit:
    case SYS_setpriority:
    case SYS_setuid:
    case SYS_setgid:
    case SYS_setreuid:
    case SYS_setregid:
    case SYS_setresuid:
    case SYS_setresgid:
    case SYS_setfsuid:
    case SYS_setfsgid:
    case SYS_setgroups:
    case SYS_setpgid:
    case SYS_setsid:
    case SYS_capset:
    case SYS_ioprio_set:
    case SYS_personality:
    case SYS_unshare:
    case SYS_setns:
    case SYS_mlockall:
    case SYS_munlockall: return Touch::kChangesProcess;
    case SYS_chroot: return Touch::kChanges;
    // Memory that others may be about to access. What only comes into being concerns nobody yet, and the dynamic linker knows what it does.
    case SYS_mprotect:
    case SYS_munmap:
    case SYS_mremap: return Touch::kChangesProcess;
    case SYS_mmap: return (a[3] & MAP_FIXED) == 0 || (a[3] & MAP_FIXED_NOREPLACE) == MAP_FIXED_NOREPLACE ? Touch::kNothing : Touch::kChangesProcess;
    case SYS_madvise: return a[2] == MADV_DONTNEED || a[2] == MADV_REMOVE ? Touch::kChangesProcess : Touch::kNothing;

    default: return makes_descriptors(number) ? Touch::kChanges : Touch::kNothing;
  }
}

/// The dynamic linker.
bool is_in_linker(std::uintptr_t pc) { return std::strstr(file_of(pc), "/ld-linux") != nullptr; }

}  // namespace

void touch_shared(long number, const long (&a)[6], std::uintptr_t pc) {
  const Touch touch = touch_of(number, a);
  if (touch == Touch::kNothing) return;
  if (touch == Touch::kOutput) {
    if (output_size() > kMostOutput) scheduler().fail({.kind = kLimitKind, .message = "one execution writes more than 1 GiB"});
    return changed(object_of(Thing::kOutputs));
  }
  const bool of_process = touch == Touch::kLooksAtProcess || touch == Touch::kChangesProcess;
  const void* const object = of_process ? object_of(Thing::kOfProcess) : kFiles;
  const bool looks = touch == Touch::kLooks || touch == Touch::kLooksAtProcess;
  if (scheduler().alone()) return looks ? looked_at(object) : changed(object);
  if (of_process && is_in_linker(pc)) return;
  if (of_process) return void(scheduler().point({.op = Op::kLibraryState, .object = object, .pc = calling_place(pc), .reads = looks}));
  scheduler().point({.op = Op::kFile, .object = object, .pc = calling_place(pc), .reads = looks});
}

}  // namespace tarry::native::rt
