// Threads that wait in a loop: a thread that only reads in a loop is disabled until another thread changes a value that it read.
//
// Recognised by recurrence alone. At two visits of one place (a load, an attempt, a yield) the thread stands the same: callee-saved registers, and
// the stack from its pointer to its base, are equal; and in between it only looked: reads, compare-exchanges that failed, read-modify-writes
// that stored what they found, plain writes that left what they found, attempts to lock that failed, yields, sleeps. As long as every value that it read is unchanged, it would go round
// once more, and nothing else would happen: so it may wait, and no execution is lost. Counters, deadlines and growing pauses are part of how it
// stands, so a poll that gives up is no such loop. Pauses of the processor need not be seen.
//
// - The first place that comes up twice is where the thread is looked at (the anchor). How it stood is kept at the visits 1, 2, 4, 8, … (Brent),
//   so that loops over several slots are found too. An effect ends it all.
// - Places where threads were found to wait are remembered as accesses that race are, and go with traces as those do: from then on the thread
//   is looked at from its first visit on. So executions after that have other points than those before.
// - What is read is compared by value, regardless of the writer and of the time. What the thread reads on its own stack is compared, too.
// - Reads in assembly are not seen: a thread that waits for such a value waits for nothing that is compared. So when no thread can go on, waiting threads look once more
//   if others have run since (may_look_again). Only then: that they might have gone on earlier is not explored.
// - Code that is not instrumented tells no effects: a loop may call fgetc until the file is at its end. So one more round of a loop that was
//   never met before is watched (hidden_state.h). If memory changes in it, the place is remembered as that of a loop that does not wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "native/rt/base/operation.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

struct Thread;

/// A thread comes by again and again. How it stood is kept at the first time, the second, the fourth, …
struct Recurrence {
  std::uint32_t times = 0, kept_next = 0, recurred = 0;
  std::uint64_t stood = 0;

  /// It stands so. True: it stood so before, this time or one of the last. 0: that is not known.
  bool comes_again(std::uint64_t stands);
};

/// Waiting in loops.
struct LooksOfThread {
  bool quiet = false;            // it only looked, since it came by some place
  bool collecting = false;       // what it reads is kept
  std::uint32_t idle_steps = 0;  // it went round in a loop, and only looked
  std::uint64_t stands = 0;      // how it stands at its point, where that was asked for
  std::uint64_t digest = 0;      // of what it read, where executions are compared
  Recurrence yields;             // how it stood at them
};

/// The reads of the running thread are kept, because it may be waiting. So is everything that is told here while executions are compared (`digest`).
struct Collecting {
  bool now = false;
  bool recording = false;  // as Scheduler::recording: stacks are looked at all the time, and what that leaves there must not make a difference

  void reset() { now = false; }
};
inline bool is_collecting() { return part<Collecting>().now; }
inline void set_collecting(bool now) { part<Collecting>().now = now; }

/// The running thread is about to perform an operation that may turn out to be a look. If it waits, `ready` says until when.
void come_by(Operation& operation);
/// It reads these bytes now. Only if is_collecting().
void has_read(const void* at, std::size_t size);
/// The thread is about to write where no other thread looks meanwhile. On its own stack that is part of how it stands; elsewhere it may put there what lay there
/// before (a copy of an index that it refreshes), and if it does not, that is an effect. Only if is_collecting().
void has_written(const void* at, std::size_t size);
/// It has done something that others can notice, or that cannot be undone.
void has_effect();
/// It yields or sleeps. True: that need not count for fairness yet, as the thread is probably about to wait.
bool rests();
/// What the runtime leaves on its stack is not to be part of how it stands.
void scrub();

inline void leave_no_trace() {
  if (part<Collecting>().now || part<Collecting>().recording) [[unlikely]] scrub();
}

/// Does it wait in a loop, now?
bool awaits(const Thread& thread);
/// It waits in a loop, and other threads have run since it looked. Code that is not instrumented, and assembly, may have changed what it looks at: when no other
/// thread can go on, it looks once more before that is called a deadlock.
bool may_look_again(const Thread& thread);
/// What it waits for to change.
std::vector<const void*> awaited(const Thread& thread);
void for_awaited(const Thread& thread, void (*f)(void* context, const void* at, std::size_t size), void* context);
template <class Function>
void for_awaited(const Thread& thread, Function&& f) {
  for_awaited(thread, [](void* context, const void* at, std::size_t size) { (*static_cast<std::remove_reference_t<Function>*>(context))(at, size); }, &f);
}

/// A loop read the time stamp of the processor, which is not controlled: it may go on for longer when a schedule is repeated.
bool time_stamp_mattered();

/// How the running thread stands, as a number: its registers and its stack. 0 if that cannot be told.
std::uint64_t standing();
/// What the thread has read since it was last asked for.
std::uint64_t take_digest(Thread& thread);

}  // namespace tarry::native::rt
