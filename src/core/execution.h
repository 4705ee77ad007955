// Programs that run: an execution asks a policy at every choice point, from start to end.
//
// The sampling searches and the searches by re-execution use this interface. explore/state_execution.h runs state spaces in this
// way; native/rt runs native threads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/footprint.h"
#include "core/move.h"
#include "core/program.h"

namespace tarry {

/// Signature of the happens-before order of everything done so far. Equal orders give equal signatures and lead to the same
/// program state.
struct Signature {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// A point where the program can continue in several ways. Points with only one way may be left out.
struct ChoicePoint {
  const Survey& survey;     // the processes that can run; at a data choice, before the step
  std::uint32_t values;     // at a data choice: the number of values; 0 at the choice of a process
  ProcessId process;        // at a data choice: the process that chooses
  const Signature* order = nullptr;  // order of the steps that led here, if the program tells it
  bool repeated = false;             // the policy knows the process, which can run (Policy::repeats); `survey` is that of an earlier point

  /// Returns the number of choices. In a sealed state there is one.
  std::uint32_t alternatives() const {
    if (values != 0) return values;
    return survey.sealed() ? 1 : survey.open().size();
  }
};

/// Decides at choice points. There is one object per execution.
class Policy {
 public:
  virtual ~Policy() = default;
  /// Returned instead of a choice: the execution ends here (End::kAbandoned), because the search does not need the rest.
  static constexpr std::uint32_t kAbandon = ~std::uint32_t{0};

  virtual void begin(const Survey& /*first*/) {}
  /// Returns a process of `survey.open()` (the owner of the seal, if sealed), or a value.
  virtual std::uint32_t pick(const ChoicePoint& point) = 0;
  virtual void stepped(const Step& /*step*/) {}
  /// Returns the process that `pick` is going to return, if it repeats an earlier execution here; kAbandon: it does not. The execution need not find out who
  /// can run where it repeats, and need not tell of the step (`stepped`).
  virtual std::uint32_t repeats() const { return kAbandon; }
  /// Tells whether `goes_round` compares steps. If so, the execution fills in `Step::digest` for a while before it asks.
  virtual bool compares_steps() const { return false; }
  /// Returns whether a long execution seems to repeat for ever.
  virtual bool goes_round() const { return true; }
};

enum class End { kEnded, kFailed, kCut, kStopped, kAbandoned };

struct ExecutionResult {
  End end = End::kStopped;
  std::uint64_t steps = 0;
  std::uint64_t points = 0;        // choice points
  StepText failure;                // kind is empty unless end is kFailed
  bool over = false;               // kCut: by the program's own ledger
  bool points_changed = false;     // the program has more choice points from now on; earlier schedules are no longer valid
};

/// Runs the program from its start to its end, to --max-depth (End::kCut), or until the policy or the session stops it. Beats
/// while it runs (core/progress.h). The caller counts executions, steps and depth.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual ExecutionResult run(Policy& policy) = 0;
  /// Discards the outcomes counted so far: the search starts over, with other schedules.
  virtual void begin_anew() {}
  /// Reports footprints in all runs of this object from now on, and makes every step a choice point. Such a schedule is replayed with footprints, too.
  /// Returns nullptr if the program cannot report them.
  virtual const Footprints* watch_footprints() { return nullptr; }
  /// Returns the moves of the last run.
  virtual const std::vector<Move>& moves_taken() const = 0;
};

}  // namespace tarry
