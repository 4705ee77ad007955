// std::atomic::wait and notify of libc++, and what it makes of them: latches, semaphores, stop tokens. (libstdc++'s are futexes and come through
// syscall().)
//
// In libc++.so a wait is a futex with a limit of two seconds, on a word that many objects share, in code that is not instrumented: a lost
// notification would look like a thread that polls for ever. So they are taken over, and mean what the standard says: a wait ends by a
// notification. There are two forms: objects that are a futex word themselves, where the value seen last is compared again; and all others,
// where a thread first begins to listen (monitor), then looks at the value again, then waits unless a notification came since.
// That needs no point of its own for `monitor`: the thread's operation before is one on the same object.
#include <cstdint>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/spin.h"

namespace tarry::native::rt {
namespace {

void wait_for_notification(const void* at, std::uintptr_t pc) {
  begin_waiting(at);
  scheduler().point({.op = Op::kFutexWoken, .object = at, .size = 1, .ready = is_woken, .pc = pc, .interruptible = true, .begun = true});
  end_waiting();
}

void wait_on_word(const std::int32_t* word, std::int32_t seen, std::uintptr_t pc) {
  spun_until_futex();
  scheduler().point({.op = Op::kFutexWait, .object = word, .size = sizeof(*word), .pc = pc});
  operates(word, pc, sizeof(*word));
  if (*word == seen) wait_for_notification(word, pc);
}

void listen(const void* at) {
  Thread& self = scheduler().self();
  self.wait.listens_to = at;
  self.wait.heard = false;
}

void wait_if_nothing_heard(const void* at, std::uintptr_t pc) {
  spun_until_futex();
  scheduler().point({.op = Op::kFutexWait, .object = at, .size = 1, .pc = pc});
  Thread& self = scheduler().self();
  if (self.wait.listens_to == at && !self.wait.heard) wait_for_notification(at, pc);
  self.wait.listens_to = nullptr;
}

void notify(const void* at, std::uint32_t n, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kFutexWake, .object = at, .size = 1, .pc = pc});
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (all.thread(i).wait.listens_to == at) all.thread(i).wait.heard = true;
  wake(at, n);
}

constexpr std::uint32_t kAll = ~std::uint32_t{0};

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

#define TARRY_WORD "PVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE"

TARRY_TAKEN_OVER_AS(void, tarry_wait_word, "_ZNSt3__120__libcpp_atomic_waitE" TARRY_WORD "i", const void* at, std::int32_t seen) {
  if (in_program()) return wait_on_word(static_cast<const std::int32_t*>(at), seen, TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt3__120__libcpp_atomic_waitE" TARRY_WORD "i", void (*)(const void*, std::int32_t))(at, seen);
}
TARRY_TAKEN_OVER_AS(void, tarry_wait_object, "_ZNSt3__120__libcpp_atomic_waitEPVKvi", const void* at, std::int32_t seen) {
  if (in_program()) return wait_if_nothing_heard(at, TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt3__120__libcpp_atomic_waitEPVKvi", void (*)(const void*, std::int32_t))(at, seen);
}
TARRY_TAKEN_OVER_AS(std::int32_t, tarry_monitor_object, "_ZNSt3__123__libcpp_atomic_monitorEPVKv", const void* at) {
  if (!in_program()) return TARRY_REAL_SYMBOL("_ZNSt3__123__libcpp_atomic_monitorEPVKv", std::int32_t (*)(const void*))(at);
  listen(at);
  return 0;
}
#define TARRY_NOTIFY(name, symbol, n)                                                    \
  TARRY_TAKEN_OVER_AS(void, name, symbol, const void* at) {                                  \
    if (in_program()) return notify(at, n, TARRY_PC);                                    \
    TARRY_REAL_SYMBOL(symbol, void (*)(const void*))(at);                             \
  }
TARRY_NOTIFY(tarry_notify_word, "_ZNSt3__123__cxx_atomic_notify_oneE" TARRY_WORD, 1)
TARRY_NOTIFY(tarry_notify_words, "_ZNSt3__123__cxx_atomic_notify_allE" TARRY_WORD, kAll)
TARRY_NOTIFY(tarry_notify_object, "_ZNSt3__123__cxx_atomic_notify_oneEPVKv", 1)
TARRY_NOTIFY(tarry_notify_objects, "_ZNSt3__123__cxx_atomic_notify_allEPVKv", kAll)
