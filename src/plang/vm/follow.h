// Follows a schedule step by step and hands out what happened: for traces in P's own forms, coverage, and charts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "plang/vm/p_program.h"
#include "plang/vm/step.h"

namespace tarry::plang {

/// One step of an execution, with everything that happened in it.
struct FollowedStep {
  std::uint32_t slot;                 // of the machine that ran; its number in P is slot + 1
  std::vector<std::uint32_t> values;
  std::vector<LogEntry> log;          // values in it are interned: text_of() works with any Heap of the pool
  std::uint32_t steps;                // as P counts them
  StepText ending;                    // kind is empty if the step is all right
};

/// Is told of each step that a narrator explains, and keeps a record of them.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void add(const FollowedStep& step) = 0;
  /// As text; Narrator::record.
  virtual std::string record() = 0;
};

/// What the monitors do when they are started.
std::vector<LogEntry> start_of_monitors(const PProgram& program);

struct FollowedRun {
  bool complete = false;              // every step of the schedule could be taken
  std::string problem;                // in words, if not
  std::uint64_t steps = 0;            // as P counts them, the root's included
  StepText ending;                    // of the last step, or a deadlock; kind is empty if there was none
  bool terminated = false;            // no machine can run any more
};

/// What the monitors did when they were started is handed out first (`started`, may be empty).
FollowedRun follow(const PProgram& program, const std::vector<Choice>& schedule, const std::function<void(const FollowedStep&)>& each,
                   const std::function<void(const std::vector<LogEntry>&)>& started = {});

}  // namespace tarry::plang
