// What the functions of locks and waits share.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>

#include "enforce/rt/control.h"
#include "enforce/rt/raw.h"

namespace tarry::enforce::rt {

/// Calls `function(arguments…)` of the library, which waits only if nothing is enforced.
template <class Function, class... Arguments>
auto perform(const Step& step, Function function, Arguments... arguments) {
  const Blocking blocking(step.free());
  return function(arguments...);
}

// ---- mutexes: operations of a thread on a mutex that it already holds are no events

inline int own_id() {
  static thread_local int id = 0;
  if (id == 0) id = static_cast<int>(raw(SYS_gettid));
  return id;
}
inline int type(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
inline bool is_mine(const pthread_mutex_t* mutex) { return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == own_id(); }
inline bool is_checked(const pthread_mutex_t* mutex) { return type(mutex) == PTHREAD_MUTEX_RECURSIVE || type(mutex) == PTHREAD_MUTEX_ERRORCHECK; }
/// Returns whether an unlock only decreases a count, or only reports an error.
inline bool is_no_unlock(const pthread_mutex_t* mutex) { return is_checked(mutex) && (!is_mine(mutex) || (type(mutex) == PTHREAD_MUTEX_RECURSIVE && mutex->__data.__count > 1)); }

}  // namespace tarry::enforce::rt
