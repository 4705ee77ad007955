// pthread_once, and the guards of static variables: the first thread runs the routine, the others wait for its end. If an exception or a
// cancellation ends the routine, the next thread tries.
#include <pthread.h>

#include <cerrno>

#include "native/rt/posix/once.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {
namespace {

// Of pthread_once_t, as in glibc; while the routine runs: its thread's number + 1, times 4, plus 1.
constexpr int kDone = 2;
constexpr int kRuns = 1;

bool can_go_on(const Operation& operation) { return (*static_cast<const int*>(operation.object) & kRuns) == 0; }
std::uint32_t holder(const Operation& operation) {
  const int value = *static_cast<const int*>(operation.object);
  return (value & kRuns) != 0 ? static_cast<std::uint32_t>(value) / 4 : 0;
}

/// While the routine runs. A routine that does not return leaves it to the next.
class Running {
 public:
  explicit Running(int* once) : once_(once) { *once_ = static_cast<int>(me() * 4) | kRuns; }
  ~Running() {
    release(once_);
    *once_ = result_;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  void done() { result_ = kDone; }

 private:
  int* once_;
  int result_ = 0;
};

/// A guard: its first byte is tested in line by the program.
struct Guard {
  std::uint8_t done;
  std::uint8_t runs;
  std::uint8_t unused[2];
  std::uint32_t owner;
};

bool guard_is_free(const Operation& operation) { return static_cast<const Guard*>(operation.object)->runs == 0; }
std::uint32_t guard_holder(const Operation& operation) { return static_cast<const Guard*>(operation.object)->owner; }

void leave_guard(Guard* guard, bool done, std::uintptr_t pc) {
  scheduler().point({.op = Op::kGuardDone, .object = guard, .pc = pc});
  release(guard);
  *guard = Guard{.done = static_cast<std::uint8_t>(done ? 1 : 0), .runs = 0, .unused = {}, .owner = 0};
}

}  // namespace

void call_once_only(int* once, void (*routine)(), std::uintptr_t pc) {
  // What is done stays done, so that a thread that comes late would see nothing else by coming later: no point. Streams of the C++ library ask this
  // at every output.
  if (*once == kDone && g_watch.footprint == nullptr) looked_at(once);
  else wait_point({.op = Op::kOnce, .object = once, .ready = can_go_on, .pc = pc, .holder = holder});
  operates(once, pc, sizeof(*once));
  acquire(once);
  if (*once == kDone) return;
  Running running(once);
  routine();
  scheduler().point({.op = Op::kOnceDone, .object = once, .pc = pc});
  operates(once, pc, sizeof(*once));
  running.done();
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_once(pthread_once_t* once, void (*routine)()) {
  if (!in_program()) return TARRY_REAL(pthread_once)(once, routine);
  call_once_only(once, routine, TARRY_PC);
  return 0;
}

// Outside of control another library may have them; a C program has none.
using Acquire = int(Guard*);
using Leave = void(Guard*);

TARRY_TAKEN_OVER int __cxa_guard_acquire(Guard* guard) {
  if (!in_program()) {
    auto* const theirs = g_side == Side::kEngine ? nullptr : TARRY_REAL_AS(__cxa_guard_acquire, Acquire);
    return theirs != nullptr ? theirs(guard) : guard->done == 0;
  }
  if (guard->runs != 0 && guard->owner == me()) misuse("a static variable is initialized by its own initializer");
  wait_point({.op = Op::kGuard, .object = guard, .ready = guard_is_free, .pc = TARRY_PC, .holder = guard_holder});
  acquire(guard);
  if (guard->done != 0) return 0;
  guard->runs = 1;
  guard->owner = me();
  return 1;
}
TARRY_TAKEN_OVER void __cxa_guard_release(Guard* guard) {
  if (!in_program()) {
    auto* const theirs = g_side == Side::kEngine ? nullptr : TARRY_REAL_AS(__cxa_guard_release, Leave);
    if (theirs != nullptr) theirs(guard);
    else guard->done = 1;
    return;
  }
  leave_guard(guard, true, TARRY_PC);
}
TARRY_TAKEN_OVER void __cxa_guard_abort(Guard* guard) {
  if (!in_program()) {
    auto* const theirs = g_side == Side::kEngine ? nullptr : TARRY_REAL_AS(__cxa_guard_abort, Leave);
    if (theirs != nullptr) theirs(guard);
    return;
  }
  leave_guard(guard, false, TARRY_PC);
}
