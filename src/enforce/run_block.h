// What `tarry run` and the run-time library in the program share: how to enforce, and what came of it. Memory of its own, which outlives the program.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::enforce {

/// The environment variable that names the two files, of the set and of the block: "3:4".
inline constexpr const char* kRunVariable = "TARRY_ENFORCE";
inline constexpr std::uint32_t kRunMagic = 0x54525231;

/// The program's exit code if it was ended because what it did is not verified.
inline constexpr int kUnverifiedExit = 125;

enum class OnUnverified : std::uint32_t { kAbort, kSerialize, kAllow };

/// The first thing that was not verified.
struct Unverified {
  enum class Why : std::uint32_t { kNothing, kOtherEvent, kNoEvent, kStuck, kOutOfScope };
  Why why = Why::kNothing;
  std::uint32_t thread = 0;
  std::uint32_t kind = 0;         // that the thread came to
  std::uint32_t expected = 0;     // an event of the set, or ~0
  std::uint32_t module = 0;       // where it came to that: a module of the set; ~0: another one
  std::uint32_t unused = 0;
  std::uint64_t offset = 0;
  char text[256] = {};            // kOutOfScope: the name of a function. A module that the set does not have
};

struct WaitedFor {
  std::atomic<std::uint64_t> times, nanoseconds;
};

struct RunBlock {
  std::uint32_t magic;
  OnUnverified on_unverified;
  std::uint32_t log;               // an open file that the log is appended to, plus 1; 0: none
  std::uint32_t disturb;           // up to so many microseconds are passed at random between admission and access, for tests
  std::uint64_t seed;
  std::atomic<std::uint32_t> attached;    // the library is there
  std::atomic<std::uint32_t> finished;    // the program came to its end under enforcement
  std::atomic<std::uint32_t> unverified;  // so many events, at least
  std::uint32_t unused;
  Unverified first;
  std::atomic<std::uint64_t> events, waits, slept, nanoseconds;
  std::uint64_t trace;             // that the run took: the children that it chose, as a hash
  WaitedFor waited[1];             // by label of the set
};

inline std::uint64_t size_of_block(std::uint64_t labels) { return sizeof(RunBlock) + labels * sizeof(WaitedFor); }

}  // namespace tarry::enforce
