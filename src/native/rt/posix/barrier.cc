// Barriers. Arriving is one operation and going on another, except for the last thread that arrives: it lets the others go, and is the serial thread.
#include <pthread.h>

#include <cerrno>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint32_t kInitialized = 0xba221e2;

/// In the program's pthread_barrier_t.
struct State {
  std::uint32_t count;
  std::uint32_t arrived;
  std::uint32_t initialized;
};
static_assert(sizeof(State) <= sizeof(pthread_barrier_t));

State& state(pthread_barrier_t* barrier) { return *reinterpret_cast<State*>(barrier); }

/// Before the point of an operation, and after it: others may have destroyed it.
void check(pthread_barrier_t* barrier) {
  if (state(barrier).initialized != kInitialized) misuse_of(barrier, "a barrier is used that is not initialized");
}

void forget(const pthread_barrier_t* barrier) {
  if (g_watch.races != nullptr) g_watch.races->forget_object(barrier);
}

/// Orders the waiting threads after all arrivals now: when they go on, others may have arrived for the next phase, or the barrier may be gone.
void order_after_all(const pthread_barrier_t* barrier) {
  if (g_watch.races == nullptr) return;
  Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (all.thread(i).wait.on == barrier && !all.thread(i).wait.woken) g_watch.races->acquire(i, barrier);
  acquire(barrier);
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  TARRY_PASS_OBJECT(pthread_barrier_init, barrier, attributes, count);
  if (count == 0) return EINVAL;
  makes(barrier, TARRY_PC);
  state(barrier) = {count, 0, kInitialized};
  forget(barrier);
  return 0;
}
TARRY_TAKEN_OVER int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  TARRY_PASS_OBJECT(pthread_barrier_destroy, barrier);
  makes(barrier, TARRY_PC);
  if (state(barrier).initialized != kInitialized) misuse("a barrier is destroyed that is not initialized");
  if (state(barrier).arrived != 0) misuse("a barrier is destroyed while threads wait at it");
  state(barrier).initialized = 0;
  forget(barrier);
  return 0;
}
TARRY_TAKEN_OVER int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  TARRY_PASS_OBJECT(pthread_barrier_wait, barrier);
  check(barrier);
  scheduler().point({.op = Op::kBarrier, .object = barrier, .pc = TARRY_PC});
  operates(barrier, TARRY_PC);
  check(barrier);
  State& now = state(barrier);
  release(barrier);
  if (++now.arrived < now.count) {
    scheduler().self().wait.on = barrier;
    scheduler().point({.op = Op::kBarrierPassed, .object = barrier, .ready = is_woken, .pc = TARRY_PC, .reads = true});
    end_waiting();
    return 0;
  }
  now.arrived = 0;
  order_after_all(barrier);
  wake_all(barrier);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}
