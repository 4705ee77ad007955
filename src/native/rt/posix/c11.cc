// <threads.h>: the same threads, mutexes and condition variables under C11's names and results.
#include <threads.h>

#include <cerrno>

#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/posix/condition.h"
#include "native/rt/posix/exit.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/posix/once.h"
#include "native/rt/posix/thread.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

int result_of(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  is_not_enforced("thrd_create");
  TARRY_PASS_OBJECT(thrd_create, thread, function, argument);
  // A function that returns int leaves it where one that returns a pointer does: the upper half is noise, which thrd_join drops.
  const auto posix_function = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(function));
  const int error = before_main() ? pthread_create(thread, nullptr, posix_function, argument) : create_thread(thread, nullptr, posix_function, argument, TARRY_PC);
  return error == EAGAIN ? thrd_nomem : result_of(error);
}
TARRY_TAKEN_OVER int thrd_join(thrd_t thread, int* result) {
  is_not_enforced("thrd_join");
  if (before_main()) waits_for_ever_before_main(true);
  TARRY_PASS(thrd_join, thread, result);
  void* value = nullptr;
  const int error = join_thread(thread, &value, TARRY_PC);
  if (error == 0) writes(result, sizeof(*result), accessor(TARRY_PC));
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return result_of(error);
}
TARRY_TAKEN_OVER int thrd_detach(thrd_t thread) {
  is_not_enforced("thrd_detach");
  if (before_main()) return result_of(pthread_detach(thread));
  TARRY_PASS(thrd_detach, thread);
  return result_of(detach_thread(thread));
}
TARRY_TAKEN_OVER void thrd_exit(int result) {
  if (!in_program()) TARRY_REAL(thrd_exit)(result);
  exit_thread(reinterpret_cast<void*>(std::intptr_t{result}));
}
TARRY_TAKEN_OVER void thrd_yield() {
  if (in_program()) yield(TARRY_PC);
  else if (g_side == Side::kFree) TARRY_REAL(thrd_yield)();
}

TARRY_TAKEN_OVER int mtx_init(mtx_t* mutex, int type) noexcept {
  TARRY_PASS_OBJECT(mtx_init, mutex, type);
  make_mutex(posix(mutex), (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL, TARRY_PC);
  return thrd_success;
}
TARRY_TAKEN_OVER int mtx_lock(mtx_t* mutex) {
  is_not_enforced("mtx_lock");
  TARRY_PASS_OBJECT(mtx_lock, mutex);
  return result_of(lock_mutex(posix(mutex), TARRY_PC));
}
TARRY_TAKEN_OVER int mtx_trylock(mtx_t* mutex) {
  is_not_enforced("mtx_trylock");
  TARRY_PASS_OBJECT(mtx_trylock, mutex);
  return result_of(try_lock_mutex(posix(mutex), TARRY_PC));
}
TARRY_TAKEN_OVER int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  TARRY_PASS_OBJECT(mtx_timedlock, mutex, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return result_of(lock_mutex(posix(mutex), TARRY_PC, &deadline));
}
TARRY_TAKEN_OVER int mtx_unlock(mtx_t* mutex) {
  is_not_enforced("mtx_unlock");
  TARRY_PASS_OBJECT(mtx_unlock, mutex);
  return result_of(unlock_mutex(posix(mutex), TARRY_PC));
}
TARRY_TAKEN_OVER void mtx_destroy(mtx_t* mutex) {
  if (in_program() || before_main()) destroy_mutex(posix(mutex), TARRY_PC);
}

TARRY_TAKEN_OVER int cnd_init(cnd_t* condition) {
  TARRY_PASS_OBJECT(cnd_init, condition);
  make_condition(posix(condition), CLOCK_REALTIME, TARRY_PC);
  return thrd_success;
}
TARRY_TAKEN_OVER int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  is_not_enforced("cnd_wait");
  TARRY_PASS_OBJECT(cnd_wait, condition, mutex);
  return result_of(wait_for_condition(posix(condition), posix(mutex), TARRY_PC));
}
TARRY_TAKEN_OVER int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  TARRY_PASS_OBJECT(cnd_timedwait, condition, mutex, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return result_of(wait_for_condition(posix(condition), posix(mutex), TARRY_PC, &deadline));
}
TARRY_TAKEN_OVER int cnd_signal(cnd_t* condition) {
  is_not_enforced("cnd_signal");
  TARRY_PASS_OBJECT(cnd_signal, condition);
  signal_condition(posix(condition), TARRY_PC);
  return thrd_success;
}
TARRY_TAKEN_OVER int cnd_broadcast(cnd_t* condition) {
  is_not_enforced("cnd_broadcast");
  TARRY_PASS_OBJECT(cnd_broadcast, condition);
  broadcast_condition(posix(condition), TARRY_PC);
  return thrd_success;
}
TARRY_TAKEN_OVER void cnd_destroy(cnd_t* condition) {
  if (in_program() || before_main()) destroy_condition(posix(condition), TARRY_PC);
}

TARRY_TAKEN_OVER void call_once(once_flag* once, void (*routine)()) {
  is_not_enforced("call_once");
  if (!in_program()) return TARRY_REAL(call_once)(once, routine);
  call_once_only(reinterpret_cast<int*>(once), routine, TARRY_PC);
}

TARRY_TAKEN_OVER int tss_create(tss_t* key, tss_dtor_t destructor) {
  TARRY_PASS_OBJECT(tss_create, key, destructor);
  writes(key, sizeof(*key), accessor(TARRY_PC));
  return result_of(pthread_key_create(key, destructor));
}
TARRY_TAKEN_OVER void tss_delete(tss_t key) { pthread_key_delete(key); }
