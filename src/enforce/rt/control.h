// The run-time library of enforcement: what a thread does at an event.
//
// The functions that the program calls (rt/posix.cc, rt/tsan.cc) consist of `enter`, the operation of the library or the machine,
// and `leave`. `enter` returns when some admissible trace has the event next. It spins first and sleeps later. Only the program's
// own threads take part.
#pragma once

#include <atomic>
#include <cstdint>

#include "enforce/kind.h"

namespace tarry::enforce::rt {

enum class Mode : std::uint32_t {
  kOff,        // before main, or the program was not started by `tarry run`
  kRecord,     // threads run without control, and their events are written down (`tarry verify`)
  kOutside,    // the program has regions, and is in none
  kEnforce,
  kSerialize,  // the run has left the set: from here on threads run one at a time
  kAllow,      // the same, but threads run without control
};
extern std::atomic<Mode> g_mode;

/// The event that a thread reaches.
struct Actual {
  Kind kind;
  const void* object = nullptr;
  const void* also = nullptr;
  std::uint32_t size = 0;
  std::uintptr_t pc = 0;
  std::uint32_t thread = 0;  // kJoin: the joined thread
  std::int64_t value = 0;    // kInput; kEnterRegion: the number of the footprint
  std::uint64_t deadline = 0;  // is_timed(kind): when its time is over, by nanoseconds(); its size is the outcome, which the trace has
};

inline constexpr std::uint32_t kFree = ~std::uint32_t{0};  // nothing is enforced

/// Returns whether this thread is under enforcement.
bool is_enforced();
/// Returns the time of CLOCK_MONOTONIC.
std::uint64_t nanoseconds();
/// Returns whether the event is a wait whose time is over.
bool is_expired(std::uint32_t event);
/// Returns whether events of this thread are only written down.
bool is_recorded();
/// Waits until the event may proceed. Returns its number, or kFree.
std::uint32_t enter(const Actual& actual);
/// Records that the operation of the event is done.
void leave(std::uint32_t event);
/// Reports the value of a declared input. Only traces that were verified with this value remain.
void input(const char* name, std::int64_t value, std::uintptr_t pc);
/// Waits until a plain access may proceed. It is done when the thread calls the library again.
void access(const Actual& actual);
void complete_access();

/// An event around the operation of a scope.
class Step {
 public:
  explicit Step(const Actual& actual) : event_(enter(actual)) {}
  ~Step() { leave(event_); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  bool free() const { return event_ == kFree; }
  bool expired() const { return is_expired(event_); }

 private:
  std::uint32_t event_;
};

/// Marks a scope in which the program waits in a call that is not enforced: if threads run one at a time, another thread may run.
class Blocking {
 public:
  explicit Blocking(bool free);
  ~Blocking();
  Blocking(const Blocking&) = delete;
  Blocking& operator=(const Blocking&) = delete;

 private:
  bool gave_;
};

/// Marks a call in which the thread sleeps. Sleeping is no event. But if no admissible trace has it here, the thread is on a path that was not verified, and may
/// sleep for long while others wait for it.
class Sleep {
 public:
  Sleep();
  ~Sleep();
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;

 private:
  bool unforeseen_ = false;
};

/// Reports a call of a function that no admissible trace can have.
void out_of_scope(const char* function, std::uintptr_t pc);
/// Reports the creation of a thread that is in no region of a program with regions.
void creates_thread(std::uintptr_t pc);

inline constexpr std::uint32_t kMostThreads = 4096;

// Threads of the program. Number 0 is the main thread; others are numbered in order of creation.
void begin_main();
/// The frame of main (base/main_frame.h).
extern std::uintptr_t g_main_frame;
/// Returns whether threads have numbers: the program was started by `tarry run`, or is recorded.
bool has_threads();
std::uint32_t numbers_given();
std::uint32_t new_thread();        // called by the creating thread, before it creates the thread
void no_thread();                  // it could not be created
void begin_thread(std::uint32_t number);
void end_thread();
std::uint32_t number_of_self();

/// Writes the log at the end of the program. May be called again.
void finish();

/// Forgets the objects at these addresses, because their memory is freed.
void forget_memory(const void* from, std::uintptr_t size);
bool remembers_memory();

/// True if some plain accesses are events.
extern bool g_has_points;
bool is_point(std::uintptr_t pc);

}  // namespace tarry::enforce::rt
