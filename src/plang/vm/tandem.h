// One execution, followed in two programs of the same test that number machines differently.
//
// A search gives machines their slots as it meets them and uses them again, a replay numbers them in the order of creation. Both create the same machines in the same
// steps, so who is who is known from creation to creation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plang/vm/p_program.h"
#include "plang/vm/space.h"

namespace tarry::plang {

class Tandem {
 public:
  struct Side {
    explicit Side(const PProgram& program) : space(program.world(), program.layout()), state(program.layout().words()), taken(program.layout().words()) {}
    PSpace space;
    std::vector<Word> state;
    Taken taken;  // the last step
  };

  /// Both outlive it.
  Tandem(const PProgram& first, const PProgram& second) : first_(first), second_(second) {}
  /// False if the program fails before its first step.
  bool start();
  /// A machine of the first, in the second.
  std::optional<std::uint32_t> second_of(std::uint32_t slot) const;
  /// One step of a machine of the first, in both. False if one of them cannot take it.
  bool step(std::uint32_t slot, std::span<const std::uint32_t> values);

  Side& first() { return first_; }
  Side& second() { return second_; }

 private:
  Side first_, second_;
  std::vector<std::uint32_t> numbers_{0};  // by slot in the first: slot in the second
};

}  // namespace tarry::plang
