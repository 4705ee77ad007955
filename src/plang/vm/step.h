// What one step of a machine comes to: a pure function of the machine's configuration, its inbox and its data choices.
//
// What it does to others is a list of effects; space.cc, which has the whole state, applies them. Since nothing else goes in, a step
// can be remembered and need not be run again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/finding_kind.h"
#include "plang/syntax/ast.h"
#include "plang/vm/value.h"

namespace tarry::plang {

/// A configuration as a word of the state: its number in the pool, and how it stands.
enum class Standing : std::uint32_t { kAbsent, kReady, kIdle, kBlocked, kHalted };
inline constexpr std::uint32_t config_word(std::uint32_t id, Standing standing) { return id << 3 | static_cast<std::uint32_t>(standing); }
inline constexpr std::uint32_t config_id(std::uint32_t word) { return word >> 3; }
inline constexpr Standing standing(std::uint32_t word) { return static_cast<Standing>(word & 7); }
inline constexpr std::uint32_t kHaltedWord = static_cast<std::uint32_t>(Standing::kHalted);
/// Of monitors: bit 0 is set in a hot state.
inline constexpr std::uint32_t monitor_word(std::uint32_t id, bool hot) { return id << 1 | (hot ? 1 : 0); }
inline constexpr bool is_hot(std::uint32_t monitor_word) { return (monitor_word & 1) != 0; }

/// A bug that a step ran into.
struct Failure {
  const char* r_class = "";  // "R01"
  FindingKind kind;          // of the finding
  std::string message;
  Place place;
};

struct Effect {
  enum class Kind : std::uint8_t {
    kEnqueue,   // a: slot, b: message
    kSelf,      // the same to the machine itself: done already
    kObserve,   // a: interface of the machine, b: message
    kCreate,    // a: slot, b: word of its configuration
  };
  Kind kind;
  std::uint32_t a = 0, b = 0;
  std::uint32_t steps = 0;  // of the reference, counted up to here
  std::uint32_t log = 0;    // entries of the log before it
};

struct StepResult {
  enum class End : std::uint8_t { kMoved, kNeedsValue, kFailed };
  End end = End::kMoved;
  std::uint32_t config = 0;   // word
  std::uint32_t inbox = 0;
  bool exclusive = false;     // a data choice comes next: no other machine may run before
  std::uint32_t arity = 0;    // kNeedsValue
  std::uint32_t steps = 0;    // of the reference: decisions and choices
  std::uint32_t passed = 0;   // scheduling points that were passed over
  std::vector<Effect> effects;
  std::vector<std::uint32_t> values, arities;  // data choices with more than one value, in order
  std::uint32_t fair = 0;     // bit i: the i-th value is of a `$$`
  Failure failure;
};

/// What happened, for people. Kept only if the caller asked for it.
enum class Act : std::uint8_t {
  kPoint,  // one of the reference's scheduling points that was passed over
  kCreate, kSend, kDequeue, kWait, kReceive, kEnter, kExit, kRaise, kGoto, kAnnounce, kObserve, kDefault, kChoose, kPrint, kHalt, kUnhandled,
};

struct LogEntry {
  Act act{};
  bool of_monitor = false;
  std::uint32_t who = 0;       // slot, or number of the monitor
  std::uint32_t other = 0;     // kSend: target; kCreate: the new one; kChoose: of how many (0 if it is a boolean)
  std::uint32_t event = 0;
  Value payload{};             // interned
  const State* state = nullptr;
  std::string text;            // kPrint, kChoose: the value; kGoto: the state; kHalt: events in the inbox; kWait: what for
  bool flag = false;           // kReceive: was blocked; kChoose: a boolean
  Place place;
};

}  // namespace tarry::plang
