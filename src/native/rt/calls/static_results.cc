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

#include "native/rt/base/part.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/calls/library_stub.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

// X(name, what it returns): the size of what the result leads to, kText for a text, kNone if that is nothing static.
#define TARRY_STATIC_NAMES(X)                                                                                                                         \
  X(ecvt, kText) X(fcvt, kText) X(l64a, kText) X(ttyname, kText) X(ptsname, kText) X(ether_ntoa, kText) X(getpass, kText) X(getpwnam, sizeof(passwd)) \
  X(getpwuid, sizeof(passwd)) X(getpwent, sizeof(passwd)) X(setpwent, kNone) X(endpwent, kNone) X(getgrnam, sizeof(group))                            \
  X(getgrgid, sizeof(group)) X(getgrent, sizeof(group)) X(setgrent, kNone) X(endgrent, kNone) X(gethostbyname, sizeof(hostent))                       \
  X(gethostbyaddr, sizeof(hostent)) X(gethostent, sizeof(hostent)) X(getservbyname, sizeof(servent)) X(getservbyport, sizeof(servent))                \
  X(getservent, sizeof(servent)) X(getprotobyname, sizeof(protoent)) X(getprotobynumber, sizeof(protoent)) X(hcreate, kNone) X(hdestroy, kNone)       \
  X(hsearch, kNone) X(mblen, kNone) X(lcong48, kNone) X(seed48, 6) X(initstate, kNone) X(setstate, kNone) X(strfry, kNone) X(getmntent, sizeof(mntent)) \
  X(getdate, sizeof(tm)) X(re_comp, kNone) X(re_exec, kNone)

namespace tarry::native::rt {

/// The real functions, by number.
struct StaticResults : Kept {
  static constexpr std::size_t kRoom = 64;
  void* real[kRoom] = {};
};
template struct RoomOf<StaticResults>;

}  // namespace tarry::native::rt

namespace {

using namespace tarry::native::rt;

constexpr std::size_t kNone = 0, kText = SIZE_MAX;

#define TARRY_COUNT(name, size) k_##name,
enum Index : unsigned { TARRY_STATIC_NAMES(TARRY_COUNT) kNames };
#undef TARRY_COUNT
static_assert(kNames <= StaticResults::kRoom);
#define TARRY_NAME(name, size) #name,
constexpr std::array<const char*, kNames> kNameOf = {TARRY_STATIC_NAMES(TARRY_NAME)};
#undef TARRY_NAME
#define TARRY_SIZE(name, size) size,
constexpr std::array<std::size_t, kNames> kSizeOf = {TARRY_STATIC_NAMES(TARRY_SIZE)};
#undef TARRY_SIZE

/// The state is that of rand and its relatives.
bool draws_numbers(unsigned index) { return index == k_lcong48 || index == k_seed48 || index == k_initstate || index == k_setstate; }

}  // namespace

/// Ahead of the call; the real function.
extern "C" __attribute__((visibility("hidden"), used)) void* tarry_static_call(unsigned index, std::uintptr_t caller) {
  void*& real = part<StaticResults>().real[index];
  if (real == nullptr) real = ::dlsym(RTLD_NEXT, kNameOf[index]);
  if (in_program()) {
    const void* const state = object_of(draws_numbers(index) ? Thing::kRandom : Thing::kStaticBuffers);
    if (scheduler().alone()) changed(state);
    else scheduler().point({.op = Op::kLibraryState, .object = state, .pc = caller - 1});
  }
  return real;
}

/// After it.
extern "C" __attribute__((visibility("hidden"), used)) void tarry_static_result(unsigned index, std::uintptr_t caller, const char* result) {
  const std::size_t size = kSizeOf[index];
  if (size != kNone && result != nullptr) writes(result, size == kText ? extent(result, 4096) : size, accessor(caller - 1));
}

// What the function returns is kept, too. None of them takes anything on the stack.
asm(TARRY_BEGIN_STUBS("tarry_pass_static") TARRY_KEEP_ARGUMENTS
    " mov 8(%rbp), %rdi\n mov 16(%rbp), %rsi\n call tarry_static_call\n mov %rax, %r11\n"  //
    TARRY_PUT_ARGUMENTS_BACK
    " sub $8, %rsp\n call *%r11\n push %rax\n push %rdx\n mov 8(%rbp), %rdi\n mov 16(%rbp), %rsi\n mov %rax, %rdx\n"
    " call tarry_static_result\n pop %rdx\n pop %rax\n add $8, %rsp\n"  //
    TARRY_END_STUBS("tarry_pass_static", "ret"));

asm(".set tarry_static_count, 0");
#define TARRY_STUB(name, size) TARRY_LIBRARY_STUB(name, "tarry_static_count", "tarry_pass_static")
TARRY_STATIC_NAMES(TARRY_STUB)
