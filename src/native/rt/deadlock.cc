#include "native/rt/deadlock.h"

#include <pthread.h>

namespace tarry::native::rt {
namespace {

std::string name_of_thread(std::uint32_t number) { return number == 0 ? "main" : "thread " + std::to_string(number); }

std::string holder(const void* mutex) {
  const int owner = static_cast<const pthread_mutex_t*>(mutex)->__data.__owner;
  return owner <= 0 ? "a mutex" : "a mutex that " + name_of_thread(static_cast<std::uint32_t>(owner) - 1) + " has locked";
}

}  // namespace

std::string waits_for(const Thread& thread) {
  const Operation& pending = thread.pending;
  switch (pending.op) {
    case Op::kLock: return "waits for " + holder(pending.object);
    case Op::kReacquire:
      if (thread.woken) return "was woken and waits for " + holder(reinterpret_cast<const void*>(pending.argument));
      return "waits for a condition variable that nobody is left to signal";
    case Op::kJoin: return "waits for the end of " + name_of_thread(static_cast<std::uint32_t>(pending.argument));
    default: return std::string("waits in ") + name_of(pending.op);
  }
}

Failure deadlock() {
  Scheduler& all = scheduler();
  Failure failure{.kind = "deadlock", .message = "no thread can go on: "};
  bool first = true;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    if (all.thread(i).state != Thread::State::kAlive) continue;
    failure.message += (first ? "" : "; ") + name_of_thread(i) + " " + waits_for(all.thread(i));
    failure.threads.push_back(i);
    // Whoever waits for something else than the end of another is the place to look at.
    if (failure.pc == 0 || all.thread(failure.threads.front()).pending.op == Op::kJoin) failure.pc = all.thread(i).pending.pc;
    first = false;
  }
  return failure;
}

}  // namespace tarry::native::rt
