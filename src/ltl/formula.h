// Formulas of linear temporal logic about the infinite words of executions.
//
//   true  false  name  spec.State     names are letters, digits, '_' and '.'
//   ! f   not f                       f && g   f & g   f and g        f || g   f | g   f or g        f -> g        f <-> g
//   X f   (next)    F f   <> f  (at some time)    G f   [] f  (always)
//   f U g (until)   f W g (until, or always)      f R g   f V g  (g up to and including the first f, or always)
//
// Unary operators bind closest, then U W R V (to the right), then and, or, ->, <->.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"

namespace tarry::ltl {

using Node = std::uint32_t;

/// Formulas in negation normal form: negations only at atoms, and no other operators than these. Equal formulas have one number.
class Formulas {
 public:
  enum class Op : std::uint8_t { kTrue, kFalse, kAtom, kNotAtom, kAnd, kOr, kNext, kUntil, kRelease };
  struct Parts {
    Op op;
    Node left, right;  // kAtom, kNotAtom: left is the number of the atom; kNext: left only
  };

  Formulas();
  const Parts& parts(Node node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }

  // Constructors. Each simplifies simple cases: true, false, a formula with itself or with its negation.
  Node constant(bool value) const { return value ? 0 : 1; }
  Node atom(std::uint32_t number, bool negated);
  Node both(Node a, Node b);
  Node either(Node a, Node b);
  Node next(Node a);
  Node until(Node a, Node b);
  Node release(Node a, Node b);
  Node negation(Node a);

 private:
  Node make(Op op, Node left, Node right);

  std::vector<Parts> nodes_;
  std::map<std::tuple<Op, Node, Node>, Node> numbers_;
  std::map<Node, Node> negations_;
};

/// A parsed formula of the user.
struct Formula {
  Formulas formulas;
  Node root = 0;
  std::vector<std::string> atoms;            // by number
  std::vector<std::size_t> columns;          // of each atom, its first occurrence; from 1
  std::size_t next_column = 0;               // of the first X, from 1; 0: there is none
};

/// Parses a formula. Messages call it `where`: "--ltl".
Result<Formula> parse(std::string_view text, std::string_view where);

/// The largest number of atoms of a formula.
inline constexpr std::size_t kMostAtoms = 32;

}  // namespace tarry::ltl
