// Locks with priority inheritance. The word holds the number of the thread that has the lock, and FUTEX_WAITERS if the kernel performs the
// unlock. All threads have one priority here, so what is left is a mutex that is handed over: an unlock with waiters gives the lock to one of them,
// and which is a choice of the search.
//
// A thread that ends with such a lock hands it over, too, marked with FUTEX_OWNER_DIED. If no thread waits, the word stays, and the next caller gets
// ESRCH. (Mutexes of pthread that inherit priorities are no locks of this kind here. Those that are not robust stay locked,
// which is a deadlock; glibc aborts, or waits for ever.)
//
// A waiter has no bits in `futex_bits`, which keeps it out of FUTEX_WAKE. Its lock is `waits_on`; a thread that waits to be moved to a lock has the lock in
// its pending operation's argument.
#include "native/rt/posix/futex_pi.h"

#include <linux/futex.h>

#include <cerrno>

#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {
namespace {

using Word = std::uint32_t;

Word number_of_thread(std::uint32_t thread) { return static_cast<Word>(kProcess) + thread; }
Word own_number() {
  scheduler().self().locks.knows_number = true;
  return number_of_thread(scheduler().running());
}

/// The thread that has the lock, plus 1; 0 if no thread has it, or one that has ended.
std::uint32_t owner_of(Word word) {
  const Word number = (word & FUTEX_TID_MASK) - static_cast<Word>(kProcess);
  const Scheduler& all = scheduler();
  return number < all.thread_count() && all.thread(number).state == Thread::State::kAlive ? number + 1 : 0;
}

/// Returns whether the owner of a lock has ended. The end of a thread is no operation on the word, so the order is told what was seen of it.
bool owner_has_ended(Word word) {
  const bool ended = owner_of(word) == 0;
  decided(scheduler().running(), ended ? 1 : 0);
  return ended;
}

std::uint32_t holder(const Operation& operation) {
  if (scheduler().thread(operation.thread).wait.woken) return 0;
  return owner_of(*static_cast<const Word*>(operation.object));
}
/// Returns the holder of the lock that the thread was moved to. A thread that was not moved waits for no holder.
std::uint32_t holder_if_moved(const Operation& operation) {
  const Thread& thread = scheduler().thread(operation.thread);
  const auto* const lock = reinterpret_cast<const Word*>(operation.argument);
  return thread.wait.woken || thread.wait.on != lock ? 0 : owner_of(*lock);
}

bool waits_for(const Thread& thread, const Word* lock) { return thread.wait.on == lock && thread.wait.futex_bits == 0; }

/// What it waits for: nullptr if that is no lock, or if it has it.
Word* lock_of(const Thread& thread) {
  if (thread.state != Thread::State::kAlive || thread.wait.on == nullptr || thread.wait.futex_bits != 0 || thread.wait.woken) return nullptr;
  const auto* const moves_to = reinterpret_cast<const void*>(thread.pending.argument);
  if (thread.pending.op == Op::kFutexWoken ? thread.wait.on != moves_to : thread.pending.op != Op::kLock) return nullptr;
  return static_cast<Word*>(const_cast<void*>(thread.wait.on));
}

/// As far as it goes without waiting: 0, -EDEADLK, -ESRCH, or -EAGAIN with the word marked.
long take(Word* word) {
  const Word before = *word;
  if ((before & FUTEX_TID_MASK) == own_number()) return -EDEADLK;
  if ((before & FUTEX_TID_MASK) == 0) {
    *word = own_number() | (before & FUTEX_OWNER_DIED) | (waits_for_lock(word) ? FUTEX_WAITERS : 0);
    scheduler().saw(before, *word);
    acquire(word);
    return 0;
  }
  *word = before | FUTEX_WAITERS;
  scheduler().saw(before, *word);
  return owner_has_ended(before) ? -ESRCH : -EAGAIN;
}

void begin_waiting_for(const void* object) {
  Thread& self = scheduler().self();
  self.wait.on = object;  // no spurious wake-ups: a thread that goes on has the lock
  self.wait.futex_bits = 0;
  self.wait.woken = false;
}

/// Gives the lock to a thread that waits at the word. Returns how many threads got it: 0 or 1.
std::uint32_t give(Word* lock, const Word* at, Word mark = 0) {
  return wake(1, [&](const Thread& thread) { return waits_for(thread, at); },
              [&](Thread&, std::uint32_t number) { *lock = number_of_thread(number) | FUTEX_WAITERS | mark; });
}

}  // namespace

void abandon_pi_locks() {
  Scheduler& all = scheduler();
  if (!all.self().locks.knows_number) return;
  all.point({.op = Op::kEnd, .entangled = true});
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    Word* const lock = lock_of(all.thread(i));
    if (lock == nullptr || (*lock & FUTEX_TID_MASK) != own_number()) continue;
    changed(lock);
    release(lock);
    give(lock, lock, FUTEX_OWNER_DIED);
  }
}

bool waits_for_lock(const std::uint32_t* word) {
  const Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (!all.thread(i).wait.woken && waits_for(all.thread(i), word)) return true;
  return false;
}

long lock_pi(std::uint32_t* word, const Deadline* deadline, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (deadline != nullptr && !deadline->valid()) return -EINVAL;
  all.point({.op = Op::kFutexWait, .object = word, .size = sizeof(*word), .pc = pc, .entangled = true});
  if (const long taken = take(word); taken != -EAGAIN) return taken;
  begin_waiting_for(word);
  const bool in_time = wait_point({.op = Op::kLock, .object = word, .ready = is_woken, .pc = pc, .timed = deadline != nullptr, .holder = holder, .entangled = true});
  end_waiting();
  if (!in_time) return -deadline->expire();
  acquire(word);
  return 0;
}

long try_lock_pi(std::uint32_t* word, std::uintptr_t pc) {
  scheduler().point({.op = Op::kTryLock, .object = word, .size = sizeof(*word), .pc = pc, .entangled = true});
  return take(word);
}

long unlock_pi(std::uint32_t* word, std::uintptr_t pc) {
  scheduler().point({.op = Op::kUnlock, .object = word, .size = sizeof(*word), .pc = pc, .entangled = true});
  const Word before = *word;
  if ((before & FUTEX_TID_MASK) != own_number()) return -EPERM;
  release(word);
  if (give(word, word) == 0) *word = 0;
  scheduler().saw(before, *word);
  return 0;
}

long wait_requeue_pi(std::uint32_t* word, std::uint32_t expected, std::uint32_t* lock, const Deadline* deadline, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (word == lock || (deadline != nullptr && !deadline->valid())) return -EINVAL;
  all.point({.op = Op::kFutexWait, .object = word, .size = sizeof(*word), .pc = pc, .entangled = true});
  if (*word != expected) return -EAGAIN;
  begin_waiting_for(word);
  const bool in_time = all.point({.op = Op::kFutexWoken,
                                  .object = word,
                                  .also = lock,
                                  .ready = is_woken,
                                  .argument = reinterpret_cast<std::uintptr_t>(lock),
                                  .pc = pc,
                                  .timed = deadline != nullptr,
                                  .holder = holder_if_moved, .entangled = true});
  end_waiting();
  if (!in_time) return -deadline->expire();
  acquire(word);
  acquire(lock);
  return 0;
}

long requeue_pi(std::uint32_t* word, std::uint32_t* lock, std::uint32_t wakes, std::uint32_t moves, std::uint32_t expected, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kFutexWake, .object = word, .also = lock, .size = sizeof(*word), .pc = pc, .entangled = true});
  if (word == lock || wakes != 1 || static_cast<std::int32_t>(moves) < 0) return -EINVAL;
  if (*word != expected) return -EAGAIN;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    const Thread& thread = all.thread(i);
    if (thread.wait.on == word && !thread.wait.woken && thread.pending.argument != reinterpret_cast<std::uintptr_t>(lock)) return -EINVAL;
  }
  const bool nobody = !waits_for_lock(word);
  if (!nobody && (*lock & FUTEX_TID_MASK) != 0 && owner_has_ended(*lock)) {
    *lock |= FUTEX_WAITERS;
    return -ESRCH;
  }
  release(word);
  release(lock);
  const std::uint32_t done = (*lock & FUTEX_TID_MASK) == 0 ? give(lock, word) : 0;
  const std::uint32_t moved = choose_waiting(
      moves + wakes - done, [&](const Thread& thread) { return waits_for(thread, word); }, [&](Thread& thread, std::uint32_t) { thread.wait.on = lock; });
  if (moved > 0) *lock |= FUTEX_WAITERS;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (all.thread(i).wait.on == lock && !all.thread(i).wait.woken) fail_if_circular(i);
  return done + moved;
}

}  // namespace tarry::native::rt
