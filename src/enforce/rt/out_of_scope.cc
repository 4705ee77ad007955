// Functions that order threads, or that let something happen at any moment, and that no admissible trace has. A program that
// calls one under enforcement is on a path that was not verified. `free` and `realloc` are here because objects are identified by
// their addresses.
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

using namespace tarry::enforce::rt;

using Routine = void (*)();

#define TARRY_REFUSED_1(result, name, A, throws)                  \
  TARRY_ENFORCED result name(A a) throws {                        \
    out_of_scope(#name, TARRY_PLACE);                             \
    return TARRY_NEXT(name)(a);                                   \
  }
#define TARRY_REFUSED_2(result, name, A, B, throws)               \
  TARRY_ENFORCED result name(A a, B b) throws {                   \
    out_of_scope(#name, TARRY_PLACE);                             \
    return TARRY_NEXT(name)(a, b);                                \
  }
#define TARRY_REFUSED_3(result, name, A, B, C, throws)            \
  TARRY_ENFORCED result name(A a, B b, C c) throws {              \
    out_of_scope(#name, TARRY_PLACE);                             \
    return TARRY_NEXT(name)(a, b, c);                             \
  }
#define TARRY_REFUSED_4(result, name, A, B, C, D, throws)         \
  TARRY_ENFORCED result name(A a, B b, C c, D d) throws {         \
    out_of_scope(#name, TARRY_PLACE);                             \
    return TARRY_NEXT(name)(a, b, c, d);                          \
  }

TARRY_REFUSED_2(int, pthread_tryjoin_np, pthread_t, void**, noexcept)
TARRY_REFUSED_3(int, pthread_timedjoin_np, pthread_t, void**, const timespec*, )
TARRY_REFUSED_4(int, pthread_clockjoin_np, pthread_t, void**, clockid_t, const timespec*, )
TARRY_REFUSED_1(int, pthread_cancel, pthread_t, )
TARRY_REFUSED_2(int, pthread_kill, pthread_t, int, noexcept)
TARRY_REFUSED_2(int, kill, pid_t, int, noexcept)
TARRY_REFUSED_3(int, timer_create, clockid_t, sigevent*, timer_t*, noexcept)
TARRY_REFUSED_1(int, thrd_detach, thrd_t, )
TARRY_REFUSED_3(int, thrd_create, thrd_t*, thrd_start_t, void*, )
TARRY_REFUSED_2(int, thrd_join, thrd_t, int*, )
TARRY_REFUSED_1(int, mtx_lock, mtx_t*, )
TARRY_REFUSED_1(int, mtx_trylock, mtx_t*, )
TARRY_REFUSED_1(int, mtx_unlock, mtx_t*, )
TARRY_REFUSED_2(int, cnd_wait, cnd_t*, mtx_t*, )
TARRY_REFUSED_1(int, cnd_signal, cnd_t*, )
TARRY_REFUSED_1(int, cnd_broadcast, cnd_t*, )
TARRY_REFUSED_2(void, call_once, once_flag*, Routine, )

TARRY_ENFORCED pid_t fork() noexcept {
  out_of_scope("fork", TARRY_PLACE);
  return TARRY_NEXT(fork)();
}

namespace {

/// dlsym frees what an earlier lookup that failed said, so the lookup of `free` may call `free`: that text is not freed.
class NextHeap {
 public:
  bool known() {
    if (free_ != nullptr) return true;
    if (looking_) return false;
    looking_ = true;
    realloc_ = TARRY_NEXT(realloc);
    free_ = TARRY_NEXT(free);
    looking_ = false;
    return true;
  }
  void free(void* block) { if (known()) free_(block); }
  void* realloc(void* block, std::size_t size) { return known() ? realloc_(block, size) : nullptr; }

 private:
  bool looking_ = false;
  decltype(&::free) free_ = nullptr;
  decltype(&::realloc) realloc_ = nullptr;
};
constinit NextHeap g_next_heap;
__attribute__((constructor)) void find_next_heap() { g_next_heap.known(); }  // before there are threads

}  // namespace

TARRY_ENFORCED void free(void* block) noexcept {
  if (block != nullptr && remembers_memory()) forget_memory(block, ::malloc_usable_size(block));
  g_next_heap.free(block);
}
TARRY_ENFORCED void* realloc(void* block, std::size_t size) noexcept {
  if (block != nullptr && remembers_memory()) forget_memory(block, ::malloc_usable_size(block));
  return g_next_heap.realloc(block, size);
}
