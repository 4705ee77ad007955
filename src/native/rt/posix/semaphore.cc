// Semaphores: a count in the program's own sem_t. Any thread that waits may take what is posted, also one that comes later.
//
// Named ones live in the process only: other processes do not see them.
#include <fcntl.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>

#include "native/rt/base/admitted.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/process.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/taking.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint32_t kDestroyed = 0xdead;

/// The count is where glibc has it.
struct State {
  std::uint32_t value;
  std::uint32_t unused;
  std::uint32_t shared;
  std::uint32_t destroyed;
};
static_assert(sizeof(State) <= sizeof(sem_t));

State& state(sem_t* semaphore) { return *reinterpret_cast<State*>(semaphore); }
bool can_take(const Operation& operation) { return static_cast<const State*>(operation.object)->value > 0; }

void check(sem_t* semaphore) {
  if (state(semaphore).destroyed == kDestroyed) [[unlikely]] misuse_of(semaphore, "a semaphore is used that was destroyed");
}

/// After the point of an operation: others may have destroyed it, or freed its memory.
void is_used(sem_t* semaphore, std::uintptr_t pc) {
  operates(semaphore, pc);
  check(semaphore);
}

/// By another thread: the last operation of the running one is over, though it is still to be seen.
bool is_waited_for(sem_t* semaphore) {
  const Scheduler& all = scheduler();
  if (state(semaphore).value > 0) return false;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    const Thread& thread = all.thread(i);
    if (i == all.running() || thread.state != Thread::State::kAlive || thread.pending.object != semaphore) continue;
    if (thread.pending.op == Op::kSemaphoreWait || thread.pending.op == Op::kSemaphoreTimedWait) return true;
  }
  return false;
}

int failed(int error) {
  errno = error;
  return -1;
}

int take(sem_t* semaphore) {
  --state(semaphore).value;
  has_taken(semaphore);
  acquire(semaphore);
  return 0;
}

int wait(sem_t* semaphore, std::uintptr_t pc, const Deadline* deadline = nullptr) {
  check(semaphore);
  if (deadline != nullptr && !deadline->valid()) return failed(EINVAL);
  const bool timed = deadline != nullptr;
  about_to_take(semaphore);
  const bool in_time = wait_point({.op = timed ? Op::kSemaphoreTimedWait : Op::kSemaphoreWait,
                                   .object = semaphore,
                                   .ready = can_take,
                                   .pc = pc,
                                   .timed = timed,
                                   .cancellable = true,
                                   .interruptible = true});
  is_used(semaphore, pc);
  // glibc looks for a request first, and then takes what is there: a request that came in between is left pending.
  const Thread& self = scheduler().self();
  if (state(semaphore).value > 0 && self.cancel.steps + 1 == self.steps) cancel_or_go_on();
  else cancel_if_due();
  if (scheduler().self().signals.interrupted) return failed(EINTR);
  if (!in_time && !self.cancel_due()) return failed(deadline->expire());
  if (scheduler().fault()) return failed(EINTR);
  return take(semaphore);
}

void initialize(sem_t* semaphore, int shared, unsigned value) {
  state(semaphore) = {value, 0, static_cast<std::uint32_t>(shared), 0};
  if (g_watch.races != nullptr) g_watch.races->forget_object(semaphore);
}

// Named ones.

NamedSemaphore* find(const char* name) {
  for (NamedSemaphore& one : process_state().semaphores)
    if (one.users > 0 && !one.unlinked && std::strcmp(one.name, name) == 0) return &one;
  return nullptr;
}

/// Names and users of named semaphores are kept for the process, as files are.
void uses_names(std::uintptr_t pc, bool looks = false) {
  if (scheduler().alone()) return looks ? looked_at(kKernel) : changed(kKernel);
  scheduler().point({.op = Op::kFile, .object = kKernel, .pc = pc, .reads = looks});
}

sem_t* open(const char* name, int flags, unsigned value) {
  if (std::strlen(name) >= sizeof(NamedSemaphore::name)) return errno = ENAMETOOLONG, SEM_FAILED;
  if (NamedSemaphore* const known = find(name)) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return errno = EEXIST, SEM_FAILED;
    ++known->users;
    return &known->semaphore;
  }
  if ((flags & O_CREAT) == 0) return errno = ENOENT, SEM_FAILED;
  if (value > SEM_VALUE_MAX) return errno = EINVAL, SEM_FAILED;
  for (NamedSemaphore& one : process_state().semaphores) {
    if (one.users > 0) continue;
    std::strcpy(one.name, name);
    one.unlinked = false;
    one.users = 2;  // the name is one
    initialize(&one.semaphore, 1, value);
    return &one.semaphore;
  }
  admit("the program has more than 256 named semaphores: from then on sem_open failed with EMFILE");
  return errno = EMFILE, SEM_FAILED;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  TARRY_PASS_OBJECT(sem_init, semaphore, shared, value);
  if (value > SEM_VALUE_MAX) return failed(EINVAL);
  makes(semaphore, TARRY_PC);
  initialize(semaphore, shared, value);
  return 0;
}
TARRY_TAKEN_OVER int sem_destroy(sem_t* semaphore) noexcept {
  TARRY_PASS_OBJECT(sem_destroy, semaphore);
  makes(semaphore, TARRY_PC);
  check(semaphore);
  if (is_waited_for(semaphore)) misuse("a semaphore is destroyed while a thread waits for it");
  state(semaphore).destroyed = kDestroyed;
  if (g_watch.races != nullptr) g_watch.races->forget_object(semaphore);
  return 0;
}
TARRY_TAKEN_OVER int sem_wait(sem_t* semaphore) {
  TARRY_PASS_OBJECT(sem_wait, semaphore);
  return wait(semaphore, TARRY_PC);
}
TARRY_TAKEN_OVER int sem_timedwait(sem_t* semaphore, const timespec* until) {
  TARRY_PASS_OBJECT(sem_timedwait, semaphore, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return wait(semaphore, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  TARRY_PASS_OBJECT(sem_clockwait, semaphore, clock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return wait(semaphore, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int sem_trywait(sem_t* semaphore) noexcept {
  TARRY_PASS_OBJECT(sem_trywait, semaphore);
  check(semaphore);
  about_to_take(semaphore);
  attempt_point({.op = Op::kSemaphoreTryWait, .object = semaphore, .pc = TARRY_PC});
  is_used(semaphore, TARRY_PC);
  if (state(semaphore).value == 0) {
    only_looked(&state(semaphore).value, sizeof(State::value));
    was_refused(semaphore);
    return failed(EAGAIN);
  }
  has_effect();
  return take(semaphore);
}
TARRY_TAKEN_OVER int sem_post(sem_t* semaphore) noexcept {
  TARRY_PASS_OBJECT(sem_post, semaphore);
  check(semaphore);
  scheduler().point({.op = Op::kSemaphorePost, .object = semaphore, .pc = TARRY_PC});
  is_used(semaphore, TARRY_PC);
  if (state(semaphore).value == SEM_VALUE_MAX) return failed(EOVERFLOW);
  release(semaphore);
  ++state(semaphore).value;
  has_given_back();
  return 0;
}
TARRY_TAKEN_OVER int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  TARRY_PASS_OBJECT(sem_getvalue, semaphore, value);
  check(semaphore);
  attempt_point({.op = Op::kSemaphoreValue, .object = semaphore, .pc = TARRY_PC, .reads = true});
  is_used(semaphore, TARRY_PC);
  writes(value, sizeof(*value), accessor(TARRY_PC));
  if (is_collecting()) [[unlikely]] has_written(value, sizeof(*value));
  *value = static_cast<int>(state(semaphore).value);
  only_looked(&state(semaphore).value, sizeof(State::value));
  return 0;
}

TARRY_TAKEN_OVER sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  const auto value = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  if (!in_program() && !before_main()) return TARRY_REAL(sem_open)(name, flags, mode, value);
  reads_text(name, accessor(TARRY_PC));
  uses_names(TARRY_PC, (flags & O_CREAT) == 0);
  return tarry::native::rt::open(name, flags, value);
}
TARRY_TAKEN_OVER int sem_close(sem_t* semaphore) noexcept {
  TARRY_PASS_OBJECT(sem_close, semaphore);
  uses_names(TARRY_PC);
  for (NamedSemaphore& one : process_state().semaphores)
    if (&one.semaphore == semaphore && one.users > 0) return --one.users, 0;
  return failed(EINVAL);
}
TARRY_TAKEN_OVER int sem_unlink(const char* name) noexcept {
  TARRY_PASS_OBJECT(sem_unlink, name);
  reads_text(name, accessor(TARRY_PC));
  uses_names(TARRY_PC);
  NamedSemaphore* const known = find(name);
  if (known == nullptr) return failed(ENOENT);
  known->unlinked = true;
  --known->users;
  return 0;
}
