// The reference interpreter of P: section 4 of the language reference, walked over the checked tree, slowly and plainly.
//
// It is the second opinion that the bytecode machine is compared with, and shares nothing with it but the front end. Values are
// copied at every turn, every machine has a stack of its own, and each rule is written down once, where the reference has it.
// Scheduling points are all those of 4.3, each with its decision even if only one machine is enabled, so that the number of
// decisions is the number of steps.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plang/sema/checked_program.h"

namespace tarry::plang::reference {

struct Decision {
  enum Kind : std::uint8_t { kMachine, kBool, kInt };
  Kind kind;
  std::uint64_t value;  // kMachine: its id, 0 for the root task; kBool: 0 or 1
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// The strategy. Asked once a step.
class Chooser {
 public:
  virtual ~Chooser() = default;
  /// One of `enabled_ids`: non-empty, ascending. The root task is 0.
  virtual std::uint32_t machine(const std::vector<std::uint32_t>& enabled_ids) = 0;
  virtual bool boolean() = 0;
  /// Below n. Requires: n > 0; it is 1 for choose(0) too.
  virtual std::uint64_t integer(std::uint64_t n) = 0;
};

/// Told the global state whenever the running machine has come to its next scheduling point (or the last one has come to its
/// end), before anything is decided there; not before the first decision. The text is one line a machine, by path, then one a
/// monitor:
///   0.1 Worker blocked Busy {n=1, peer=@0} [eJob(<1,2,>), eStop]
///   0.2 Worker halted
///   monitor Live Waiting {n=2}
/// A machine is named by its path (main: 0; the n-th that X created: X's path, a dot, n from 0), then follow its definition,
/// status (new, running, idle, blocked, halted), state, fields as declared, and inbox; payloads are left out if null. The event
/// that woke a blocked machine, and one that was dequeued but not yet handled, are not shown. Values: `canonical` in text.h.
class StepHook {
 public:
  virtual ~StepHook() = default;
  virtual void state(const std::string& text) = 0;
};

struct RunResult {
  enum End : std::uint8_t { kTerminated, kFailed, kCut };
  End end = kTerminated;
  std::string r_class;  // kFailed: "R01" …
  std::string message;  // R01: that of the assertion, empty if it has none; else our own words
  Place place;          // kFailed
  std::uint64_t steps = 0;
  std::vector<Decision> decisions;  // one a step
  std::vector<std::string> log;     // "print …", "create …", "send …", "dequeue …", "enter …", one a line

  /// "pass", "cut" or the class.
  std::string outcome() const { return end == kTerminated ? "pass" : end == kCut ? "cut" : r_class; }
};

enum class AtBound : std::uint8_t { kCut, kFail };  // kFail: R22

RunResult run(const CheckedProgram& program, const TestCase& test, Chooser& chooser, std::uint64_t max_steps, StepHook* hook = nullptr,
              AtBound at_bound = AtBound::kCut);

/// What all executions of a program can do.
struct Explored {
  std::set<std::string> states;                             // as told to hooks
  std::set<std::pair<std::string, std::string>> failures;   // class and message
  std::map<std::string, std::set<std::uint64_t>> outcomes;  // RunResult::outcome(): the steps that executions with it took
  std::uint64_t executions = 0;
  bool complete = true;  // false: there are more executions than were asked for
};

/// Every execution, one after the other, by running the program again for each: depth first over all decisions.
Explored explore_all(const CheckedProgram& program, const TestCase& test, std::uint64_t max_steps,
                     std::uint64_t max_executions = UINT64_MAX);

}  // namespace tarry::plang::reference
