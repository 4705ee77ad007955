// Threads: create, join, detach, yield.
#include <pthread.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

#include "native/rt/happened.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

bool has_ended(const Operation& operation) { return scheduler().thread(static_cast<std::uint32_t>(operation.argument)).state == Thread::State::kEnded; }

int join(pthread_t handle, void** result, std::uintptr_t pc, bool timed) {
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  Thread& thread = all.thread(number);
  if (number == all.running()) return EDEADLK;
  if (thread.state == Thread::State::kJoined || thread.detached)
    all.fail({.kind = "misuse", .message = thread.detached ? "a detached thread is joined" : "a thread is joined that was joined before", .pc = pc});
  if (!all.point({.op = Op::kJoin, .object = &thread, .ready = has_ended, .argument = number, .pc = pc, .timed = timed, .owner_plus_one = number + 1})) return ETIMEDOUT;
  if (thread.state != Thread::State::kEnded) all.fail({.kind = "misuse", .message = "a thread is joined by two threads", .pc = pc});
  thread.state = Thread::State::kJoined;
  joined(all.running(), number);
  if (result != nullptr) *result = thread.result;
  return 0;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) noexcept {
  if (!in_program()) return TARRY_REAL(pthread_create)(handle, attributes, function, argument);
  Scheduler& all = scheduler();
  all.point({.op = Op::kCreate, .pc = TARRY_PC});
  const std::uint32_t number = all.start_thread(function, argument);
  if (number == Scheduler::kNobody) return EAGAIN;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  all.thread(number).detached = detached == PTHREAD_CREATE_DETACHED;
  created(all.running(), number);
  *handle = all.handle_of(number);
  return 0;
}
TARRY_TAKEN_OVER int pthread_join(pthread_t handle, void** result) {
  if (!in_program()) return TARRY_REAL(pthread_join)(handle, result);
  return join(handle, result, TARRY_PC, false);
}
TARRY_TAKEN_OVER int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  if (!in_program()) return TARRY_REAL(pthread_timedjoin_np)(handle, result, until);
  return join(handle, result, TARRY_PC, true);
}
TARRY_TAKEN_OVER int pthread_detach(pthread_t handle) noexcept {
  if (!in_program()) return TARRY_REAL(pthread_detach)(handle);
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  Thread& thread = all.thread(number);
  if (thread.detached) return EINVAL;
  thread.detached = true;
  if (thread.state == Thread::State::kEnded) thread.state = Thread::State::kJoined;
  return 0;
}
TARRY_TAKEN_OVER int sched_yield() noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(sched_yield)();
  scheduler().point({.op = Op::kYield, .pc = TARRY_PC, .yields = true});
  return 0;
}
