// Threads: create, join, detach, yield.
#include "native/rt/posix/thread.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>

#include "native/rt/base/admitted.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/posix/attributes.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/spin.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/threads/watched_ends.h"

namespace tarry::native::rt {
namespace {

bool has_ended(const Operation& operation) { return scheduler().thread(static_cast<std::uint32_t>(operation.argument)).state == Thread::State::kEnded; }
std::uint32_t joined_thread(const Operation& operation) { return static_cast<std::uint32_t>(operation.argument) + 1; }

void check_joinable(const Thread& thread) {
  if (thread.detached) misuse("a detached thread is joined");
  if (thread.state == Thread::State::kJoined) misuse("a thread is joined that was joined before");
}

int finish_join(std::uint32_t number, void** result, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  Thread& thread = all.thread(number);
  if (thread.state != Thread::State::kEnded) misuse("a thread is joined by two threads");
  thread.state = Thread::State::kJoined;
  identity_is_free(number);
  joined(all.running(), number);
  if (thread.time.passed > all.self().time.passed) {
    all.self().time.passed = thread.time.passed;
    all.self().time.held_up = std::max(all.self().time.held_up, thread.time.held_up);
  }
  all.self().time.seen = std::max(all.self().time.seen, thread.time.seen);
  all.self().time.latest_deadline = std::max(all.self().time.latest_deadline, thread.time.latest_deadline);
  void* const value = thread.end.result;
  writes(result, sizeof(*result), accessor(pc));
  if (result != nullptr) *result = value;
  return 0;
}

}  // namespace

int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*), void* argument, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kCreate, .pc = pc});
  if (all.fault()) return EAGAIN;
  writes(handle, sizeof(*handle), accessor(pc));  // ahead of the creation, so that the new thread may read it; may let others run
  const std::uint32_t number = all.start_thread(function, argument);
  if (number == Scheduler::kNobody) {
    admit("the program makes more than 1,023 threads in one execution: from then on pthread_create failed with EAGAIN");
    return EAGAIN;
  }
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  Thread& thread = all.thread(number);
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &thread.stack_size);
  thread.detached = detached == PTHREAD_CREATE_DETACHED;
  thread.time.passed = all.self().time.passed;
  thread.time.seen = all.self().time.seen;
  thread.time.held_up = all.self().time.held_up;
  thread.time.latest_deadline = all.self().time.latest_deadline;
  thread.signals.blocked = all.self().signals.blocked;
  inherit_attributes(all.running(), number);
  created(all.running(), number);
  *handle = all.handle_of(number);
  return 0;
}

int join_thread(pthread_t handle, void** result, std::uintptr_t pc, const Deadline* deadline) {
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  if (number == all.running()) return EDEADLK;
  if (deadline != nullptr && !deadline->valid()) return EINVAL;
  check_joinable(all.thread(number));
  const bool timed = deadline != nullptr;
  if (timed) looks_at_ends();
  const bool in_time = wait_point({.op = Op::kJoin, .object = &all.thread(number), .ready = has_ended, .argument = number, .pc = pc, .timed = timed, .holder = joined_thread, .cancellable = true});
  // glibc looks for a request only while it waits for the kernel to say that the other thread has ended: which it may have said, or not yet.
  const bool ended = all.thread(number).state == Thread::State::kEnded;
  ended ? cancel_or_go_on() : cancel_if_due();
  if (!in_time && !ended) return deadline->expire();
  return finish_join(number, result, pc);
}

int detach_thread(pthread_t handle) {
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  Thread& thread = all.thread(number);
  if (thread.detached) return EINVAL;
  thread.detached = true;
  if (thread.state != Thread::State::kEnded) return 0;
  thread.state = Thread::State::kJoined;
  identity_is_free(number);
  return 0;
}

void yield(std::uintptr_t pc) {
  const Yielding yielding = spins_yielding(pc);
  if (yielding == Yielding::kNothingNew) return;
  Operation operation{.op = Op::kYield, .pc = pc};
  come_by(operation);
  operation.yields = !rests() && yielding == Yielding::kCounts;
  scheduler().point(operation);
  leave_no_trace();
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) noexcept {
  if (before_main()) {
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
    *handle = scheduler().start_early(function, argument, detached == PTHREAD_CREATE_DETACHED);
    return *handle == 0 ? EAGAIN : 0;
  }
  if (!in_program()) return TARRY_REAL(pthread_create)(handle, attributes, function, argument);
  return create_thread(handle, attributes, function, argument, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_join(pthread_t handle, void** result) {
  if (before_main() && scheduler().started_early(handle)) waits_for_ever_before_main(true);
  if (!in_program()) return TARRY_REAL(pthread_join)(handle, result);
  return join_thread(handle, result, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  is_not_enforced("pthread_tryjoin_np");
  if (!in_program()) return TARRY_REAL(pthread_tryjoin_np)(handle, result);
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  if (number == all.running()) return EDEADLK;
  check_joinable(all.thread(number));
  const Thread& other = all.thread(number);
  looks_at_ends();
  attempt_point({.op = Op::kTryJoin, .object = &other, .argument = number, .pc = TARRY_PC});
  if (other.state == Thread::State::kAlive) return only_looked(&other.state, sizeof(other.state)), EBUSY;
  has_effect();
  return finish_join(number, result, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  is_not_enforced("pthread_timedjoin_np");
  if (!in_program()) return TARRY_REAL(pthread_timedjoin_np)(handle, result, until);
  if (until == nullptr) return join_thread(handle, result, TARRY_PC);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return join_thread(handle, result, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* until) {
  is_not_enforced("pthread_clockjoin_np");
  if (!in_program()) return TARRY_REAL(pthread_clockjoin_np)(handle, result, clock, until);
  if (until == nullptr) return join_thread(handle, result, TARRY_PC);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return join_thread(handle, result, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_detach(pthread_t handle) noexcept {
  if (before_main() && scheduler().detach_early(handle)) return 0;
  if (!in_program()) return TARRY_REAL(pthread_detach)(handle);
  return detach_thread(handle);
}
TARRY_TAKEN_OVER int sched_yield() noexcept {
  TARRY_PASS(sched_yield);
  yield(TARRY_PC);
  return 0;
}
