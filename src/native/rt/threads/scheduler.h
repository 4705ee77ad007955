// The threads of the program, and the point at which one of them stops and another goes on.
//
// A thread that comes to an operation on something that threads share publishes the operation and hands the turn to the engine, which asks the policy
// for the next thread. When the thread gets the turn it performs the operation and runs on to its next one: that is one step. The pending operations are asked
// at every point which threads can run, so an operation is enabled or not by the state at that time.
//
// Primitives (rt/posix/…) are written with `point`, `decide` and `fail`, and keep their state in the program's own objects, so that it is
// reset with them and static initializers work.
#pragma once

#include <sched.h>
#include <pthread.h>

#include <array>
#include <cstdint>
#include <string>

#include "core/execution.h"
#include "native/rt/base/execution_end.h"
#include "native/rt/base/frames.h"
#include "native/rt/base/heap.h"
#include "native/rt/base/operation.h"
#include "native/rt/base/outside_signals.h"
#include "native/rt/base/pool.h"
#include "native/rt/base/recorded_points.h"
#include "native/rt/base/run_rules.h"
#include "native/rt/base/runtime.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/program_thread.h"

namespace tarry::native::rt {

class Scheduler {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  // ---- for the program's side: the running thread

  Thread& self() { return threads_[running_]; }
  std::uint32_t running() const { return running_; }

  /// Lets others run; returns when the thread is to perform the operation. False: it was not ready, and its time is out, or the thread was
  /// cancelled (Thread::cancel_due), or a handler of a signal ran (SignalsOfThread::interrupted).
  bool point(const Operation& operation);
  /// A number below n, as the search says. No point if n < 2.
  std::uint32_t decide(std::uint32_t n);
  /// Whether something happens that the standards allow and seldom does: as the search says if the user asked for it, else false.
  bool spurious() { return run_rules().spurious && decide(2) == 1; }
  /// Whether a call fails that can fail for want of memory, of threads, or by a signal: as the search says if the user asked for it.
  bool fault() { return run_rules().faults && decide(2) == 1; }
  /// How an attempt ended, in words: for traces.
  void came_to(const char* words) { if (recording) [[unlikely]] recorded_points().keep_words(words); }
  /// The value that an operation read, or replaced by another: for traces.
  template <class T>
  void saw(T value) { if (recording) [[unlikely]] recorded_points().keep_values(static_cast<std::uint64_t>(value), nullptr); }
  template <class T>
  void saw(T before, T after) {
    const auto next = static_cast<std::uint64_t>(after);
    if (recording) [[unlikely]] recorded_points().keep_values(static_cast<std::uint64_t>(before), &next);
  }
  /// The execution ends here with a bug.
  [[noreturn]] void fail(Failure failure);
  /// A bug that does not end the execution: a race, a mistake that is only reported.
  void note(Failure failure);
  /// The execution ends here, all is well.
  [[noreturn]] void finish(int exit_code);

  /// Cuts the execution here; it is repeated under other conditions (ExecutionEnd::starved).
  [[noreturn]] void begin_again();
  /// The execution is cut here, and none follows it (called_off.h).
  [[noreturn]] void call_off();

  /// A new thread that can run from now on; kNobody if there can be none.
  std::uint32_t start_thread(void* (*function)(void*), void* argument);
  /// Before main, by a constructor: the thread begins with main. Its handle; 0 if there can be none.
  pthread_t start_early(void* (*function)(void*), void* argument, bool detached);
  bool started_early(pthread_t handle) const;
  std::uint32_t early_count() const { return early_count_; }
  /// False: it was not started by a constructor.
  bool detach_early(pthread_t handle);
  bool has_control() const { return capacity_ > 0; }
  /// Called by the thread itself, after its destructors have run.
  [[noreturn]] void end_thread();
  std::uint32_t find(pthread_t handle) const;
  pthread_t handle_of(std::uint32_t thread) const;

  // ---- for both

  Thread& thread(std::uint32_t i) { return threads_[i]; }
  const Thread& thread(std::uint32_t i) const { return threads_[i]; }
  std::uint32_t thread_count() const { return count_; }  // ever started in this execution
  /// No other thread is there, nor a timer that is set.
  bool alone() const;
  /// All other threads have ended and were joined, and no timer was set: what the running thread does comes after all that they did.
  bool joined_all() const;

  // ---- for the engine's side

  /// Called by main's thread; the controller runs `engine` on a stack of its own. Does not return until the engine
  /// lets main's thread run.
  void take_control(Body engine, void* argument);
  /// The first execution starts from here.
  void set_baseline();
  void reset();

  enum class Turn { kPoint, kDecide, kOver };
  /// Runs a thread until it hands back the turn.
  Turn run(std::uint32_t thread);
  /// Goes on with the thread that asked for a number.
  Turn answer(std::uint32_t value);
  std::uint32_t asked() const { return asked_; }       // kDecide: below which number

  bool enabled(std::uint32_t thread) const;
  /// If it ran now, it would find that its time is out.
  bool would_expire(std::uint32_t thread) const;
  void survey(Survey& out);
  /// Returns whether the last survey found no thread that can run, but this thread waits in a loop and looks once more.
  bool looks_again(std::uint32_t thread) const { return looking_again_ && awaits(threads_[thread]); }
  std::uint32_t capacity() const { return capacity_; }
  /// After an execution in which a thread was wanted that the pool has not got, which was cut: makes more. False: there can be no more. Requires: the runtime is reset, and the gate is open (effects/gate.h).
  bool grow();

  const Borrowed& controller() const { return controller_; }
  /// The process of the execution is gone, while the program ran: this is how the execution ended. Where the engine goes on.
  Context died_in_program(int status);

  bool recording = false;       // stacks and values are kept for a trace
  bool compares = false;        // the execution is long: what steps read, and how threads stand after them, is told
  /// Whose stack an address lies on; kNobody if on none.
  std::uint32_t owner_of_stack(const void* address) const;
  struct StackOf {
    std::uintptr_t low, base;
  };
  StackOf stack_of(std::uint32_t thread) const;
  /// A library that was loaded while the program ran asks for it (executable_stacks.h).
  void make_stacks_executable() const;

 private:
  bool point_before_main(const Operation& operation);
  void give_turn(Turn turn);
  bool let_look_again(Survey& out) const;
  bool attend(Thread& thread);
  void record_stack();
  void look_at_self();
  Turn resume(std::uint32_t thread);
  static void thread_body(void* raw);
  void begin_thread(std::uint32_t number, void* (*function)(void*), void* argument);
  void protect_stack(const Borrowed& borrowed);

  std::array<Thread, kMaxThreads> threads_{};
  std::uint32_t count_ = 0;
  std::uint32_t running_ = 0;
  struct Early {
    void* (*function)(void*);
    void* argument;
    bool detached;
    std::uint64_t signals_blocked;
  };
  std::array<Early, kMaxThreads> early_{};  // by thread, from 1
  std::uint32_t early_count_ = 0;
  std::uint32_t capacity_ = 0;          // threads that the pool has, main's included
  Turn turn_ = Turn::kPoint;
  bool looking_again_ = false;
  std::uint32_t asked_ = 0, answered_ = 0;
  /// What constructors have left to main's thread (posix/before_main.h).
  struct LeftToMain {
    SignalsOfThread signals;
    CancelOfThread cancel;
    HeldLocks locks;
    char name[16] = {};
  };
  LeftToMain left_to_main_;

  Pool pool_;
  std::array<Borrowed, kMaxThreads> borrowed_{};
  Borrowed controller_;
  Context controller_context_{.mxcsr = 0, .x87 = 0};  // set before the first turn
};

inline Scheduler& scheduler() { return part<Scheduler>(); }

/// "main", "thread 2", "timer".
std::string name_of_thread(std::uint32_t number);

/// Of the program's thread that runs; 0 where none does.
inline std::uint32_t running_thread() { return scheduler().running(); }

// What every step goes through is in line, so that the operation is built where it is kept and nothing returns on another stack (context.h).

[[gnu::always_inline]] inline void Scheduler::give_turn(Turn turn) {
  turn_ = turn;
  g_side = Side::kEngine;
  switch_context(&self().context, &controller_context_);
}

[[gnu::always_inline]] inline bool Scheduler::point(const Operation& operation) {
  if (!has_control()) [[unlikely]] return point_before_main(operation);
  {
    Thread& thread = self();
    thread.pending = operation;
    thread.pending.thread = running_;
    thread.pending.cancellable |= thread.cancel.in_call;
    thread.signals.interrupted = false;
    if (!operation.looks) thread.looks.quiet = thread.looks.collecting = false;
    if (recording) [[unlikely]] record_stack();
    if (compares || operation.yields || operation.timed) [[unlikely]] look_at_self();
  }
  give_turn(Turn::kPoint);
  Thread& thread = self();
  if ((thread.signals.pending != 0) | thread.cancel.requested | signals_came()) [[unlikely]] return attend(thread);
  return !thread.timed_out;
}

[[gnu::always_inline]] inline Scheduler::Turn Scheduler::resume(std::uint32_t number) {
  running_ = number;
  set_collecting(threads_[number].looks.collecting || compares);
  g_side = Side::kProgram;
  switch_from_usual(&controller_context_, &threads_[number].context);
  g_side = Side::kEngine;
  return turn_;
}

[[gnu::always_inline]] inline Scheduler::Turn Scheduler::run(std::uint32_t number) {
  Thread& thread = threads_[number];
  ++thread.steps;
  thread.timed_out = would_expire(number);
  thread.yielded = thread.pending.yields || thread.timed_out;
  return resume(number);
}

[[gnu::always_inline]] inline Scheduler::Turn Scheduler::answer(std::uint32_t value) {
  answered_ = value;
  return resume(running_);
}

inline bool Scheduler::would_expire(std::uint32_t number) const {
  const Operation& pending = threads_[number].pending;
  return pending.timed && pending.ready != nullptr && !threads_[number].woken_from_outside() && !pending.ready(pending);
}

inline bool Scheduler::enabled(std::uint32_t number) const {
  const Thread& thread = threads_[number];
  if (thread.state != Thread::State::kAlive) return false;
  const Operation& pending = thread.pending;
  if (pending.ready == nullptr || thread.woken_from_outside() || pending.ready(pending)) return true;
  return pending.timed && (pending.may_expire == nullptr || pending.may_expire(pending));
}

}  // namespace tarry::native::rt
