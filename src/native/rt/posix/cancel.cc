// Cancellation: a request is kept until the thread comes to a function at which it may end, and then runs its cleanup handlers and destructors.
// A thread that waits in such a function goes on at once. Asynchronous cancellation takes place at the next access that is a scheduling point:
// accesses whose effect others can see are (interruptions.h).
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_cancel(pthread_t handle) {
  is_not_enforced("pthread_cancel");
  if (before_main()) is_not_carried_over("a constructor of a static object cancels a thread before main, and Tarry does not carry that over to main: cancel it in main");
  TARRY_PASS(pthread_cancel, handle);
  Scheduler& all = scheduler();
  const std::uint32_t number = all.find(handle);
  if (number == Scheduler::kNobody) return ESRCH;
  Thread& thread = all.thread(number);
  all.point({.op = Op::kCancel, .object = &thread, .pc = TARRY_PC});
  // At which of its steps the thread stands matters: whether it has looked for requests already.
  if (g_watch.order != nullptr) g_watch.order->local(all.running(), static_cast<std::uint32_t>(Op::kCancel), thread.steps), changed(&thread);
  release(&thread);  // what was done before happens before the cleanup handlers, as with signals
  if (thread.state == Thread::State::kAlive && !std::exchange(thread.cancel.requested, true)) thread.cancel.steps = number == all.running() ? thread.steps - 1 : thread.steps;
  if (number == all.running() && thread.cancel.asynchronous) cancel_if_due();
  return 0;
}
TARRY_TAKEN_OVER int pthread_setcancelstate(int state, int* before) {
  TARRY_PASS(pthread_setcancelstate, state, before);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Thread& self = scheduler().self();
  writes(before, sizeof(*before), accessor(TARRY_PC));
  if (before != nullptr) *before = self.cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self.cancel.disabled = state != PTHREAD_CANCEL_ENABLE;
  if (self.cancel.asynchronous) cancel_if_due();
  return 0;
}
TARRY_TAKEN_OVER int pthread_setcanceltype(int type, int* before) {
  TARRY_PASS(pthread_setcanceltype, type, before);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Thread& self = scheduler().self();
  writes(before, sizeof(*before), accessor(TARRY_PC));
  if (before != nullptr) *before = self.cancel.asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self.cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  g_watch.interruptions |= self.cancel.asynchronous;
  if (self.cancel.asynchronous) cancel_if_due();
  return 0;
}
TARRY_TAKEN_OVER void pthread_testcancel() {
  if (!in_program()) {
    if (g_side == Side::kFree) TARRY_REAL(pthread_testcancel)();
    return;
  }
  Operation operation{.op = Op::kCancel, .object = &scheduler().self(), .pc = TARRY_PC, .reads = true};
  come_by(operation);
  cancellation_point(operation);
}
