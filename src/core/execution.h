// Programs that run: an execution asks a policy at every choice point, from start to end.
//
// The sampling searches are written against this. State spaces are run this way by explore/state_execution.h; native threads
// will be by their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/move.h"
#include "core/program.h"

namespace tarry {

/// A place where the program can go on in several ways (or in one).
struct ChoicePoint {
  const Survey& survey;     // who could run; at a data choice, before the step
  std::uint32_t values;     // at a data choice: how many values; 0 where a process is to be chosen
  ProcessId process;        // at a data choice: whose it is

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
  virtual void begin(const Survey& /*first*/) {}
  /// A process of `survey.open()` (the owner of the seal, or what the policy's order says, if sealed), or a value.
  virtual std::uint32_t pick(const ChoicePoint& point) = 0;
  virtual void stepped(const Step& /*step*/) {}
};

enum class End { kEnded, kFailed, kCut, kStopped };

struct ExecutionResult {
  End end = End::kStopped;
  std::uint64_t steps = 0;
  std::uint64_t points = 0;        // choice points
  StepText failure;                // kind is empty unless end is kFailed
  bool over = false;               // kCut: by the program's own ledger
};

class Execution {
 public:
  virtual ~Execution() = default;
  virtual ExecutionResult run(Policy& policy) = 0;
  /// The moves of the last run.
  virtual const std::vector<Move>& moves_taken() const = 0;
};

}  // namespace tarry
