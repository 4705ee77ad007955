// Endless words of the shape u v v v …, and what formulas and automata say of them, worked out plainly.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ltl/buchi.h"
#include "ltl/rabin.h"

namespace tarry::ltl::testing_ltl {

struct Word {
  std::vector<Letter> letters;
  std::size_t loop;  // where it goes on behind its last letter
  std::size_t after(std::size_t at) const { return at + 1 < letters.size() ? at + 1 : loop; }
};

/// At every position. Until is the least and release the greatest solution of what they say of the next position.
inline std::vector<bool> truth(const Formulas& formulas, Node node, const Word& word) {
  using Op = Formulas::Op;
  const Formulas::Parts p = formulas.parts(node);
  const std::size_t n = word.letters.size();
  std::vector<bool> out(n, p.op == Op::kTrue || p.op == Op::kRelease);
  if (p.op == Op::kTrue || p.op == Op::kFalse) return out;
  if (p.op == Op::kAtom || p.op == Op::kNotAtom) {
    for (std::size_t i = 0; i < n; ++i) out[i] = ((word.letters[i] >> p.left & 1) != 0) == (p.op == Op::kAtom);
    return out;
  }
  const std::vector<bool> left = truth(formulas, p.left, word);
  const std::vector<bool> right = p.op == Op::kNext ? left : truth(formulas, p.right, word);
  for (std::size_t round = 0; round <= n; ++round)
    for (std::size_t i = n; i-- > 0;) {
      switch (p.op) {
        case Op::kAnd: out[i] = left[i] && right[i]; break;
        case Op::kOr: out[i] = left[i] || right[i]; break;
        case Op::kNext: out[i] = left[word.after(i)]; break;
        case Op::kUntil: out[i] = right[i] || (left[i] && out[word.after(i)]); break;
        default: out[i] = right[i] && (left[i] || out[word.after(i)]);
      }
    }
  return out;
}

inline bool holds(const Formulas& formulas, Node node, const Word& word) { return truth(formulas, node, word)[0]; }

/// Is there a run with infinitely many accepting transitions? Pairs of state and position; an accepting transition of a pair that comes back to itself.
inline bool accepts(const Buchi& buchi, const Word& word) {
  using At = std::pair<std::uint32_t, std::size_t>;
  const auto reached = [&](std::set<At> from) {
    std::vector<At> queue(from.begin(), from.end());
    while (!queue.empty()) {
      const At at = queue.back();
      queue.pop_back();
      for (const Buchi::Edge& edge : buchi.edges[at.first]) {
        const At to{edge.to, word.after(at.second)};
        if (edge.takes(word.letters[at.second]) && from.insert(to).second) queue.push_back(to);
      }
    }
    return from;
  };
  for (const At& at : reached({{0, 0}}))
    for (const Buchi::Edge& edge : buchi.edges[at.first])
      if (edge.accepting && edge.takes(word.letters[at.second]) && reached({{edge.to, word.after(at.second)}}).count(at) != 0) return true;
  return false;
}

/// Letters are their own numbers.
inline bool accepts(const Rabin& rabin, const Word& word) {
  std::uint32_t state = 0, hot = 0, cold = 0;
  std::size_t at = 0;
  const std::size_t rounds = (rabin.states() + 1) * word.letters.size();
  for (std::size_t i = 0; i < 2 * rounds; ++i, at = word.after(at)) {
    const Rabin::Move& move = rabin.move(state, word.letters[at]);
    state = move.to;
    if (i < rounds) continue;  // by now it goes round in its loop; the second half goes round at least once
    hot |= move.hot;
    cold |= move.cold;
  }
  return (hot & ~cold) != 0;
}

inline Node random_formula(Formulas& f, Rng& rng, std::uint32_t atoms, unsigned operators) {
  if (operators == 0) return f.atom(static_cast<std::uint32_t>(rng.below(atoms)), rng.below(2) == 0);
  const auto part = [&](unsigned n) { return random_formula(f, rng, atoms, n); };
  const unsigned left = static_cast<unsigned>(rng.below(operators)), right = operators - 1 - left;
  switch (rng.below(8)) {
    case 0: return f.both(part(left), part(right));
    case 1: return f.either(part(left), part(right));
    case 2: return f.next(part(operators - 1));
    case 3: return f.until(f.constant(true), part(operators - 1));
    case 4: return f.release(f.constant(false), part(operators - 1));
    case 5: return f.until(part(left), part(right));
    case 6: return f.release(part(left), part(right));
    default: return f.negation(part(operators - 1));
  }
}

inline Word random_word(Rng& rng, std::uint32_t atoms) {
  Word out;
  for (std::size_t n = 1 + rng.below(6); n > 0; --n) out.letters.push_back(static_cast<Letter>(rng.below(std::uint64_t{1} << atoms)));
  out.loop = rng.below(out.letters.size());
  return out;
}

}  // namespace tarry::ltl::testing_ltl
