#include "ltl/formula.h"

#include <algorithm>

namespace tarry::ltl {

Formulas::Formulas() {
  nodes_.push_back({Op::kTrue, 0, 0});
  nodes_.push_back({Op::kFalse, 0, 0});
  negations_[0] = 1;
  negations_[1] = 0;
}

Node Formulas::make(Op op, Node left, Node right) {
  const auto [at, fresh] = numbers_.emplace(std::tuple(op, left, right), static_cast<Node>(nodes_.size()));
  if (fresh) nodes_.push_back({op, left, right});
  return at->second;
}

Node Formulas::atom(std::uint32_t number, bool negated) { return make(negated ? Op::kNotAtom : Op::kAtom, number, 0); }

Node Formulas::both(Node a, Node b) {
  if (a == constant(false) || b == constant(true) || a == b) return a;
  if (b == constant(false) || a == constant(true)) return b;
  if (negation(a) == b) return constant(false);
  return make(Op::kAnd, std::min(a, b), std::max(a, b));
}

Node Formulas::either(Node a, Node b) {
  if (a == constant(true) || b == constant(false) || a == b) return a;
  if (b == constant(true) || a == constant(false)) return b;
  if (negation(a) == b) return constant(true);
  return make(Op::kOr, std::min(a, b), std::max(a, b));
}

Node Formulas::next(Node a) { return a <= 1 ? a : make(Op::kNext, a, 0); }

Node Formulas::until(Node a, Node b) {
  if (b <= 1 || a == constant(false) || a == b) return b;
  const Parts right = nodes_[b];
  if (right.op == Op::kUntil && right.left == a) return b;  // a U (a U c)
  if (a == constant(true) && right.op == Op::kUntil) return until(a, right.right);  // F (c U d)
  return make(Op::kUntil, a, b);
}

Node Formulas::release(Node a, Node b) {
  if (b <= 1 || a == constant(true) || a == b) return b;
  const Parts right = nodes_[b];
  if (right.op == Op::kRelease && right.left == a) return b;
  if (a == constant(false) && right.op == Op::kRelease) return release(a, right.right);  // G (c R d)
  return make(Op::kRelease, a, b);
}

/// Negates a formula. Recursion is as deep as the formula, and the parser bounds its depth.
Node Formulas::negation(Node a) {
  if (const auto known = negations_.find(a); known != negations_.end()) return known->second;
  const Parts p = nodes_[a];
  Node out = 0;
  switch (p.op) {
    case Op::kTrue: out = 1; break;
    case Op::kFalse: out = 0; break;
    case Op::kAtom: out = atom(p.left, true); break;
    case Op::kNotAtom: out = atom(p.left, false); break;
    case Op::kAnd: out = make(Op::kOr, std::min(negation(p.left), negation(p.right)), std::max(negation(p.left), negation(p.right))); break;
    case Op::kOr: out = make(Op::kAnd, std::min(negation(p.left), negation(p.right)), std::max(negation(p.left), negation(p.right))); break;
    case Op::kNext: out = make(Op::kNext, negation(p.left), 0); break;
    case Op::kUntil: out = make(Op::kRelease, negation(p.left), negation(p.right)); break;
    case Op::kRelease: out = make(Op::kUntil, negation(p.left), negation(p.right)); break;
  }
  negations_[a] = out;
  negations_[out] = a;
  return out;
}

}  // namespace tarry::ltl
