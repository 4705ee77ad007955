// The run-time library of enforcement: what a thread does when it comes to an event.
//
// The functions that the program calls (rt/posix.cc, rt/tsan.cc) are `enter`, what the library or the machine does, `leave`. `enter` comes back when some
// admissible trace has the event next. It spins first and sleeps later; no thread but the program's own has a part in it.
#pragma once

#include <atomic>
#include <cstdint>

#include "enforce/kind.h"

namespace tarry::enforce::rt {

enum class Mode : std::uint32_t {
  kOff,        // before main, or the program was not started by `tarry run`
  kEnforce,
  kSerialize,  // the run has left the set: one thread at a time from here on
  kAllow,      // the same, and threads run as they like
};
extern std::atomic<Mode> g_mode;

/// What a thread comes to.
struct Actual {
  Kind kind;
  const void* object = nullptr;
  const void* also = nullptr;
  std::uint32_t size = 0;
  std::uintptr_t pc = 0;
  std::uint32_t thread = 0;  // kJoin: whom
};

inline constexpr std::uint32_t kFree = ~std::uint32_t{0};  // nothing is enforced

/// Is anything asked of this thread?
bool is_enforced();
/// Waits until the event may go; its number, or kFree.
std::uint32_t enter(const Actual& actual);
/// What it stands for is done.
void leave(std::uint32_t event);
/// A plain access may go; it is done when the thread calls the library again.
void access(const Actual& actual);
void complete_access();

/// An event around what a scope does.
class Step {
 public:
  explicit Step(const Actual& actual) : event_(enter(actual)) {}
  ~Step() { leave(event_); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  bool free() const { return event_ == kFree; }

 private:
  std::uint32_t event_;
};

/// The program waits for somebody else in a call that is not enforced: where threads run one at a time, another one may.
class Blocking {
 public:
  explicit Blocking(bool free);
  ~Blocking();
  Blocking(const Blocking&) = delete;
  Blocking& operator=(const Blocking&) = delete;

 private:
  bool gave_;
};

/// The program calls a function that no admissible trace can have.
void out_of_scope(const char* function, std::uintptr_t pc);

// Threads of the program. Number 0 is main's; others are numbered as they are created.
void begin_main(int argc, char** argv);
std::uint32_t new_thread();        // by the thread that creates it, before it does
void begin_thread(std::uint32_t number);
void end_thread();
std::uint32_t number_of_self();

/// The program ends: the log is written. May be called again.
void finish();

/// Memory is given back: what was at these addresses is no more.
void forget_memory(const void* from, std::uintptr_t size);
bool remembers_memory();

/// Plain accesses at this place are events.
extern bool g_has_points;
bool is_point(std::uintptr_t pc);

}  // namespace tarry::enforce::rt
