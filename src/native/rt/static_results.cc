// Functions of libc whose result, or whose place in what they read, is kept for all threads at once: static buffers, files of users and hosts, shift
// states of texts. Each call is a point, and what it leaves in a static buffer is a write of the caller's: another thread may come in between.
#include <dlfcn.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "native/rt/happened.h"
#include "native/rt/scheduler.h"
#include "native/rt/told_access.h"

// X(name, what it returns): the size of what the result leads to, kText for a text, kNone if that is nothing static.
#define TARRY_STATIC_NAMES(X)                                                                                                                         \
  X(ecvt, kText) X(fcvt, kText) X(l64a, kText) X(ttyname, kText) X(ptsname, kText) X(ether_ntoa, kText) X(getpass, kText) X(getpwnam, sizeof(passwd)) \
  X(getpwuid, sizeof(passwd)) X(getpwent, sizeof(passwd)) X(setpwent, kNone) X(endpwent, kNone) X(getgrnam, sizeof(group))                            \
  X(getgrgid, sizeof(group)) X(getgrent, sizeof(group)) X(setgrent, kNone) X(endgrent, kNone) X(gethostbyname, sizeof(hostent))                       \
  X(gethostbyaddr, sizeof(hostent)) X(gethostent, sizeof(hostent)) X(getservbyname, sizeof(servent)) X(getservbyport, sizeof(servent))                \
  X(getservent, sizeof(servent)) X(getprotobyname, sizeof(protoent)) X(getprotobynumber, sizeof(protoent)) X(hcreate, kNone) X(hdestroy, kNone)       \
  X(hsearch, kNone) X(mblen, kNone) X(lcong48, kNone) X(seed48, 6) X(initstate, kNone) X(setstate, kNone) X(strfry, kNone) X(getmntent, sizeof(mntent)) \
  X(getdate, sizeof(tm)) X(re_comp, kNone) X(re_exec, kNone)

namespace {

using namespace tarry::native::rt;

constexpr std::size_t kNone = 0, kText = SIZE_MAX;

#define TARRY_COUNT(name, size) k_##name,
enum Index : unsigned { TARRY_STATIC_NAMES(TARRY_COUNT) kNames };
#undef TARRY_COUNT
#define TARRY_NAME(name, size) #name,
constexpr std::array<const char*, kNames> kNameOf = {TARRY_STATIC_NAMES(TARRY_NAME)};
#undef TARRY_NAME
#define TARRY_SIZE(name, size) size,
constexpr std::array<std::size_t, kNames> kSizeOf = {TARRY_STATIC_NAMES(TARRY_SIZE)};
#undef TARRY_SIZE

std::array<void*, kNames> g_real{};
const void* const kStatic = reinterpret_cast<const void*>(std::uintptr_t{9});

}  // namespace

/// Ahead of the call; the real function.
extern "C" __attribute__((visibility("hidden"), used)) void* tarry_static_call(unsigned index, std::uintptr_t caller) {
  if (g_real[index] == nullptr) g_real[index] = ::dlsym(RTLD_NEXT, kNameOf[index]);
  if (in_program()) {
    if (scheduler().alone()) changed(kStatic);
    else scheduler().point({.op = Op::kLibraryState, .object = kStatic, .pc = caller - 1});
  }
  return g_real[index];
}

/// After it.
extern "C" __attribute__((visibility("hidden"), used)) void tarry_static_result(unsigned index, std::uintptr_t caller, const char* result) {
  const std::size_t size = kSizeOf[index];
  if (size != kNone && result != nullptr) writes(result, size == kText ? extent(result, 4096) : size, accessor(caller - 1));
}

// With the arguments that come in registers; none of these functions takes more.
asm(R"(
.text
.type tarry_pass_static,@function
tarry_pass_static:
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
 sub $24, %rsp
 movups %xmm0, (%rsp)
 mov 8(%rbp), %rdi
 mov 16(%rbp), %rsi
 call tarry_static_call
 mov %rax, %r11
 movups (%rsp), %xmm0
 add $24, %rsp
 pop %r9
 pop %r8
 pop %rcx
 pop %rdx
 pop %rsi
 pop %rdi
 xor %eax, %eax
 sub $8, %rsp
 call *%r11
 push %rax
 push %rdx
 mov 8(%rbp), %rdi
 mov 16(%rbp), %rsi
 mov %rax, %rdx
 call tarry_static_result
 pop %rdx
 pop %rax
 add $8, %rsp
 pop %rbp
 .cfi_def_cfa %rsp, 16
 add $8, %rsp
 .cfi_def_cfa_offset 8
 ret
 .cfi_endproc
.size tarry_pass_static,.-tarry_pass_static
)");

// A stub each, numbered as they come, as the names above are.
asm(".set tarry_static_count, 0");
#define TARRY_STUB(name, size)                                                                                                                    \
  asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n .cfi_startproc\n push $tarry_static_count\n .cfi_def_cfa_offset 16\n"      \
      " jmp tarry_pass_static\n .cfi_endproc\n.size " #name ",.-" #name "\n.set tarry_static_count, tarry_static_count+1");
TARRY_STATIC_NAMES(TARRY_STUB)
