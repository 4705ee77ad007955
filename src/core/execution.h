// Programs that run: an execution asks a policy at every choice point, from start to end.
//
// The sampling searches and the searches by re-execution are written against this. State spaces are run this way by
// explore/state_execution.h; native threads by native/rt.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/footprint.h"
#include "core/move.h"
#include "core/program.h"

namespace tarry {

/// The happens-before order of all that was done so far: equal orders, equal signatures, and a state of the program that is the same.
struct Signature {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// A place where the program can go on in several ways (or in one; those may be left out).
struct ChoicePoint {
  const Survey& survey;     // who could run; at a data choice, before the step
  std::uint32_t values;     // at a data choice: how many values; 0 where a process is to be chosen
  ProcessId process;        // at a data choice: whose it is
  const Signature* order = nullptr;  // of what led here, where the program tells it

  /// The ways on. In a sealed state there is one.
  std::uint32_t alternatives() const {
    if (values != 0) return values;
    return survey.sealed() ? 1 : survey.open().size();
  }
};

/// Decides. One object an execution.
class Policy {
 public:
  virtual ~Policy() = default;
  /// Instead of a choice: what follows is not wanted, the execution ends here (End::kAbandoned).
  static constexpr std::uint32_t kAbandon = ~std::uint32_t{0};

  virtual void begin(const Survey& /*first*/) {}
  /// A process of `survey.open()` (the owner of the seal, if sealed), or a value.
  virtual std::uint32_t pick(const ChoicePoint& point) = 0;
  virtual void stepped(const Step& /*step*/) {}
  /// Does `goes_round` compare steps? If so, the execution fills in `Step::digest` for a while before it asks.
  virtual bool compares_steps() const { return false; }
  /// Asked of a long execution: does it go round for ever, as far as can be told?
  virtual bool goes_round() const { return true; }
};

enum class End { kEnded, kFailed, kCut, kStopped, kAbandoned };

struct ExecutionResult {
  End end = End::kStopped;
  std::uint64_t steps = 0;
  std::uint64_t points = 0;        // choice points
  StepText failure;                // kind is empty unless end is kFailed
  bool over = false;               // kCut: by the program's own ledger
  bool points_changed = false;     // from now on the program has further choice points: schedules of before mean nothing any more
};

/// Runs the program from its start to its end, to --max-depth (End::kCut), or until the policy or the session wants no more. Beats while it
/// runs (core/progress.h); whoever calls it counts executions, steps and depth.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual ExecutionResult run(Policy& policy) = 0;
  /// What was counted of executions so far (their outcomes) is void: the search starts over, with other schedules.
  virtual void begin_anew() {}
  /// From now on steps are told by what they touch, and every step is a choice point. nullptr: the program cannot tell.
  virtual const Footprints* watch_footprints() { return nullptr; }
  /// The moves of the last run.
  virtual const std::vector<Move>& moves_taken() const = 0;
};

}  // namespace tarry
