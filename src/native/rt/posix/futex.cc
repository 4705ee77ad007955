// Futexes: waiting for a word to change. To look at the word and begin to wait is one operation, to go on after being woken another. Which of
// several threads a wake-up wakes is a choice of the search. Threads are looked for by the word's address; bit sets narrow that down.
#include "native/rt/posix/futex.h"

#include <linux/futex.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include "native/rt/happened.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/spin.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {
namespace {

std::uint32_t* word(long address) { return reinterpret_cast<std::uint32_t*>(address); }

long wait(std::uint32_t* address, std::uint32_t expected, const Deadline* deadline, std::uint32_t bits, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (bits == 0 || (deadline != nullptr && !deadline->valid())) return -EINVAL;
  spun_until_futex();
  all.point({.op = Op::kFutexWait, .object = address, .size = sizeof(*address), .pc = pc});
  if (*address != expected) return -EAGAIN;
  if (all.fault()) return -EINTR;
  begin_waiting(address);
  all.self().futex_bits = bits;
  const bool in_time = all.point({.op = Op::kFutexWoken,
                                  .object = address,
                                  .ready = is_woken,
                                  .pc = pc,
                                  .timed = deadline != nullptr,
                                  .interruptible = true});
  end_waiting();
  if (all.self().interrupted) return -EINTR;
  if (!in_time) return -deadline->expire();
  acquire(address);
  return 0;
}

/// With a bit set, only those with a bit in common take part.
long wake_some(std::uint32_t* address, std::uint32_t n, std::uint32_t bits) {
  if (bits == 0) return -EINVAL;
  release(address);
  Scheduler& all = scheduler();
  // Those who do not take part look elsewhere for a moment.
  static constexpr char kElsewhere = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (all.thread(i).waits_on == address && (all.thread(i).futex_bits & bits) == 0) all.thread(i).waits_on = &kElsewhere;
  const std::uint32_t woken = wake(address, n);
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (all.thread(i).waits_on == &kElsewhere) all.thread(i).waits_on = address;
  return woken;
}

long requeue(std::uint32_t* from, std::uint32_t* to, std::uint32_t wakes, std::uint32_t moves, const std::uint32_t* expected, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kFutexWake, .object = from, .also = to, .size = sizeof(*from), .pc = pc});
  if (expected != nullptr && *from != *expected) return -EAGAIN;
  release(from);
  const std::uint32_t woken = wake(from, wakes);
  std::uint32_t moved = 0;
  for (std::uint32_t i = 0; i < all.thread_count() && moved < moves; ++i) {
    Thread& thread = all.thread(i);
    if (thread.waits_on != from || thread.woken) continue;
    thread.waits_on = to;
    ++moved;
  }
  return expected != nullptr ? woken + moved : woken;
}

}  // namespace

long futex(const long (&arguments)[6], std::uintptr_t pc) {
  auto* const address = word(arguments[0]);
  const int operation = static_cast<int>(arguments[1]);
  const auto value = static_cast<std::uint32_t>(arguments[2]);
  const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
  const auto second = static_cast<std::uint32_t>(arguments[3]);
  const auto last = static_cast<std::uint32_t>(arguments[5]);
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: {
      if (time == nullptr) return wait(address, value, nullptr, FUTEX_BITSET_MATCH_ANY, pc);
      const timespec until = after(clock, *time);
      const Deadline deadline(clock, &until);
      return wait(address, value, &deadline, FUTEX_BITSET_MATCH_ANY, pc);
    }
    case FUTEX_WAIT_BITSET: {
      if (time == nullptr) return wait(address, value, nullptr, last, pc);
      const Deadline deadline(clock, time);
      return wait(address, value, &deadline, last, pc);
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      scheduler().point({.op = Op::kFutexWake, .object = address, .size = sizeof(*address), .pc = pc});
      return wake_some(address, value, (operation & FUTEX_CMD_MASK) == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : last);
    case FUTEX_REQUEUE: return requeue(address, word(arguments[4]), value, second, nullptr, pc);
    case FUTEX_CMP_REQUEUE: return requeue(address, word(arguments[4]), value, second, &last, pc);
    default: return -ENOSYS;  // of priority inheritance, and FUTEX_WAKE_OP
  }
}

}  // namespace tarry::native::rt
