// The instruction says which function of libc makes the call: `read` is a cancellation point, and the functions of streams read by it; `__read_nocancel`, by
// which libc reads its own files, is none. The list is that of the functions that call __pthread_enable_asynccancel in glibc 2.36. Those that the runtime takes
// over (sigtimedwait, clock_nanosleep, pause, …) never come here.
#include "native/rt/posix/cancelled_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {
namespace {

constexpr std::string_view kNames[] = {
    "accept", "accept4", "close", "connect", "copy_file_range", "creat", "epoll_pwait", "epoll_pwait2", "epoll_wait", "fallocate", "fcntl", "fdatasync",
    "fsync", "getrandom", "mq_timedreceive", "mq_timedsend", "msgrcv", "msgsnd", "msync", "open", "open_by_handle_at", "openat", "poll", "ppoll", "pread",
    "preadv", "preadv2", "preadv64v2", "pselect", "pwrite", "pwritev", "pwritev2", "pwritev64v2", "read", "readv", "recv", "recvfrom", "recvmmsg", "recvmsg", "select", "send", "sendmmsg",
    "sendmsg", "sendto", "sigsuspend", "splice", "sync_file_range", "tcdrain", "tee", "vmsplice", "wait4", "waitid", "write", "writev",
};

/// "__libc_fcntl64", "fcntl64" and "__fcntl" are one function.
std::string_view plain(std::string_view name) {
  for (const std::string_view prefix : {"__libc_", "__", "_IO_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  if (name.ends_with("64")) name.remove_suffix(2);
  return name;
}

bool is_in_listed_function(std::uintptr_t pc) {
  if (home_of_code(pc) != Home::kLibc) return false;
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  const EngineScope engine;
  if (::dladdr1(reinterpret_cast<const void*>(pc), &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT) == 0) return false;
  if (info.dli_sname == nullptr || symbol == nullptr || pc >= reinterpret_cast<std::uintptr_t>(info.dli_saddr) + symbol->st_size) return false;
  const std::string_view name = plain(info.dli_sname);
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

/// Looked up once: libc does not move.
struct CancelledCalls : Kept {
  struct Known {
    std::uintptr_t pc = 0;
    bool listed = false;
  };
  std::array<Known, 256> known{};  // by a hash of the place; a place may push another out
};
template struct RoomOf<CancelledCalls>;

bool is_cancelled_by_libc(long number, const long (&arguments)[6], std::uintptr_t pc) {
  if (number == SYS_fcntl && arguments[1] != F_SETLKW && arguments[1] != F_OFD_SETLKW) return false;
  CancelledCalls::Known& known = part<CancelledCalls>().known[(pc ^ pc >> 8 ^ pc >> 16) % 256];
  if (known.pc != pc) known = {pc, is_in_listed_function(pc)};
  return known.listed;
}

}  // namespace tarry::native::rt
