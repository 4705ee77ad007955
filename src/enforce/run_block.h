// Data that `tarry run` and the run-time library in the program share: the mode of enforcement, and the result. It is in separate
// memory that outlives the program.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::enforce {

/// The environment variable that names the descriptors of the set and of the block: "3:4"; or "record:3": nothing is enforced, and
/// the events of the run are written there.
inline constexpr const char* kRunVariable = "TARRY_ENFORCE";
inline constexpr std::uint32_t kRunMagic = 0x54525231;

/// The largest number of events of a run that is recorded.
inline constexpr std::uint64_t kMostRecorded = 1 << 17;

/// The program's exit code if it was ended because of an unverified event.
inline constexpr int kUnverifiedExit = 125;

enum class OnUnverified : std::uint32_t { kAbort, kSerialize, kAllow };

/// The first unverified event.
struct Unverified {
  enum class Why : std::uint32_t { kNothing, kOtherEvent, kNoEvent, kStuck, kOutOfScope, kInput };
  Why why = Why::kNothing;
  std::uint32_t thread = 0;
  std::uint32_t kind = 0;         // the kind of the event
  std::uint32_t expected = 0;     // an event of the set, or ~0
  std::uint32_t module = 0;       // the place of the event: a module of the set; ~0: another module
  std::uint32_t unused = 0;
  std::uint64_t offset = 0;
  std::int64_t value = 0;         // kInput
  char text[256] = {};            // kOutOfScope: the name of a function; kInput: that of the input; or a module that the set does not have
};

struct WaitedFor {
  std::atomic<std::uint64_t> times, nanoseconds;
};

struct RunBlock {
  std::uint32_t magic;
  OnUnverified on_unverified;
  std::uint32_t log;               // an open file for the log, plus 1; 0: none
  std::uint32_t disturb;           // for tests: random delays of up to so many microseconds between admission and access
  std::uint64_t seed;
  std::atomic<std::uint32_t> attached;    // the library is loaded
  std::atomic<std::uint32_t> finished;    // the program ended under enforcement
  std::atomic<std::uint32_t> unverified;  // at least so many events
  std::uint32_t unused;
  Unverified first;
  std::atomic<std::uint64_t> events, waits, slept, nanoseconds;
  std::uint64_t trace;             // the trace of the run: a hash of the children that it chose
  WaitedFor waited[1];             // by label of the set
};

inline std::uint64_t size_of_block(std::uint64_t labels) { return sizeof(RunBlock) + labels * sizeof(WaitedFor); }

}  // namespace tarry::enforce
