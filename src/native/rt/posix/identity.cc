// Who a thread is to others and to the system: names, processors, clocks, identifiers. Stable, and the same in every execution.
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/rt/effects/process_numbers.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/told_access.h"

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
  scheduler().self().knows_number = true;
  return kProcess + static_cast<pid_t>(running_thread());
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

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

namespace {

/// How a thread is scheduled, and where. It changes nothing here, but threads may ask for it.
Thread* scheduled(std::uint32_t number, bool looks, std::uintptr_t pc) {
  if (number >= scheduler().thread_count()) return nullptr;
  Thread& thread = scheduler().thread(number);
  if (!scheduler().alone()) scheduler().point({.op = Op::kLibraryState, .object = &thread.policy, .pc = pc, .reads = looks});
  return &thread;
}
Thread* scheduled(pthread_t handle, bool looks, std::uintptr_t pc) {
  const std::uint32_t number = scheduler().find(handle);
  return number == Scheduler::kNobody ? nullptr : scheduled(number, looks, pc);
}
std::uint32_t number_of_process(pid_t process) { return process == 0 ? scheduler().running() : static_cast<std::uint32_t>(process - kProcess); }

void keep(cpu_set_t& to, std::size_t size, const cpu_set_t* set, std::uintptr_t pc) {
  reads(set, size, accessor(pc));
  to = {};
  std::memcpy(&to, set, std::min(size, sizeof(to)));
}

/// False: the thread may run anywhere.
bool tell(const cpu_set_t& from, std::size_t size, cpu_set_t* set, std::uintptr_t pc) {
  if (CPU_COUNT(&from) == 0) return false;
  writes(set, size, accessor(pc));
  std::memset(set, 0, size);
  std::memcpy(set, &from, std::min(size, sizeof(from)));
  return true;
}

}  // namespace

TARRY_TAKEN_OVER int pthread_setaffinity_np(pthread_t handle, std::size_t size, const cpu_set_t* set) noexcept {
  TARRY_PASS(pthread_setaffinity_np, handle, size, set);
  Thread* const thread = scheduled(handle, false, TARRY_PC);
  if (thread == nullptr) return ESRCH;
  keep(thread->processors, size, set, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int sched_setaffinity(pid_t process, std::size_t size, const cpu_set_t* set) noexcept {
  TARRY_PASS(sched_setaffinity, process, size, set);
  Thread* const thread = scheduled(number_of_process(process), false, TARRY_PC);
  if (thread == nullptr) return errno = ESRCH, -1;
  keep(thread->processors, size, set, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) noexcept {
  TARRY_PASS(pthread_getaffinity_np, handle, size, set);
  const Thread* const thread = scheduled(handle, true, TARRY_PC);
  if (thread == nullptr) return ESRCH;
  if (tell(thread->processors, size, set, TARRY_PC)) return 0;
  // The kernel thread of the borrowed one sleeps: ask for the one that runs.
  writes(set, size, accessor(TARRY_PC));
  return TARRY_REAL(sched_getaffinity)(0, size, set) < 0 ? errno : 0;
}
TARRY_TAKEN_OVER int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  TARRY_PASS(sched_getaffinity, process, size, set);
  const Thread* const thread = scheduled(number_of_process(process), true, TARRY_PC);
  if (thread != nullptr && tell(thread->processors, size, set, TARRY_PC)) return 0;
  writes(set, size, accessor(TARRY_PC));
  return TARRY_REAL(sched_getaffinity)(thread != nullptr ? 0 : process, size, set);
}
TARRY_TAKEN_OVER int sched_getcpu() noexcept {
  TARRY_PASS(sched_getcpu);
  return 0;
}
TARRY_TAKEN_OVER int pthread_setschedparam(pthread_t handle, int policy, const sched_param* param) noexcept {
  TARRY_PASS(pthread_setschedparam, handle, policy, param);
  Thread* const thread = scheduled(handle, false, TARRY_PC);
  if (thread == nullptr) return ESRCH;
  reads(param, sizeof(*param), accessor(TARRY_PC));
  thread->policy = policy;
  thread->priority = param->sched_priority;
  return 0;
}
TARRY_TAKEN_OVER int pthread_getschedparam(pthread_t handle, int* policy, sched_param* param) noexcept {
  TARRY_PASS(pthread_getschedparam, handle, policy, param);
  const Thread* const thread = scheduled(handle, true, TARRY_PC);
  if (thread == nullptr) return ESRCH;
  writes(policy, sizeof(*policy), accessor(TARRY_PC));
  writes(param, sizeof(*param), accessor(TARRY_PC));
  *policy = thread->policy;
  param->sched_priority = thread->priority;
  return 0;
}
TARRY_TAKEN_OVER int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  TARRY_PASS(pthread_setschedprio, handle, priority);
  Thread* const thread = scheduled(handle, false, TARRY_PC);
  if (thread == nullptr) return ESRCH;
  thread->priority = priority;
  return 0;
}

TARRY_TAKEN_OVER pid_t getpid() noexcept {
  return in_program() ? process_id() : TARRY_REAL(getpid)();
}
TARRY_TAKEN_OVER pid_t getppid() noexcept {
  return in_program() ? parent_id() : parent_in_child(TARRY_REAL(getppid)());
}
TARRY_TAKEN_OVER pid_t gettid() noexcept {
  return in_program() ? thread_id() : TARRY_REAL(gettid)();
}

TARRY_TAKEN_OVER int clock_getcpuclockid(pid_t process, clockid_t* clock) noexcept {
  if (in_program() && process != 0 && process != kProcess) return TARRY_REAL(clock_getcpuclockid)(process, clock);
  TARRY_PASS(clock_getcpuclockid, process, clock);
  writes(clock, sizeof(*clock), accessor(TARRY_PC));
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}
