// Functions of libc that work on memory of their callers and are not looked into. Each is passed on as it is, and noted if instrumented code calls it
// while there are other threads: the verdict names it, as races on what it reads and writes go unseen.
#include <array>
#include <string>

#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
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

const void* const kShiftStates = reinterpret_cast<const void*>(std::uintptr_t{10});

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
    if (scheduler().alone()) changed(kShiftStates);
    else scheduler().point({.op = Op::kLibraryState, .object = kShiftStates, .pc = caller - 1});
  }
  if (in_program() && !g_called[index] && tells_accesses(caller - 1) && !scheduler().alone()) g_called[index] = true;
  return g_real[index];
}

// With all that a function may be given in registers kept.
asm(R"(
.text
.type tarry_pass_unseen,@function
tarry_pass_unseen:
 .cfi_startproc
 .cfi_def_cfa_offset 16
 push %rbp
 .cfi_def_cfa_offset 24
 .cfi_offset %rbp, -24
 mov %rsp, %rbp
 .cfi_def_cfa_register %rbp
 push %rdi
 push %rsi
 push %rdx
 push %rcx
 push %r8
 push %r9
 push %rax
 sub $136, %rsp
 and $-16, %rsp
 movups %xmm0, (%rsp)
 movups %xmm1, 16(%rsp)
 movups %xmm2, 32(%rsp)
 movups %xmm3, 48(%rsp)
 movups %xmm4, 64(%rsp)
 movups %xmm5, 80(%rsp)
 movups %xmm6, 96(%rsp)
 movups %xmm7, 112(%rsp)
 mov 8(%rbp), %rdi
 mov 16(%rbp), %rsi
 lea -8(%rbp), %rdx
 call tarry_unseen_call
 mov %rax, %r11
 movups (%rsp), %xmm0
 movups 16(%rsp), %xmm1
 movups 32(%rsp), %xmm2
 movups 48(%rsp), %xmm3
 movups 64(%rsp), %xmm4
 movups 80(%rsp), %xmm5
 movups 96(%rsp), %xmm6
 movups 112(%rsp), %xmm7
 lea -56(%rbp), %rsp
 pop %rax
 pop %r9
 pop %r8
 pop %rcx
 pop %rdx
 pop %rsi
 pop %rdi
 pop %rbp
 .cfi_def_cfa %rsp, 16
 add $8, %rsp
 .cfi_def_cfa_offset 8
 jmp *%r11
 .cfi_endproc
.size tarry_pass_unseen,.-tarry_pass_unseen
)");

// A stub each, numbered as they come, as the names above are.
asm(".set tarry_unseen_count, 0");
#define TARRY_STUB(name)                                                                                                                          \
  asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n .cfi_startproc\n push $tarry_unseen_count\n .cfi_def_cfa_offset 16\n"      \
      " jmp tarry_pass_unseen\n .cfi_endproc\n.size " #name ",.-" #name "\n.set tarry_unseen_count, tarry_unseen_count+1");
TARRY_UNSEEN_NAMES(TARRY_STUB)
