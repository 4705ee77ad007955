// Start and end of threads and of the program. A thread ends in a destructor of thread-specific data, after the program's own
// destructors, because their operations count.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "base/main_frame.h"
#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

constexpr std::uintptr_t kRounds = 2;  // rounds of destructors; glibc has four

std::atomic<pthread_t> g_handles[kMostThreads];  // by number; 0: joined
pthread_key_t g_end;
int (*g_main)(int, char**, char**) = nullptr;

void at_end(void* raw) {
  const auto round = reinterpret_cast<std::uintptr_t>(raw);
  if (round < kRounds) ::pthread_setspecific(g_end, reinterpret_cast<void*>(round + 1));
  else end_thread();
}

struct Start {
  void* (*function)(void*);
  void* argument;
  std::uint32_t number;
};

void* run_thread(void* raw) {
  const Start start = *static_cast<Start*>(raw);
  std::free(raw);
  ::pthread_setspecific(g_end, reinterpret_cast<void*>(1));
  begin_thread(start.number);
  return start.function(start.argument);
}

/// Returns the number of a thread, or kMostThreads if it is not one of ours.
std::uint32_t number_of(pthread_t handle) {
  for (std::uint32_t i = std::min(numbers_given(), kMostThreads); i-- > 0;)
    if (g_handles[i].load(std::memory_order_relaxed) == handle) return i;
  return kMostThreads;
}

int enforced_main(int argc, char** argv, char** environment) {
  TARRY_NEXT(pthread_key_create)(&g_end, at_end);
  TARRY_NEXT_AS(__cxa_at_quick_exit, int(void (*)(void*), void*))([](void*) { finish(); }, nullptr);
  begin_main();
  if (has_threads()) ::pthread_setspecific(g_end, reinterpret_cast<void*>(1));
  std::exit(tarry::call_main(g_main, argc, argv, environment, g_main_frame));
}

}  // namespace

using StartMain = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
TARRY_ENFORCED int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  g_main = main;
  return TARRY_NEXT_AS(__libc_start_main, StartMain)(enforced_main, argc, argv, init, fini, rtld_fini, stack_end);
}

TARRY_ENFORCED int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) noexcept {
  const auto real = TARRY_NEXT(pthread_create);
  if (!has_threads()) return real(handle, attributes, function, argument);
  creates_thread(TARRY_PLACE);
  const Step step({.kind = Kind::kCreate, .pc = TARRY_PLACE});
  const std::uint32_t number = new_thread();
  auto* const start = static_cast<Start*>(std::malloc(sizeof(Start)));
  *start = {function, argument, number};
  const int failed = (step.free() && !is_recorded()) || number < kMostThreads ? real(handle, attributes, run_thread, start) : EAGAIN;
  if (failed != 0) no_thread(), out_of_scope("pthread_create, which failed", TARRY_PLACE);
  else if (number < kMostThreads) g_handles[number].store(*handle, std::memory_order_relaxed);
  return failed;
}
TARRY_ENFORCED int pthread_join(pthread_t handle, void** result) {
  const std::uint32_t number = number_of(handle);
  const Step step({.kind = Kind::kJoin, .pc = TARRY_PLACE, .thread = number});
  const Blocking blocking(step.free());
  const int failed = TARRY_NEXT(pthread_join)(handle, result);
  if (failed == 0 && number < kMostThreads) g_handles[number].store(0, std::memory_order_relaxed);
  return failed;
}
TARRY_ENFORCED int pthread_detach(pthread_t handle) noexcept {
  if (const std::uint32_t number = number_of(handle); number < kMostThreads) g_handles[number].store(0, std::memory_order_relaxed);
  return TARRY_NEXT(pthread_detach)(handle);
}

TARRY_ENFORCED void exit(int code) {
  leave(enter({.kind = Kind::kExit}));
  TARRY_NEXT(exit)(code);
  __builtin_unreachable();
}
TARRY_ENFORCED void _exit(int code) {
  leave(enter({.kind = Kind::kExit}));
  finish();
  TARRY_NEXT(_exit)(code);
  __builtin_unreachable();
}
TARRY_ENFORCED void _Exit(int code) { _exit(code); }
TARRY_ENFORCED void quick_exit(int code) {
  leave(enter({.kind = Kind::kExit}));
  TARRY_NEXT_AS(quick_exit, void(int))(code);
  __builtin_unreachable();
}

// Functions for the end. glibc gives no word when it has called the last one of quick_exit, so ours is registered first, and called last.
TARRY_ENFORCED int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  const Step step({.kind = Kind::kAtExit, .pc = TARRY_PLACE});
  return TARRY_NEXT_AS(__cxa_atexit, int(void (*)(void*), void*, void*))(function, argument, object);
}
TARRY_ENFORCED int on_exit(void (*function)(int, void*), void* argument) noexcept {
  const Step step({.kind = Kind::kAtExit, .pc = TARRY_PLACE});
  return TARRY_NEXT(on_exit)(function, argument);
}
TARRY_ENFORCED int __cxa_at_quick_exit(void (*function)(void*), void* object) {
  const Step step({.kind = Kind::kAtExit, .pc = TARRY_PLACE});
  return TARRY_NEXT_AS(__cxa_at_quick_exit, int(void (*)(void*), void*))(function, object);
}

__attribute__((destructor)) static void at_exit() { finish(); }
