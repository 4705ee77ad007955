#include "native/rt/effects/touch.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/program.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/output.h"
#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"

namespace tarry::native::rt {
namespace {

enum class Touch { kNothing, kLooks, kChanges, kOutput };

const void* const kOutputs = reinterpret_cast<const void*>(std::uintptr_t{3});

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
    default: return makes_descriptors(number) ? Touch::kChanges : Touch::kNothing;
  }
}

}  // namespace

void touch_files(long number, const long (&a)[6], std::uintptr_t pc) {
  const Touch touch = touch_of(number, a);
  if (touch == Touch::kNothing) return;
  if (touch == Touch::kOutput) {
    if (output_size() > kMostOutput) scheduler().fail({.kind = kLimitKind, .message = "one execution writes more than 1 GiB"});
    return changed(kOutputs);
  }
  const bool looks = touch == Touch::kLooks;
  if (scheduler().alone()) return looks ? looked_at(kFiles) : changed(kFiles);
  scheduler().point({.op = Op::kFile, .object = kFiles, .pc = calling_place(pc), .reads = looks});
}

}  // namespace tarry::native::rt
