// Futexes: waiting for a word to change. To look at the word and begin to wait is one operation, to go on after being woken another. Which of
// several threads a wake-up wakes or moves is a choice of the search. Threads are looked for by the word's address; bit sets narrow that down.
//
// Locks with priority inheritance (FUTEX_LOCK_PI and its kin) are in futex_pi.cc: their waiters have no bits, so that nothing here meets them.
#include "native/rt/posix/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <bitset>
#include <cerrno>

#include "native/rt/base/admitted.h"
#include "native/rt/posix/futex_pi.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/spin.h"
#include "native/rt/time/clock.h"

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

namespace tarry::native::rt {
namespace {

using Word = std::uint32_t;

Word* word(long address) { return reinterpret_cast<Word*>(address); }

/// A wait for any of several words. It lies on the stack of the thread that waits, which names it in `waits_on`.
struct Several {
  const futex_waitv* words;
  std::uint32_t queued;                        // it waits for so many of them
  std::bitset<FUTEX_WAITV_MAX> woken_at = {};  // can be several, before it goes on

  const Word* address(std::uint32_t i) const { return reinterpret_cast<const Word*>(words[i].uaddr); }
};

Several* several_of(const Thread& thread) {
  return thread.wait.for_several ? static_cast<Several*>(const_cast<void*>(thread.wait.on)) : nullptr;
}

/// The place of the word among those that the thread waits for and was not woken at; `queued` if it is none of them.
std::uint32_t place_of_word(const Several& several, const Word* address) {
  std::uint32_t i = 0;
  while (i < several.queued && (several.address(i) != address || several.woken_at[i])) ++i;
  return i;
}

/// Does a wake-up at this word, for those with a bit in common, concern it?
bool waits_at(const Thread& thread, const Word* address, std::uint32_t bits) {
  if (const Several* const several = several_of(thread)) return place_of_word(*several, address) < several->queued;
  return thread.wait.on == address && (thread.wait.futex_bits & bits) != 0;
}

void tell_where(const Thread& thread, const Word* address) {
  if (Several* const several = several_of(thread)) several->woken_at.set(place_of_word(*several, address));
}

long wait(Word* address, Word expected, const Deadline* deadline, std::uint32_t bits, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (bits == 0 || (deadline != nullptr && !deadline->valid())) return -EINVAL;
  spun_until_futex();
  all.point({.op = Op::kFutexWait, .object = address, .size = sizeof(*address), .pc = pc});
  operates(address, pc, sizeof(*address));  // the kernel looks at the word. It does not where it wakes: libraries do that to objects that are gone.
  if (*address != expected) return -EAGAIN;
  if (all.fault()) return -EINTR;
  begin_waiting(address);
  all.self().wait.futex_bits = bits;
  const bool in_time = all.point({.op = Op::kFutexWoken,
                                  .object = address,
                                  .ready = is_woken,
                                  .pc = pc,
                                  .timed = deadline != nullptr,
                                  .interruptible = true, .begun = true});
  const void* const there = all.self().wait.on;  // another word, if it was moved
  end_waiting();
  if (all.self().signals.interrupted) return -EINTR;
  if (!in_time) return -deadline->expire();
  acquire(there);
  return 0;
}

/// The kernel looks at one word after the other and waits for each from then on; so do we.
long wait_for_any(const futex_waitv* words, std::uint32_t count, const Deadline* deadline, std::uintptr_t pc) {
  constexpr std::uint32_t kKnownFlags = 2 /* 32 bits */ | FUTEX_PRIVATE_FLAG;
  if (words == nullptr || count == 0 || count > FUTEX_WAITV_MAX || (deadline != nullptr && !deadline->valid())) return -EINVAL;
  for (std::uint32_t i = 0; i < count; ++i)
    if ((words[i].flags & ~kKnownFlags) != 0 || (words[i].flags & 2) == 0 || words[i].__reserved != 0) return -EINVAL;
  Scheduler& all = scheduler();
  Thread& self = all.self();
  Several several{words, 0};
  spun_until_futex();
  bool differs = false;
  for (; several.queued < count && !differs; several.queued += differs ? 0 : 1) {
    const Word* const address = several.address(several.queued);
    all.point({.op = Op::kFutexWait, .object = address, .size = sizeof(*address), .pc = pc, .entangled = true});
    differs = *address != words[several.queued].val;
    self.wait.on = &several;
    self.wait.for_several = true;
  }
  bool in_time = true;
  if (!differs) {
    in_time = all.point({.op = Op::kFutexWoken, .object = several.address(0), .ready = is_woken, .pc = pc, .timed = deadline != nullptr, .interruptible = true, .begun = true, .entangled = true});
  }
  // From now on no other thread finds it at any of the words. One of them was the object of this operation.
  for (std::uint32_t i = 0; g_watch.order != nullptr && i < several.queued; ++i)
    if (differs || i > 0) g_watch.order->step(all.running(), static_cast<std::uint32_t>(Op::kFutexWoken), reinterpret_cast<std::uintptr_t>(several.address(i)), true, in_time ? 0 : 1);
  end_waiting();
  self.wait.for_several = false;
  for (std::uint32_t i = count; i-- > 0;) {
    if (!several.woken_at[i]) continue;
    for (std::uint32_t at = 0; at <= i; ++at)
      if (several.woken_at[at]) acquire(several.address(at));
    return i;
  }
  if (differs) return -EAGAIN;
  if (self.signals.interrupted) return -EINTR;
  return in_time ? 0 : -deadline->expire();
}

long wake_some(Word* address, std::uint32_t n, std::uint32_t bits) {
  if (bits == 0) return -EINVAL;
  if (waits_for_lock(address)) return -EINVAL;
  release(address);
  return wake(n, [&](const Thread& thread) { return waits_at(thread, address, bits); }, [&](Thread& thread, std::uint32_t) { tell_where(thread, address); });
}

long requeue(Word* from, Word* to, std::uint32_t wakes, std::uint32_t moves, const Word* expected, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kFutexWake, .object = from, .also = to, .size = sizeof(*from), .pc = pc, .entangled = true});
  if (static_cast<std::int32_t>(wakes) < 0 || static_cast<std::int32_t>(moves) < 0) return -EINVAL;
  if (expected != nullptr && *from != *expected) return -EAGAIN;
  const long woken = wake_some(from, wakes, FUTEX_BITSET_MATCH_ANY);
  if (woken < 0) return woken;
  const std::uint32_t moved = choose_waiting(
      moves, [&](const Thread& thread) { return !thread.wait.for_several && waits_at(thread, from, FUTEX_BITSET_MATCH_ANY); },
      [&](Thread& thread, std::uint32_t) {
        thread.wait.on = to;
        thread.pending.also = to;  // what wakes it now
      });
  return expected != nullptr ? woken + moved : woken;
}

std::int32_t sign_extended(std::uint32_t twelve_bits) { return static_cast<std::int32_t>(twelve_bits << 20) >> 20; }

/// FUTEX_WAKE_OP: changes the second word; wakes at the first, and at the second if that was as the caller expects.
long wake_and_change(Word* first, Word* second, std::uint32_t n, std::uint32_t m, std::uint32_t code, std::uintptr_t pc) {
  scheduler().point({.op = Op::kFutexWake, .object = first, .also = second, .size = sizeof(*first), .pc = pc});
  const std::uint32_t operation = code >> 28, comparison = code >> 24 & 0xf;
  std::int32_t operand = sign_extended(code >> 12 & 0xfff);
  const std::int32_t compared = sign_extended(code & 0xfff);
  if ((operation & FUTEX_OP_OPARG_SHIFT) != 0) operand = static_cast<std::int32_t>(1u << (static_cast<std::uint32_t>(operand) & 31));
  const auto before = static_cast<std::int32_t>(*second);
  std::int32_t after = 0;
  switch (operation & ~std::uint32_t{FUTEX_OP_OPARG_SHIFT}) {
    case FUTEX_OP_SET: after = operand; break;
    case FUTEX_OP_ADD: after = static_cast<std::int32_t>(static_cast<Word>(before) + static_cast<Word>(operand)); break;
    case FUTEX_OP_OR: after = before | operand; break;
    case FUTEX_OP_ANDN: after = before & ~operand; break;
    case FUTEX_OP_XOR: after = before ^ operand; break;
    default: return -ENOSYS;
  }
  bool holds = false;
  switch (comparison) {
    case FUTEX_OP_CMP_EQ: holds = before == compared; break;
    case FUTEX_OP_CMP_NE: holds = before != compared; break;
    case FUTEX_OP_CMP_LT: holds = before < compared; break;
    case FUTEX_OP_CMP_LE: holds = before <= compared; break;
    case FUTEX_OP_CMP_GT: holds = before > compared; break;
    case FUTEX_OP_CMP_GE: holds = before >= compared; break;
    default: return -ENOSYS;
  }
  *second = static_cast<Word>(after);
  scheduler().saw(before, after);
  release(second);
  const long woken = wake_some(first, n, FUTEX_BITSET_MATCH_ANY);
  if (woken < 0 || !holds) return woken;
  const long more = wake_some(second, m, FUTEX_BITSET_MATCH_ANY);
  return more < 0 ? more : woken + more;
}

/// An absolute time, or none.
template <class F>
long until(clockid_t clock, const timespec* time, const F& f) {
  if (time == nullptr) return f(nullptr);
  const Deadline deadline(clock, time);
  return f(&deadline);
}

}  // namespace

long futex(const long (&arguments)[6], std::uintptr_t pc) {
  auto* const address = word(arguments[0]);
  auto* const other = word(arguments[4]);
  const int operation = static_cast<int>(arguments[1]);
  const auto value = static_cast<std::uint32_t>(arguments[2]);
  const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
  const auto second = static_cast<std::uint32_t>(arguments[3]);
  const auto last = static_cast<std::uint32_t>(arguments[5]);
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: {
      const timespec relative = time == nullptr ? timespec{} : after(clock, *time);
      return until(clock, time == nullptr ? nullptr : &relative, [&](const Deadline* end) { return wait(address, value, end, FUTEX_BITSET_MATCH_ANY, pc); });
    }
    case FUTEX_WAIT_BITSET: return until(clock, time, [&](const Deadline* end) { return wait(address, value, end, last, pc); });
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      scheduler().point({.op = Op::kFutexWake, .object = address, .size = sizeof(*address), .pc = pc});
      return wake_some(address, value, (operation & FUTEX_CMD_MASK) == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : last);
    case FUTEX_WAKE_OP: return wake_and_change(address, other, value, second, last, pc);
    case FUTEX_REQUEUE: return requeue(address, other, value, second, nullptr, pc);
    case FUTEX_CMP_REQUEUE: return requeue(address, other, value, second, &last, pc);
    case FUTEX_LOCK_PI: return until(CLOCK_REALTIME, time, [&](const Deadline* end) { return lock_pi(address, end, pc); });
    case FUTEX_LOCK_PI2: return until(clock, time, [&](const Deadline* end) { return lock_pi(address, end, pc); });
    case FUTEX_TRYLOCK_PI: return try_lock_pi(address, pc);
    case FUTEX_UNLOCK_PI: return unlock_pi(address, pc);
    case FUTEX_WAIT_REQUEUE_PI: return until(clock, time, [&](const Deadline* end) { return wait_requeue_pi(address, value, other, end, pc); });
    case FUTEX_CMP_REQUEUE_PI: return requeue_pi(address, other, value, second, last, pc);
    default:
      admit("the program calls futex with an operation that Tarry does not know: it was refused with ENOSYS");
      return -ENOSYS;
  }
}

long futex_wait_any(const long (&arguments)[6], std::uintptr_t pc) {
  if (arguments[2] != 0) return -EINVAL;
  const auto clock = static_cast<clockid_t>(arguments[4]);
  if (arguments[3] != 0 && clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) return -EINVAL;
  return until(clock, reinterpret_cast<const timespec*>(arguments[3]), [&](const Deadline* end) {
    return wait_for_any(reinterpret_cast<const futex_waitv*>(arguments[0]), static_cast<std::uint32_t>(arguments[1]), end, pc);
  });
}

}  // namespace tarry::native::rt
