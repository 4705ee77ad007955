// The threads of the program, and the point at which one of them stops and another goes on.
//
// A thread that comes to an operation on something that threads share publishes the operation and hands the turn to the engine, which asks the policy
// who is next. When the thread gets the turn it performs the operation and runs on to its next one: that is one step. Who can run is asked of the
// pending operations at every point, so an operation is enabled or not by the state at that time.
//
// Primitives (rt/posix/…) are written with `point`, `decide` and `fail`, and keep their state in the program's own objects, so that it is
// reset with them and static initializers work.
#pragma once

#include <sched.h>
#include <pthread.h>

#include <array>
#include <csetjmp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/execution.h"
#include "native/abi/messages.h"
#include "native/rt/await.h"
#include "native/rt/effects/actions.h"
#include "native/rt/heap.h"
#include "native/rt/operation.h"
#include "native/rt/pool.h"
#include "native/rt/side.h"

namespace tarry::native::rt {

/// A destructor of a thread_local object.
struct ThreadDestructor {
  void (*function)(void*);
  void* object;
};

/// Loads of one object and nothing else but yields: what a thread does before it sleeps in a futex (spin.h).
struct Spin {
  static constexpr std::uint32_t kPlaces = 12;
  const void* object = nullptr;
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  std::uint32_t place_count = 0;
  std::uint32_t yields = 0;
  bool patient = false;           // many loads came before the first yield
  std::uintptr_t places[kPlaces] = {};
};

/// A thread comes by again and again. How it stood is kept at the first time, the second, the fourth, …
struct Recurrence {
  std::uint32_t times = 0, kept_next = 1, recurred = 0;
  std::uint64_t stood = 0;

  /// It stands so. True: it stood so before, this time or one of the last. 0: that is not known.
  bool comes_again(std::uint64_t stands);
};

/// To take several things that others want, too (attempts.h).
struct Attempts {
  const void* refused = nullptr;  // at the last one
  bool gave_back = false;         // something, since
  bool only_looked = false;       // it may have been no attempt at all
  Contest contest = Contest::kNone;  // after the step that it takes
  static constexpr std::uint32_t kKept = 16;
  std::uint64_t stood[kKept] = {};  // when it backed off the last times
  std::uint32_t times = 0;

  /// It backs off, standing so. True: it has stood so before.
  bool backs_off_again(std::uint64_t stands);
};

/// What the program told us to pass over, by annotations (annotations.cc): how often it began.
struct Ignored {
  std::uint32_t reads = 0, writes = 0, synchronisation = 0;
};

/// A thread of the program. Number 0 is main's; numbers are never used twice in an execution.
struct Thread {
  enum class State : std::uint8_t { kUnused, kAlive, kEnded, kJoined };

  Context context;
  Borrowed* borrowed = nullptr;   // nullptr: main's own
  State state = State::kUnused;
  bool detached = false;
  bool of_runtime = false;        // not one of the program: that of its timers
  bool timed_out = false;         // the last point ended by its time-out
  bool yielded = false;           // in the step that it takes
  bool woken = false;             // by what it waits for in `waits_on`
  const void* waits_on = nullptr; // a condition variable or a futex word
  std::uint32_t futex_bits = 0;   // that it waits for (posix/futex.cc)
  const void* listens_to = nullptr;  // an atomic object that it is about to wait for, and whether it was notified since (posix/atomic_wait.cc)
  bool heard = false;
  bool waits_for_several = false; // futex words: `waits_on` says which
  Operation pending;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  std::size_t stack_size = 0;     // that it asked for; 0: the usual
  char name[16] = {};
  std::vector<ThreadDestructor> destructors;
  // Ending in the middle (pthread_exit, cancellation): where its first frame is, and the C cleanup handlers.
  std::jmp_buf exit_jump;
  void* exit_frame = nullptr;
  void* cleanup = nullptr;        // __pthread_unwind_buf_t*
  bool exiting = false;
  bool cancel_enabled = true, cancel_asynchronous = false, cancel_requested = false;
  // Signals that other threads sent, as sets (bit n: signal n + 1).
  std::uint64_t signals_blocked = 0, signals_pending = 0;
  std::uint32_t steps = 0;        // that it has begun
  std::uint32_t idle_steps = 0;   // of these: it went round in a loop, and only looked (await.h)
  // Of the first signal that is pending: who sent it and in which step of its own, and how many steps were taken ahead of the handler.
  std::uint32_t signalled_by = ~std::uint32_t{0}, signalled_at = 0, signal_passed = 0;
  bool interrupted = false;       // the last point ended by a handler
  const char* handler_stack = nullptr;  // where that of the outermost handler begins; nullptr: it is in none
  const void* handler_frame = nullptr;  // of a handler of a crash that it may be in (crash.cc)
  Ignored ignored;
  std::uint64_t time = 0;         // nanoseconds that have passed for it (time/clock.h)
  std::uint64_t time_seen = 0;    // by what others did, or its own (time/common_time.h)
  std::uint64_t clock_reads = 0;
  std::uint64_t latest_deadline = 0;  // that it has seen, as a time of its own
  std::uint64_t held_up = 0;       // of its time: it did not run, and its processor time did not pass
  std::uint64_t wakes_at = 0;      // its time when it ends to sleep, if it uses timers (time/timers.h)
  std::uint64_t random = 0;       // numbers that it has drawn (time/random.cc)
  void* robust = nullptr;         // the first robust mutex that it has locked (posix/mutex.cc)
  bool knows_number = false;      // so it may have locks that hold it (posix/futex_pi.cc)
  Spin spin;
  // Waiting in loops (await.h).
  bool quiet = false;             // it only looked, since it came by some place
  bool collecting = false;        // what it reads is kept
  std::uint64_t stands = 0;       // how it stands at its point, where that was asked for
  std::uint64_t digest = 0;       // of what it read, where executions are compared
  Recurrence yields;              // how it stood at them
  Attempts attempts;

  bool cancel_due() const { return cancel_requested && cancel_enabled && !exiting; }
  bool signal_due() const { return (signals_pending & ~signals_blocked) != 0; }
  /// By a signal or a request to cancel it, not by what it waits for.
  bool woken_from_outside() const { return signal_due() || (pending.cancellable && cancel_due()); }

  void clear();
};

/// A function that is being executed: where it goes on, and where its part of the stack begins; the next one's begins where it ends.
struct Frame {
  std::uintptr_t pc;
  std::uintptr_t from;
};

/// What is wrong, found by the running thread.
struct Failure {
  FindingKind kind;
  std::string message;            // may hold {0}, {1} … for `places`
  std::uintptr_t pc = 0;          // 0: the innermost frame of the program's own code
  std::vector<std::uintptr_t> places = {};
  std::vector<std::uintptr_t> stack = {};
  std::vector<std::uint32_t> threads = {};  // concerned, where that is not only the running one
  // Recording: what RawFinding has of these names.
  std::string told = {};
  std::vector<RecordedObject> objects = {};
  std::vector<std::vector<std::uintptr_t>> stacks = {};
};

class Scheduler {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  // ---- for the program's side: the running thread

  Thread& self() { return threads_[running_]; }
  std::uint32_t running() const { return running_; }

  /// Lets others run; returns when the thread is to perform the operation. False: it was not ready, and its time is out, or the thread was
  /// cancelled (Thread::cancel_due), or a handler of a signal ran (Thread::interrupted).
  bool point(const Operation& operation);
  /// A number below n, as the search says. No point if n < 2.
  std::uint32_t decide(std::uint32_t n);
  /// Whether something happens that the standards allow and seldom does: as the search says if the user asked for it, else false.
  bool spurious() { return allow_spurious && decide(2) == 1; }
  /// Whether a call fails that can fail for want of memory, of threads, or by a signal: as the search says if the user asked for it.
  bool fault() { return allow_faults && decide(2) == 1; }
  /// The value that an operation read, or replaced by another: for traces.
  /// How an attempt ended, in words: for traces.
  void came_to(const char* words) { if (recording) [[unlikely]] record_words(words); }
  template <class T>
  void saw(T value) { if (recording) [[unlikely]] record_values(static_cast<std::uint64_t>(value), nullptr); }
  template <class T>
  void saw(T before, T after) {
    const auto next = static_cast<std::uint64_t>(after);
    if (recording) [[unlikely]] record_values(static_cast<std::uint64_t>(before), &next);
  }
  /// The execution ends here with a bug.
  [[noreturn]] void fail(Failure failure);
  /// A bug that does not end the execution: a race, a mistake that is only reported.
  void note(Failure failure);
  /// The execution ends here, all is well.
  [[noreturn]] void finish(int exit_code);

  /// The execution is cut here, and is to be run again under other conditions (`starved`).
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

  void seal() { if (seals_++ == 0) sealed_by_ = running_; sealed_ever_ = true; }
  void unseal() { if (seals_ > 0 && sealed_by_ == running_ && --seals_ == 0) sealed_by_ = kNobody; }

  // ---- for both

  Thread& thread(std::uint32_t i) { return threads_[i]; }
  const Thread& thread(std::uint32_t i) const { return threads_[i]; }
  std::uint32_t thread_count() const { return count_; }  // ever started in this execution
  /// No other thread is there, nor a timer that is set.
  bool alone() const;

  // ---- for the engine's side

  /// Main's thread is the one that calls; the controller is to run `engine` on a stack of its own. Does not return until the engine
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
  /// The last survey found nobody who can run, but this one waits in a loop and is to look once more.
  bool looks_again(std::uint32_t thread) const { return looking_again_ && awaits(threads_[thread]); }
  std::uint32_t capacity() const { return capacity_; }
  /// A thread was wanted that the pool has not got: the execution was cut, and is to be run again after `grow`.
  bool starved() const { return starved_; }
  bool grow();
  bool was_called_off() const { return called_off_; }

  const Borrowed& controller() const { return controller_; }
  /// The process of the execution is gone, while the program ran: this is how the execution ended. Where the engine goes on.
  Context died_in_program(int status);

  int exit_code() const { return exit_code_; }
  bool failed() const { return failed_; }
  const Failure& failure() const { return failure_; }
  std::vector<Failure>& notes() { return notes_; }
  bool sealed_ever() const { return sealed_ever_; }
  /// In some execution threads were still there when the program ended.
  bool left_running() const { return left_running_; }

  bool recording = false;       // stacks and values are kept for a trace
  bool allow_spurious = false;
  bool allow_faults = false;
  bool allow_awaits = true;
  Samaritan selfish = Samaritan::kNote;  // what it is to wait in a loop without yielding
  bool compares = false;        // the execution is long: what steps read, and how threads stand after them, is told
  bool lenient = false;         // a schedule is followed: a thread that waits in a loop may go round once more
  std::uint32_t clock_jumps = 0;  // RunOptions
  /// Recording: of the operation that a thread is to perform next, innermost frame first.
  const std::vector<Frame>& point_stack(std::uint32_t thread) const { return point_stacks_[thread]; }
  /// Whose stack an address lies on; kNobody if on none.
  std::uint32_t owner_of_stack(const void* address) const;
  struct StackOf {
    std::uintptr_t low, base;
  };
  StackOf stack_of(std::uint32_t thread) const;
  std::string take_values() { return std::move(values_); }

  Pages& pages() { return pages_; }

 private:
  bool point_before_main(const Operation& operation);
  void give_turn(Turn turn);
  bool let_look_again(Survey& out) const;
  bool attend(Thread& thread);
  void record_stack();
  void look_at_self();
  void record_words(const char* words);
  void record_values(std::uint64_t before, const std::uint64_t* after);
  Turn resume(std::uint32_t thread);
  static void thread_body(void* raw);
  void begin_thread(std::uint32_t number, void* (*function)(void*), void* argument);
  void protect_stack(const Borrowed& borrowed);

  std::array<Thread, kMaxThreads> threads_;
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
  bool failed_ = false, exited_ = false, starved_ = false, called_off_ = false, sealed_ever_ = false, left_running_ = false;
  int exit_code_ = 0;
  std::uint32_t seals_ = 0, sealed_by_ = kNobody;
  Failure failure_;
  std::vector<Failure> notes_;
  std::string values_;                                       // recording: of the step that runs
  std::array<std::vector<Frame>, kMaxThreads> point_stacks_;  // recording: of the pending operations

  Pool pool_;
  std::array<Borrowed, kMaxThreads> borrowed_;
  Borrowed controller_;
  Context controller_context_;
  Pages pages_;

  // Main's own thread at the baseline.
  Context main_context_;
  char* main_stack_from_ = nullptr;
  char* main_stack_to_ = nullptr;
  char* main_stack_image_ = nullptr;
  char* main_tls_from_ = nullptr;
  char* main_tls_to_ = nullptr;
  char* main_tls_image_ = nullptr;
  std::vector<ThreadDestructor> main_destructors_;
  /// What constructors have left to main's thread, of which Thread says what it is.
  struct MainState {
    std::uint64_t signals_blocked = 0, signals_pending = 0;
    bool cancel_enabled = true, cancel_asynchronous = false, knows_number = false;
    void* robust = nullptr;
    char name[16] = {};
  };
  MainState main_state_;
};

extern Scheduler* g_scheduler;  // nullptr: nobody has asked for it yet
Scheduler& make_scheduler();
inline Scheduler& scheduler() { return g_scheduler == nullptr ? make_scheduler() : *g_scheduler; }

/// A value in a trace: addresses and the like in hexadecimal.
std::string number_text(std::uint64_t value);

/// "main", "thread 2", "timer".
std::string name_of_thread(std::uint32_t number);

/// Of the program's thread that runs; 0 where none does.
std::uint32_t running_thread();

/// Of a system call: the place in the program, as the call itself is in libc. `pc` if there is none.
std::uintptr_t calling_place(std::uintptr_t pc);

/// Frames of the calling thread, innermost first.
std::vector<Frame> frames_here();
/// Of these, places in the program: without the runtime's own.
std::vector<std::uintptr_t> places_of(const std::vector<Frame>& frames);
inline std::vector<std::uintptr_t> backtrace() { return places_of(frames_here()); }

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
    thread.interrupted = false;
    if (!operation.looks) thread.quiet = thread.collecting = false;
    if (recording) [[unlikely]] record_stack();
    if (compares || operation.yields || operation.timed) [[unlikely]] look_at_self();
  }
  give_turn(Turn::kPoint);
  Thread& thread = self();
  if ((thread.signals_pending != 0) | thread.cancel_requested | signals_came()) [[unlikely]] return attend(thread);
  return !thread.timed_out;
}

[[gnu::always_inline]] inline Scheduler::Turn Scheduler::resume(std::uint32_t number) {
  running_ = number;
  g_collecting = threads_[number].collecting || compares;
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
