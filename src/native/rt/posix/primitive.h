// What the primitives share: where the program called, misuse, waiting for a thread, threads that wait until they are woken, cancellation.
//
// A primitive keeps its state in the program's own object, so that it is reset with the program's memory and static initializers work. Which
// threads wait is kept in the threads (WaitOfThread): the object may be gone when the last of them goes on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "native/rt/base/operation.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/posix/before_main.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/scheduler.h"

/// Where the program called a function that is taken over.
#define TARRY_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1

/// First line of a function that is taken over: the engine's own calls do nothing, others go to the library.
#define TARRY_PASS(name, ...) \
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(name)(__VA_ARGS__)

/// The same for functions whose objects the runtime keeps in a format of its own: they are taken over before main, too.
#define TARRY_PASS_OBJECT(name, ...) \
  if (!in_program() && !before_main()) return g_side == Side::kEngine ? 0 : TARRY_REAL(name)(__VA_ARGS__)

namespace tarry::native::rt {

/// The program breaks a rule of the primitive. The message is put into words here: fail must not allocate on the program's side.
[[noreturn]] void misuse(const char* message);
/// The same, of a rule about an object. If the object is gone, that is told instead.
[[noreturn]] void misuse_of(const void* object, const char* message);

/// Returns the number by which primitives know the running thread; 0 means no thread.
inline std::uint32_t me() { return scheduler().running() + 1; }

/// A point; before it, a deadlock is reported if threads wait for each other in a circle.
bool wait_point(const Operation& operation);
/// The circle that begins and ends with the thread, if there is one, is a deadlock.
void fail_if_circular(std::uint32_t thread);

/// A point of an attempt, which may turn out to be a look (await.h): only_looked, or has_effect, has to follow.
void attempt_point(Operation operation);
/// The attempt failed, or only asked: it depends on these bytes.
void only_looked(const void* at, std::size_t size);

/// A point at which it may be cancelled: `wait_point`, then the end of the thread if that was requested.
bool cancellation_point(Operation operation);

/// The running thread got what it waited for, and a request to cancel it is pending: both may be, and the search says which comes first. Returns if it goes on.
void cancel_or_go_on();

// Threads that wait until they are woken.

/// Whether the thread of the operation was woken: for Operation::ready.
bool is_woken(const Operation& operation);
/// Begins to wait. Spuriously woken at once, if the search says so.
void begin_waiting(const void* object);
void end_waiting();
std::uint32_t count_waiting(const void* object);
/// Up to n of the threads that are not woken yet (or wait for several things at once, and can be woken by each) and for which `waits` holds; which, is a choice of the search. `act` on each (the thread, its number).
/// Returns how many. In the order of their numbers, so that each set of n is chosen in one way.
template <class Waits, class Act>
std::uint32_t choose_waiting(std::uint32_t n, const Waits& waits, const Act& act) {
  Scheduler& all = scheduler();
  const auto takes_part = [&](const Thread& thread) { return thread.state == Thread::State::kAlive && (!thread.wait.woken || thread.wait.for_several) && waits(thread); };
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) left += takes_part(all.thread(i)) ? 1 : 0;
  n = std::min(n, left);
  const std::uint32_t chosen = n;
  for (std::uint32_t i = 0, skip = n == 0 ? 0 : all.decide(left - n + 1); n > 0; ++i) {
    if (!takes_part(all.thread(i))) continue;
    --left;
    if (skip > 0) {
      --skip;
      continue;
    }
    act(all.thread(i), i);
    if (--n > 0) skip = all.decide(left - n + 1);
  }
  return chosen;
}
/// The same; they are woken.
template <class Waits, class Act>
std::uint32_t wake(std::uint32_t n, const Waits& waits, const Act& act) {
  return choose_waiting(n, waits, [&](Thread& thread, std::uint32_t number) {
    act(thread, number);
    thread.wait.woken = true;
    fail_if_circular(number);
  });
}
/// Wakes up to n threads that wait for the object.
std::uint32_t wake(const void* object, std::uint32_t n);
std::uint32_t wake_all(const void* object);

}  // namespace tarry::native::rt
