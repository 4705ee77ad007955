// A formula of temporal logic over a P program: one more spec, which sees the events that it names.
//
// Of an execution it sees a word with one letter for each event that it can see: those that it names, and those that the specs that it names observe. An event's name holds
// in its own letter only; `Spec.State` holds while the spec is in that state, after it has seen the letter's event. Where nothing that it sees happens any more, because the
// execution ends or goes on without it, the word goes on with letters in which no event holds and the specs stay where they are.
//
// The automaton of the formula's negation is deterministic (ltl/rabin.h), so its state is a word of the program's state, and its pairs are liveness properties. One more
// property is hot while "nothing more happens" would violate the formula, and cold whenever something happens.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ltl/rabin.h"
#include "plang/sema/checked_program.h"

namespace tarry::plang {

class FormulaWatch {
 public:
  /// `where`: what messages call the formula, "--ltl".
  static Result<FormulaWatch> make(const std::string& text, std::string_view where, const CheckedProgram& program, const TestCase& test);

  const std::string& text() const { return text_; }
  bool sees(std::uint32_t event) const { return sees_[event]; }
  /// The specs whose states it asks for: numbers in the test's list.
  const std::vector<std::uint32_t>& specs() const { return specs_; }
  std::uint32_t properties() const { return rabin_.pairs() + 1; }

  // A word of the program's state: the automaton's state, and bit 0 if the formula is violated should nothing more happen. `states`: of its specs, in order.
  std::uint32_t first(std::span<const std::uint32_t> states) const { return word(0, states); }
  struct Seen {
    std::uint32_t word;
    std::uint32_t hot, cold;  // bits of its properties; the last is the one about "nothing more"
  };
  Seen see(std::uint32_t word, std::uint32_t event, std::span<const std::uint32_t> states) const;

 private:
  std::uint32_t word(std::uint32_t state, std::span<const std::uint32_t> states) const;
  /// Its number in the list that the automaton was made for. `named`: of the event, among those that are named, from 1; 0: it is not.
  std::size_t letter(std::uint32_t named, std::span<const std::uint32_t> states) const;
  struct Names;
  bool find_names(const ltl::Formula& formula, const CheckedProgram& program, const TestCase& test, Names& out, std::string& problem);

  std::string text_;
  std::vector<bool> sees_;             // by event
  std::vector<std::uint32_t> named_;   // by event: its number among those that are named, from 1; 0: it is not
  std::uint32_t events_ = 0;           // that are named
  std::vector<std::uint32_t> specs_, sizes_;  // sizes: how many states each has
  ltl::Rabin rabin_;
  std::vector<bool> ends_badly_;  // by state of the automaton and states of the specs: the formula does not hold should nothing more happen
};

}  // namespace tarry::plang
