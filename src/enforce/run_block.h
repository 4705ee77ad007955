// Data that `tarry run` and the run-time library in the program share: the mode of enforcement, and the result. It is in separate
// memory that outlives the program.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::enforce {

/// The environment variable that names the descriptors of the set and of the block: "3:4"; or "record:3": nothing is enforced, and
/// the events of the run are written there.
inline constexpr const char* kRunVariable = "TARRY_ENFORCE";
inline constexpr std::uint32_t kRunMagic = 0x54525232;

/// The largest number of events of a run that is recorded.
inline constexpr std::uint64_t kMostRecorded = 1 << 17;

/// The program's exit code if it was ended because of an unverified event.
inline constexpr int kUnverifiedExit = 125;

enum class OnUnverified : std::uint32_t { kAbort, kSerialize, kAllow };

/// The first unverified event.
struct Unverified {
  enum class Why : std::uint32_t { kNothing, kOtherEvent, kNoEvent, kStuck, kAsleep, kOutOfScope, kInput, kEntry };
  Why why = Why::kNothing;
  std::uint32_t thread = 0;
  std::uint32_t kind = 0;         // the kind of the event
  std::uint32_t expected = 0;     // an event of the set, or ~0; kEntry: the footprint that is most like the present values
  std::uint32_t module = 0;       // the place of the event: a module of the set; ~0: another module
  std::uint32_t cell = 0;         // kEntry: the first one of the set with another value
  std::uint64_t offset = 0;
  std::int64_t value = 0;         // kInput, kEntry: the present one
  char text[256] = {};            // kOutOfScope: the name of a function; kInput: that of the input; kEntry: that of the region; or a module that the set does not have
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
  std::atomic<std::uint32_t> taken;       // the number of the set that the program runs on: 0 is the first one
  Unverified first;
  std::atomic<std::uint64_t> events, waits, slept, nanoseconds;
  std::uint64_t trace;             // the trace of the run, or of its last region: a hash of the children that it chose
  std::atomic<std::uint64_t> regions;
  // Sets that replace the first one while a program with regions runs. A new one is published when the one before was taken. Then `taken` is written by the
  // program, all else by `tarry run`.
  std::atomic<std::uint32_t> published;  // the number of the newest set
  std::uint32_t labels;            // of the first set
  std::uint64_t window;            // bytes of the file of sets that the program maps: the file may grow up to there; 0: it does not grow
  std::uint64_t at;                // where the newest set is in the file
  WaitedFor waited[1];             // by label of the set
};

inline std::uint64_t size_of_block(std::uint64_t labels) { return sizeof(RunBlock) + labels * sizeof(WaitedFor); }

}  // namespace tarry::enforce
