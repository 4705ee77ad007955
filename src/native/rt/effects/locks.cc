#include "native/rt/effects/locks.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/touch.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Locks of files, and ends of named pipes.
struct FileLocks {
  static constexpr int kMostHeld = 1024;
  /// Go up when a lock may have been given up, and when an end of a named pipe was opened.
  std::uintptr_t unlocks = 0, ends = 0;
  bool ever = false;             // some file has ever been locked
  bool held[kMostHeld] = {};     // by descriptor: it may hold a lock, and the next holder comes after what was done with it

  void reset() {
    if (ever) std::memset(held, 0, sizeof(held));
  }
};
template struct RoomOf<FileLocks>;

namespace {

FileLocks& locks() { return part<FileLocks>(); }
bool& held(int descriptor) { return locks().held[static_cast<unsigned>(descriptor) % FileLocks::kMostHeld]; }

bool lock_was_given_up(const Operation& operation) { return operation.argument != locks().unlocks; }
bool end_was_opened(const Operation& operation) { return operation.argument != locks().ends; }

/// Returns the object that orders threads which lock the file, one after the other, or meet at the pipe.
const void* order_of_file(int descriptor) {
  struct stat status {};
  raw(SYS_fstat, descriptor, &status);
  return reinterpret_cast<const void*>(status.st_ino << 4 | 9);
}

/// Another process has a lock on the file: it may give it up whenever it likes. (Of locks of open files, the kernel does not say whose they are.)
bool held_by_other_process(int descriptor) {
  struct stat status {};
  if (raw(SYS_fstat, descriptor, &status) != 0) return false;
  const long file = raw(SYS_openat, AT_FDCWD, "/proc/locks", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const EngineScope engine;
  std::string text;
  char buffer[4096];
  for (long n; (n = raw(SYS_read, file, buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  raw(SYS_close, file);
  const long process = raw(SYS_getpid), parent = raw(SYS_getppid);  // locks of before main are those of the worker, which may be the parent
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    char kind[16] = {};
    long holder = 0;
    unsigned major = 0, minor = 0;
    unsigned long inode = 0;
    if (text.find('\n', line) == std::string::npos) break;
    if (std::sscanf(text.c_str() + line, "%*s %15s %*s %*s %ld %x:%x:%lu", kind, &holder, &major, &minor, &inode) != 5 || inode != status.st_ino) continue;
    if (holder >= 0 && holder != process && holder != parent) return true;
  }
  return false;
}

void may_lose_lock(int descriptor) {
  if (held(descriptor)) release(order_of_file(descriptor));
}
void has_lock(int descriptor) {
  held(descriptor) = true;
  acquire(order_of_file(descriptor));
  ++locks().unlocks;  // it may be of another kind than before, and others have a chance
}

/// Waits for a lock: repeats `attempt` until it does not fail with EAGAIN; calls `in_kernel` where only the kernel knows when that is.
template <class Attempt, class InTheKernel>
long take(int descriptor, std::uintptr_t pc, const Attempt& attempt, const InTheKernel& in_kernel) {
  while (true) {
    const std::uintptr_t before = locks().unlocks;
    const long result = attempt();
    if (result != -EAGAIN) {
      if (result == 0) has_lock(descriptor);
      return result;
    }
    if (held_by_other_process(descriptor)) return in_kernel();
    scheduler().point({.op = Op::kFile, .object = kKernel, .ready = lock_was_given_up, .argument = before, .pc = calling_place(pc), .interruptible = true, .entangled = true});
    if (scheduler().self().signals.interrupted) return -EINTR;
  }
}

/// Before main only the worker had files; two workers are two programs for the kernel.
void begin_locking() {
  need_files_alone();
  files_were_locked();
  locks().ever = true;
}

/// Returns whether the pipe has or had a writer.
bool has_writer(const Operation& operation) {
  const int descriptor = static_cast<int>(operation.argument);
  pollfd one{descriptor, POLLIN, 0};
  char byte;
  return raw(SYS_poll, &one, 1, 0) != 0 || raw(SYS_read, descriptor, &byte, 1) == -EAGAIN;
}

}  // namespace

long lock_file(const long (&a)[6], std::uintptr_t pc) {
  begin_locking();
  const int descriptor = static_cast<int>(a[0]);
  const long call[6] = {a[0], a[1] | LOCK_NB};
  const auto once = [&] { return pass_to_kernel(SYS_flock, call); };
  may_lose_lock(descriptor);
  if ((a[1] & LOCK_UN) == 0 && (a[1] & LOCK_NB) == 0) return take(descriptor, pc, once, [&] { return pass_to_kernel(SYS_flock, a); });
  const long result = once();
  if (result == 0 && (a[1] & LOCK_UN) == 0) has_lock(descriptor);
  else ++locks().unlocks;
  return result;
}

long lock_part(const long (&a)[6], std::uintptr_t pc) {
  begin_locking();
  const int descriptor = static_cast<int>(a[0]);
  // Those of the process (F_SETLK) are no matter between its threads.
  if (a[1] == F_SETLK || a[1] == F_SETLKW) return pass_to_kernel(SYS_fcntl, a);
  const long call[6] = {a[0], F_OFD_SETLK, a[2]};
  const auto once = [&] { return pass_to_kernel(SYS_fcntl, call); };
  may_lose_lock(descriptor);
  if (a[1] == F_OFD_SETLKW) return take(descriptor, pc, once, [&] { return pass_to_kernel(SYS_fcntl, a); });
  const long result = once();
  if (result == 0) has_lock(descriptor);
  return result;
}

void before_closing(int descriptor) {
  if (!locks().ever) return;
  may_lose_lock(descriptor);
  held(descriptor) = false;
}
void after_closing() {
  ++locks().unlocks;
  channels_change();
}

bool opens_end(int folder, const char* path, long flags) {
  if ((flags & (O_NONBLOCK | O_PATH)) != 0 || (flags & O_ACCMODE) == O_RDWR || path == nullptr) return false;
  struct stat status {};
  return raw(SYS_newfstatat, folder, path, &status, (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0) == 0 && S_ISFIFO(status.st_mode);
}

long open_end(int folder, const char* path, long flags, std::uintptr_t pc) {
  need_files_alone();
  const bool reads = (flags & O_ACCMODE) == O_RDONLY;
  while (true) {
    const std::uintptr_t before = locks().ends;
    const long end = raw(SYS_openat, folder, path, flags | O_NONBLOCK, 0);
    if (end < 0 && (reads || end != -ENXIO)) return end;
    if (end >= 0) {
      ++locks().ends;
      channels_change();
      release(order_of_file(static_cast<int>(end)));
    }
    if (reads || end < 0) {
      scheduler().point({.op = Op::kFile, .object = kKernel, .ready = reads ? has_writer : end_was_opened, .argument = reads ? static_cast<std::uintptr_t>(end) : before, .pc = calling_place(pc), .interruptible = true, .entangled = true});
      if (scheduler().self().signals.interrupted) {
        if (end >= 0) raw(SYS_close, end);
        return -EINTR;
      }
    }
    if (end < 0) continue;
    acquire(order_of_file(static_cast<int>(end)));
    raw(SYS_fcntl, end, F_SETFL, flags & ~O_CREAT & ~O_EXCL & ~O_TRUNC);
    return end;
  }
}

}  // namespace tarry::native::rt
