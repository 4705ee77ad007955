// A formula of temporal logic over a program whose states have labels: the program, with an automaton that follows it.
//
// The word of an execution has a letter for each of its states, the first one included: the labels that hold there. Where an execution ends, its last letter goes on for ever. The automaton of
// the formula's negation is deterministic (ltl/rabin.h), so its state is a few more bits of the program's state, and its pairs are liveness properties.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace tarry {

/// Tells which labels hold in a state. One worker's.
class Labeller {
 public:
  virtual ~Labeller() = default;
  /// Bit i: label i holds. False: it cannot be told.
  virtual bool labels(StateView state, std::uint32_t& bits) = 0;
  /// Why it cannot be told.
  virtual StepText problem(StateView state) = 0;
};

class LabelledProgram : public Program {
 public:
  /// In the order of bits.
  virtual std::vector<std::string> label_names() const = 0;
  virtual std::unique_ptr<Labeller> labeller() const = 0;
};

/// `where`: what messages call the formula, "--ltl".
Result<std::unique_ptr<Program>> with_formula(std::unique_ptr<LabelledProgram> program, const std::string& formula, std::string_view where);

}  // namespace tarry
