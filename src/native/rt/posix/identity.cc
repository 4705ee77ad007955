// Who a thread is to others and to the system: names, clocks, identifiers. Stable, and the same in every execution.
#include <pthread.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/rt/effects/process_numbers.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {

pid_t process_id() {
  number_is_known();
  return kProcess;
}
pid_t parent_id() {
  number_is_known();
  return kProcess - 1;
}
pid_t thread_id() {
  number_is_known();
  scheduler().self().locks.knows_number = true;
  return kProcess + static_cast<pid_t>(running_thread());
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER pthread_t pthread_self() noexcept {
  if (in_program()) identity_is_known();
  return reinterpret_cast<pthread_t>(__builtin_thread_pointer());  // what glibc returns
}
TARRY_TAKEN_OVER thrd_t thrd_current() { return pthread_self(); }

TARRY_TAKEN_OVER int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  TARRY_PASS(pthread_setname_np, handle, name);
  const std::uint32_t number = scheduler().find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  Thread& thread = scheduler().thread(number);
  reads_text(name, accessor(TARRY_PC));
  if (std::strlen(name) >= sizeof(thread.name)) return ERANGE;
  if (!scheduler().alone()) scheduler().point({.op = Op::kLibraryState, .object = thread.name, .pc = TARRY_PC});
  std::strcpy(thread.name, name);
  return 0;
}
TARRY_TAKEN_OVER int pthread_getname_np(pthread_t handle, char* name, std::size_t size) noexcept {
  TARRY_PASS(pthread_getname_np, handle, name, size);
  const std::uint32_t number = scheduler().find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  const Thread& thread = scheduler().thread(number);
  if (!scheduler().alone()) scheduler().point({.op = Op::kLibraryState, .object = thread.name, .pc = TARRY_PC, .reads = true});
  const char* const own = thread.name[0] != '\0' ? thread.name : program_invocation_short_name;
  const std::size_t length = std::min(std::strlen(own), sizeof(thread.name) - 1);
  if (size <= length) return ERANGE;
  writes(name, length + 1, accessor(TARRY_PC));
  std::memcpy(name, own, length);
  name[length] = '\0';
  return 0;
}
TARRY_TAKEN_OVER int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) noexcept {
  TARRY_PASS(pthread_getcpuclockid, handle, clock);
  writes(clock, sizeof(*clock), accessor(TARRY_PC));
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return scheduler().find(handle) == Scheduler::kNobody ? ESRCH : 0;
}

TARRY_TAKEN_OVER pid_t getpid() noexcept {
  return in_program() || before_main() ? process_id() : TARRY_REAL(getpid)();
}
TARRY_TAKEN_OVER pid_t getppid() noexcept {
  return in_program() || before_main() ? parent_id() : parent_in_child(TARRY_REAL(getppid)());
}
TARRY_TAKEN_OVER pid_t gettid() noexcept {
  return in_program() || before_main() ? thread_id() : TARRY_REAL(gettid)();
}

TARRY_TAKEN_OVER int clock_getcpuclockid(pid_t process, clockid_t* clock) noexcept {
  if (in_program() && process != 0 && process != kProcess) return TARRY_REAL(clock_getcpuclockid)(process, clock);
  TARRY_PASS(clock_getcpuclockid, process, clock);
  writes(clock, sizeof(*clock), accessor(TARRY_PC));
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}
