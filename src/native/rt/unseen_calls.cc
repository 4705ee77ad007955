// Functions of libc that work on memory of their callers and are not looked into. Each is passed on as it is, and noted if instrumented code calls it
// while there are other threads: the verdict names it, as races on what it reads and writes go unseen. Those that go on where their last caller stopped are
// points as well.
#include <array>
#include <string>

#include "native/rt/happened.h"
#include "native/rt/library_stub.h"
#include "native/rt/modules.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/shared_things.h"
#include "native/rt/side.h"
#include "native/rt/unseen_calls.h"

#define TARRY_UNSEEN_NAMES(X)                                                                                                                         \
  X(memccpy) X(memrchr) X(rawmemchr) X(memmem) X(strchrnul) X(strsep) X(strtok_r) X(strcoll) X(strxfrm) X(strspn) X(strcspn) X(strpbrk) X(stpncpy)    \
  X(strcasestr) X(swab) X(wcslen) X(wcsnlen) X(wcscpy) X(wcsncpy) X(wcscat) X(wcsncat) X(wcscmp) X(wcsncmp) X(wcschr) X(wcsrchr) X(wcsstr) X(wcstok)  \
  X(wcsdup) X(wmemchr) X(wmemcmp) X(wcstol) X(wcstoul) X(wcstoll) X(wcstoull) X(wcstod) X(wcstof) X(swprintf) X(vswprintf) X(swscanf) X(mbstowcs)     \
  X(wcstombs) X(mbsrtowcs) X(wcsrtombs) X(mbsnrtowcs) X(wcsnrtombs) X(mbrtowc) X(wcrtomb) X(mbtowc) X(wctomb) X(iconv) X(strptime) X(timegm)          \
  X(asctime_r) X(ctime_r) X(strerror_r) X(__xpg_strerror_r) X(getaddrinfo) X(getnameinfo) X(inet_ntop) X(inet_pton) X(gethostname) X(sysinfo)         \
  X(getrusage) X(getrlimit) X(setrlimit) X(getgroups) X(realpath) X(readlinkat) X(scandir) X(select) X(pselect) X(poll) X(ppoll) X(epoll_wait)        \
  X(epoll_pwait) X(epoll_ctl) X(getsockopt) X(setsockopt) X(getsockname) X(getpeername) X(accept) X(accept4) X(connect) X(bind) X(recvmmsg)           \
  X(sendmmsg) X(statx) X(statfs) X(statvfs) X(ioctl) X(tsearch) X(tfind) X(tdelete) X(twalk) X(lsearch) X(lfind) X(hsearch_r) X(insque) X(remque)      \
  X(regcomp) X(regexec) X(fnmatch) X(glob) X(random_r) X(srandom_r) X(drand48_r) X(lrand48_r) X(erand48) X(nrand48) X(jrand48) X(getpwnam_r)           \
  X(getpwuid_r) X(mq_send) X(mq_receive) X(msgsnd) X(msgrcv) X(vasprintf) X(asprintf) X(fwscanf) X(fgetws) X(fputws) X(getopt) X(getopt_long)         \
  X(mkstemp) X(mkdtemp) X(wait4) X(waitid) X(clock_settime) X(modf) X(frexp) X(remquo) X(sincos) X(lgamma) X(lgammaf)

namespace tarry::native::rt {
namespace {

#define TARRY_COUNT(name) k_##name,
enum Index : unsigned { TARRY_UNSEEN_NAMES(TARRY_COUNT) kNames };
#undef TARRY_COUNT
#define TARRY_NAME(name) #name,
constexpr std::array<const char*, kNames> kNameOf = {TARRY_UNSEEN_NAMES(TARRY_NAME)};
#undef TARRY_NAME

std::array<void*, kNames> g_real{};
std::array<bool, kNames> g_called{};

/// Whether the function goes on where its last caller stopped: the state of a text's encoding is libc's own if the caller gives none.
/// `arguments`: the first; those behind it lie below.
bool uses_common_state(unsigned index, const std::uintptr_t* arguments) {
  switch (index) {
    case k_mbtowc:
    case k_wctomb: return true;
    case k_wcrtomb: return arguments[-2] == 0;
    case k_mbrtowc:
    case k_mbsrtowcs:
    case k_wcsrtombs: return arguments[-3] == 0;
    case k_mbsnrtowcs:
    case k_wcsnrtombs: return arguments[-4] == 0;
    default: return false;
  }
}

}  // namespace

std::string unseen_calls() {
  std::string out;
  for (unsigned i = 0; i < kNames; ++i)
    if (g_called[i]) out += (out.empty() ? "" : ", ") + std::string(kNameOf[i]);
  return out;
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// The real function, to go on to.
extern "C" __attribute__((visibility("hidden"), used)) void* tarry_unseen_call(unsigned index, std::uintptr_t caller, const std::uintptr_t* arguments) {
  if (g_real[index] == nullptr) g_real[index] = ::dlsym(RTLD_NEXT, kNameOf[index]);
  if (in_program() && uses_common_state(index, arguments)) {
    if (scheduler().alone()) changed(object_of(Thing::kShiftStates));
    else scheduler().point({.op = Op::kLibraryState, .object = object_of(Thing::kShiftStates), .pc = caller - 1});
  }
  if (in_program() && !g_called[index] && tells_accesses(caller - 1) && !scheduler().alone()) g_called[index] = true;
  return g_real[index];
}

asm(TARRY_BEGIN_STUBS("tarry_pass_unseen") TARRY_KEEP_ARGUMENTS
    " mov 8(%rbp), %rdi\n mov 16(%rbp), %rsi\n lea -8(%rbp), %rdx\n call tarry_unseen_call\n mov %rax, %r11\n"  //
    TARRY_PUT_ARGUMENTS_BACK TARRY_END_STUBS("tarry_pass_unseen", "jmp *%r11"));

asm(".set tarry_unseen_count, 0");
#define TARRY_STUB(name) TARRY_LIBRARY_STUB(name, "tarry_unseen_count", "tarry_pass_unseen")
TARRY_UNSEEN_NAMES(TARRY_STUB)
