#include "native/rt/threads/deadlock.h"

#include "native/rt/base/modules.h"
#include "native/rt/threads/recorded_object.h"

namespace tarry::native::rt {
namespace {

/// "the mutex {2}" of a global one, whose name is found later from its place; "a mutex" of others.
std::string named(const char* what, const void* object, std::vector<std::uintptr_t>& places) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  if (place_of(address).offset == 0) return std::string("a ") + what;
  places.push_back(address);
  return std::string("the ") + what + " {" + std::to_string(places.size() - 1) + "}";
}

std::string held_by(const std::string& what, const Operation& pending) {
  const std::uint32_t holder = pending.holder == nullptr ? 0 : pending.holder(pending);
  if (holder == 0) return what;
  if (holder - 1 == pending.thread) return what + " that it has locked itself";
  const bool ended = scheduler().thread(holder - 1).state != Thread::State::kAlive;
  return what + " that " + name_of_thread(holder - 1) + (ended ? " had locked when it ended" : " has locked");
}

/// "waits in a loop until {0} or {1} changes", as far as they have names.
std::string waits_in_loop(const Thread& thread, std::vector<std::uintptr_t>& places) {
  constexpr std::size_t kFew = 3;
  const std::vector<const void*> objects = awaited(thread);
  if (objects.empty()) return "goes round in a loop, and nothing can change that";
  std::string text;
  for (const void* const object : objects) {
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    if (objects.size() > kFew || place_of(address).offset == 0) return objects.size() == 1 ? "waits in a loop until a variable changes" : "waits in a loop until something changes that it looks at";
    text += (text.empty() ? "{" : " or {") + std::to_string(places.size()) + "}";
    places.push_back(address);
  }
  return "waits in a loop until " + text + " changes";
}

/// Returns whether a thread waits for a primitive, not only for the end of others.
bool any_blocked() {
  const Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (const Thread& thread = all.thread(i); thread.state == Thread::State::kAlive && !thread.of_runtime && !awaits(thread) && thread.pending.op != Op::kJoin) return true;
  return false;
}
bool any_awaits() {
  for (std::uint32_t i = 0; i < scheduler().thread_count(); ++i)
    if (awaits(scheduler().thread(i))) return true;
  return false;
}

/// The one thread that must act before this one can go on; kNobody if there is none.
std::uint32_t blocked_by(const Thread& thread) {
  const Operation& pending = thread.pending;
  if (thread.state != Thread::State::kAlive || pending.holder == nullptr || pending.ready == nullptr || pending.timed) return Scheduler::kNobody;
  if (pending.ready(pending)) return Scheduler::kNobody;
  const std::uint32_t holder = pending.holder(pending);
  return holder == 0 ? Scheduler::kNobody : holder - 1;
}

/// Adds what a thread waits for. Recording: also the thread's name, where the text has none.
void add(Failure& failure, std::uint32_t number) {
  const Thread& thread = scheduler().thread(number);
  const std::size_t named = failure.places.size();
  const std::string text = (failure.threads.empty() ? "" : "; ") + name_of_thread(number) + " " + waits_for(thread, failure.places);
  failure.message += text;
  failure.told += text;
  failure.threads.push_back(number);
  constexpr std::size_t kLetters = 26;
  if (!scheduler().recording || failure.places.size() != named || !has_object(thread.pending) || failure.objects.size() == kLetters) return;
  if (thread.pending.object == nullptr) return;
  failure.told += std::string(" ({") + static_cast<char>('a' + failure.objects.size()) + "})";
  failure.objects.push_back(object_of(thread.wait.woken ? thread.pending.also : thread.pending.object));
}

}  // namespace

std::string waits_for(const Thread& thread, std::vector<std::uintptr_t>& places) {
  const Operation& pending = thread.pending;
  if (awaits(thread)) return waits_in_loop(thread, places);
  switch (pending.op) {
    case Op::kLock: return "waits for " + held_by(named("mutex", pending.object, places), pending);
    case Op::kSpinLock: return "waits for " + held_by(named("spin lock", pending.object, places), pending);
    case Op::kReadLock:
    case Op::kWriteLock: return "waits for " + held_by(named("read-write lock", pending.object, places), pending);
    case Op::kReacquire:
      if (thread.wait.woken) return "was woken and waits for " + held_by(named("mutex", pending.also, places), pending);
      return "waits for " + named("condition variable", pending.object, places);
    case Op::kSemaphoreWait: return "waits for " + named("semaphore", pending.object, places);
    case Op::kBarrierPassed: return "waits at a barrier";
    case Op::kOnce: return "waits for " + held_by("a call of pthread_once", pending);
    case Op::kLibraryCall: return "waits for " + held_by("the lock of the dynamic linker", pending);
    case Op::kGuard: return "waits for " + held_by("the initialization of a static variable", pending);
    case Op::kFutexWoken: return "waits for a futex or an atomic variable";
    case Op::kReceive: return "waits for something to read from descriptor " + std::to_string(static_cast<std::uint32_t>(pending.argument));
    case Op::kSend: return "waits for room to write to descriptor " + std::to_string(static_cast<std::uint32_t>(pending.argument));
    case Op::kFile: return "waits for a lock of a file, the other end of a named pipe, a message or a process";
    case Op::kPoll: return "waits for descriptors to become ready";
    case Op::kExpire: return "has nothing to do: no timer is set";
    case Op::kJoin: return "waits for the end of " + name_of_thread(static_cast<std::uint32_t>(pending.argument));
    default: return std::string("waits in ") + name_of(pending.op);
  }
}

Failure deadlock() {
  Scheduler& all = scheduler();
  const bool livelock = any_awaits() && !any_blocked();
  Failure failure{.kind = livelock ? FindingKind("livelock") : FindingKind("deadlock"), .message = "no thread can go on: "};
  failure.told = failure.message;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    if (all.thread(i).state != Thread::State::kAlive || all.thread(i).of_runtime) continue;
    add(failure, i);
    // Reports the first thread that waits for anything except a join.
    if (failure.pc == 0 || all.thread(failure.threads.front()).pending.op == Op::kJoin) failure.pc = all.thread(i).pending.pc;
  }
  return failure;
}

bool is_in_circle(std::uint32_t thread) {
  std::uint32_t at = blocked_by(scheduler().thread(thread));
  for (std::uint32_t i = 0; at != Scheduler::kNobody && i < scheduler().thread_count(); ++i) {
    if (at == thread) return true;
    at = blocked_by(scheduler().thread(at));
  }
  return false;
}

Failure circular_deadlock(std::uint32_t thread) {
  Scheduler& all = scheduler();
  Failure failure{.kind = "deadlock", .message = ""};
  std::uint32_t at = thread;
  do {
    add(failure, at);
    at = blocked_by(all.thread(at));
  } while (at != thread);
  const std::string how = failure.threads.size() == 1 ? "a thread waits for itself: " : "threads wait for each other in a circle: ";
  failure.message = how + failure.message;
  failure.told = how + failure.told;
  return failure;
}

}  // namespace tarry::native::rt
