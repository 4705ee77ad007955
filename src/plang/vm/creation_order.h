// One execution of a search, with its machines numbered in the order of their creation.
//
// A search gives machines their slots as it meets them and uses them again; P and a replay give the n-th machine that is created number n. So it is enough to
// count what each step creates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plang/vm/p_program.h"
#include "plang/vm/space.h"

namespace tarry::plang {

class CreationOrder {
 public:
  /// Takes over what a worker of the search remembered of its steps: the steps that it took are not run again. `program` outlives it.
  explicit CreationOrder(const PProgram& program);

  /// Returns false if the program fails before its first step.
  bool start() { return space_.initial(state_.data()).kind.empty(); }
  /// Returns the number of a machine of the search, from 0, or nothing if it does not exist here.
  std::optional<std::uint32_t> number_of(std::uint32_t slot) const;
  /// Takes a step of the search. Returns false if it cannot be taken.
  bool step(std::uint32_t slot, std::span<const std::uint32_t> values);
  /// Returns whether every machine had the number of its slot all the time.
  bool agrees() const { return agrees_; }

 private:
  void give(std::uint32_t slot, std::uint32_t number);

  PSpace space_;
  std::vector<Word> state_;
  Taken taken_;
  std::vector<std::uint32_t> numbers_{0};  // by slot; kNone: no machine
  std::uint32_t created_ = 1;
  bool agrees_ = true;
};

}  // namespace tarry::plang
