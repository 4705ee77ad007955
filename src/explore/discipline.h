// A discipline: in which order a bounded search tries the processes of a state, and what each of them costs.
//
// Delay bounding, preemption bounding and depth bounding are the same walk (explore/stratified.h) under different
// disciplines. What a discipline remembers along an execution is a number, its memo.
#pragma once

#include <cstdint>

#include "core/program.h"
#include "core/search_result.h"

namespace tarry {

class AskedExplorer;

class Discipline {
 public:
  virtual ~Discipline() = default;

  /// What the cost counts.
  virtual Bound unit() const = 0;
  virtual std::uint32_t initial(const Survey& survey) = 0;

  /// The process whose turn it is: 0, 1, … up to the number of open ones. `memo` went through `turn` calls of `pass`.
  virtual ProcessId pick(std::uint32_t memo, const Survey& survey, std::uint32_t turn) = 0;
  /// What it costs to go on to the next turn, and the memo for it. `offered`: what `pick` said in this turn.
  virtual std::uint32_t price(std::uint32_t memo, const Survey& survey, std::uint32_t turn) = 0;
  virtual std::uint32_t pass(std::uint32_t memo, const Survey& survey, ProcessId offered) = 0;

  /// The memo after a step, and what the step itself cost.
  virtual std::uint32_t step(std::uint32_t memo, const Step& step) = 0;
  virtual std::uint32_t step_price() const { return 0; }
  /// What it costs to go from one value of a data choice to the next.
  virtual std::uint32_t choice_price() const { return 0; }
  /// The explorer that it asks, or nullptr. Searches ask for its faults after each `pick`, `pass` and `step`.
  virtual const AskedExplorer* explorer() const { return nullptr; }
};

}  // namespace tarry
