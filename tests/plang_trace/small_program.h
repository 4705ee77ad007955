// P programs from text, and executions of them, for the tests of traces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "core/finding.h"
#include "plang/vm/p_program.h"
#include "plang/vm/space.h"
#include "tests/support/p_source.h"

namespace tarry::plang::testing_trace {

struct Small : testing_support::Ready {
  std::unique_ptr<PProgram> open(Points points = Points::kNeeded) const { return std::make_unique<PProgram>(*code, test(), points, Purpose::kReplay); }
};

inline Small small(const std::string& text) { return {testing_support::make_ready(text)}; }

/// A random execution, to its end; `failed` says whether its last step fails.
inline std::vector<Choice> some_schedule(const PProgram& program, std::uint64_t number, bool* failed = nullptr) {
  PSpace space(program.world(), program.layout());
  std::vector<Word> state(program.layout().words());
  std::vector<Choice> out;
  Rng rng(7, number);
  if (!space.initial(state.data()).kind.empty()) return out;
  Taken taken(program.layout().words());
  for (int steps = 0; steps < 300; ++steps) {
    std::vector<std::uint32_t> open;
    const std::uint32_t only = state[program.layout().exclusive()];
    space.for_each_machine(state, [&](const PSpace::MachineWords& m) {
      if ((only == 0 || only == m.slot + 1) && space.can_run(m.config, m.inbox)) open.push_back(m.slot);
    });
    if (open.empty()) break;
    const std::uint32_t slot = open[rng.below(open.size())];
    std::vector<std::uint32_t> values;
    while (true) {
      space.take(state, ProcessId{slot}, values, taken);
      if (taken.outcome != abi::Outcome::kNeedsValue) break;
      values.push_back(static_cast<std::uint32_t>(rng.below(taken.arity)));
    }
    out.push_back({Choice::Kind::kProcess, slot});
    for (const std::uint32_t value : values) out.push_back({Choice::Kind::kValue, value});
    if (failed != nullptr) *failed = taken.failed();
    if (taken.failed()) break;
    state.assign(taken.state().begin(), taken.state().end());
  }
  return out;
}

inline Finding finding_of(std::vector<Choice> schedule) {
  Finding finding;
  finding.schedule = std::move(schedule);
  return finding;
}

}  // namespace tarry::plang::testing_trace
