// Which states and handlers of a program executions exercise, and which never.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/finding.h"
#include "plang/vm/p_program.h"
#include "plang/vm/step.h"

namespace tarry::plang {

/// What one state did with one event, or because of it: how often.
struct EventUse {
  std::uint64_t handled = 0;                // a handler ran, or the state was left
  std::uint64_t received = 0;               // by a receive statement
  std::uint64_t deferred = 0, ignored = 0;  // was it ever? The number depends on how often a machine looks at its inbox
  std::uint64_t sent = 0, announced = 0, raised = 0;
};

struct StateUse {
  std::uint64_t entered = 0;
  std::set<std::uint32_t> previous, next;    // states, by index
  std::map<std::uint32_t, EventUse> events;  // by number
};

struct MachineUse {
  const Machine* source = nullptr;
  std::uint64_t created = 0;  // of a monitor: executions
  std::vector<StateUse> states;
};

struct ScenarioUse {
  const Machine* source = nullptr;
  std::uint64_t satisfied = 0;    // executions in which it entered a cold state after some event
  std::uint64_t most_states = 0;  // visited in one execution
};

struct Coverage {
  std::string test;
  std::uint64_t executions = 0, seed = 0, findings = 0;
  std::vector<MachineUse> machines;  // of the test, then its monitors
  std::vector<ScenarioUse> scenarios;
};

struct CoverageOptions {
  std::uint64_t executions = 1000;
  std::uint64_t seed = 1;
  std::uint64_t steps_each = 1000;         // at most
  std::uint64_t steps_in_all = 1'000'000;  // no further execution is started after that
};

/// Random executions, then those of the findings. `beat` is called once a step.
Coverage cover(const PProgram& program, const CoverageOptions& options, const std::vector<Finding>& findings,
               const std::function<void()>& beat);

/// For people.
std::string coverage_text(const Coverage& coverage, const CheckedProgram& program);
/// The same for programs.
std::string coverage_json(const Coverage& coverage, const CheckedProgram& program);

/// A declared handler, with how often it was exercised.
struct HandlerUse {
  const State* state;
  const Handler* handler;
  std::uint32_t event;
  std::uint64_t count;
};
std::vector<HandlerUse> handlers_of(const MachineUse& machine);

}  // namespace tarry::plang
