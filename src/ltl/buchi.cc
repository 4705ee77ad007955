#include "ltl/buchi.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tarry::ltl {
namespace {

constexpr std::size_t kMostStates = 2000;
constexpr std::size_t kMostWays = 20'000;  // limit on the ways to decompose one state
constexpr std::uint64_t kMostWork = 500'000;  // limit on decomposed parts, including repeated ones: about a second

constexpr std::uint64_t kMostCompared = 100'000'000;  // limit on pairs of ways that are compared: a few seconds

using Set = std::vector<Node>;  // sorted

void add_to(Set& set, Node node) {
  const auto at = std::lower_bound(set.begin(), set.end(), node);
  if (at == set.end() || *at != node) set.insert(at, node);
}

bool contains(const Set& larger, const Set& smaller) { return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()); }

struct TooLarge {};

/// One way to satisfy the formulas of a state.
struct Way {
  Letter holds = 0, fails = 0;
  Set next;      // formulas that must hold after the letter
  Set put_off;   // untils whose right side was not chosen
  auto operator<=>(const Way&) const = default;
};

/// Decomposes formulas.
class Expansion {
 public:
  Expansion(Formulas& formulas, const std::function<void()>& poll) : formulas_(formulas), poll_(poll) {}

  std::vector<Way> ways(const Set& state) {
    found_.clear();
    expand({state.begin(), state.end()}, {}, {});
    std::vector<Way> out;
    for (const Way& way : found_) {
      if ((compared_ += found_.size()) > kMostCompared) throw TooLarge{};
      if (poll_) poll_();
      const bool needless = std::any_of(found_.begin(), found_.end(), [&](const Way& other) {
        return &other != &way && (other.holds & way.holds) == other.holds && (other.fails & way.fails) == other.fails && contains(way.next, other.next) &&
               contains(way.put_off, other.put_off);
      });
      if (!needless) out.push_back(way);
    }
    return out;
  }

 private:
  /// Counts work, and calls `poll_` now and then.
  void count() {
    if (++work_ % 256 == 0 && poll_) poll_();
    if (work_ > kMostWork) throw TooLarge{};
  }

  void expand(std::vector<Node> todo, std::set<Node> done, Way way) {
    count();
    using Op = Formulas::Op;
    while (!todo.empty()) {
      const Node node = todo.back();
      todo.pop_back();
      if (!done.insert(node).second) continue;
      const Formulas::Parts p = formulas_.parts(node);
      switch (p.op) {
        case Op::kTrue: break;
        case Op::kFalse: return;
        case Op::kAtom:
        case Op::kNotAtom: {
          const Letter bit = Letter{1} << p.left;
          (p.op == Op::kAtom ? way.holds : way.fails) |= bit;
          if ((way.holds & way.fails) != 0) return;
          break;
        }
        case Op::kAnd:
          todo.push_back(p.left);
          todo.push_back(p.right);
          break;
        case Op::kOr: {
          std::vector<Node> other = todo;
          other.push_back(p.left);
          expand(std::move(other), done, way);
          todo.push_back(p.right);
          break;
        }
        case Op::kNext: add_to(way.next, p.left); break;
        case Op::kUntil: {
          std::vector<Node> now = todo;
          now.push_back(p.right);
          expand(std::move(now), done, way);
          todo.push_back(p.left);
          add_to(way.next, node);
          add_to(way.put_off, node);
          break;
        }
        case Op::kRelease: {
          std::vector<Node> now = todo;
          now.push_back(p.left);
          now.push_back(p.right);
          expand(std::move(now), done, way);
          todo.push_back(p.right);
          add_to(way.next, node);
          break;
        }
      }
    }
    found_.insert(std::move(way));
    if (found_.size() > kMostWays) throw TooLarge{};
  }

  Formulas& formulas_;
  const std::function<void()>& poll_;
  std::set<Way> found_;
  std::uint64_t work_ = 0, compared_ = 0;
};

/// Merges states with equal outgoing edges. Repeats until all states differ.
Buchi merged(Buchi from, const std::function<void()>& poll) {
  while (true) {
    if (poll) poll();
    std::map<std::vector<Buchi::Edge>, std::uint32_t> known;
    std::vector<std::uint32_t> renamed;
    std::vector<std::vector<Buchi::Edge>> kept;
    for (auto& edges : from.edges) {
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      const auto [at, fresh] = known.emplace(edges, static_cast<std::uint32_t>(kept.size()));
      if (fresh) kept.push_back(edges);
      renamed.push_back(at->second);
    }
    const bool smaller = kept.size() < from.edges.size();
    for (auto& edges : kept)
      for (Buchi::Edge& edge : edges) edge.to = renamed[edge.to];
    from.edges = std::move(kept);
    if (!smaller) return from;
  }
}

}  // namespace

Result<Buchi> automaton(Formulas& formulas, Node root, const std::function<void()>& poll) {
  try {
    // States of the tableau, with a level: the number of untils that have been met, in order, since the last accepting
    // transition.
    Expansion expansion(formulas, poll);
    std::map<Set, std::vector<Way>> known;
    std::vector<Set> queue{{root}};
    known[queue[0]];
    Set untils;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      std::vector<Way> ways = expansion.ways(queue[i]);
      for (const Way& way : ways) {
        for (const Node u : way.put_off) add_to(untils, u);
        if (known.try_emplace(way.next).second) queue.push_back(way.next);
      }
      known[queue[i]] = std::move(ways);
      if (known.size() > kMostStates) throw TooLarge{};
    }
    Buchi out;
    std::map<std::pair<Set, std::size_t>, std::uint32_t> numbers;
    std::vector<std::pair<Set, std::size_t>> states{{Set{root}, 0}};
    numbers[states[0]] = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (poll) poll();
      const auto [set, level] = states[i];
      out.edges.emplace_back();
      for (const Way& way : known[set]) {
        const auto met = [&](std::size_t n) { return !std::binary_search(way.put_off.begin(), way.put_off.end(), untils[n]); };
        std::size_t reached = level;
        while (reached < untils.size() && met(reached)) ++reached;
        const bool accepting = reached == untils.size();
        if (accepting)
          for (reached = 0; reached < level && reached < untils.size() && met(reached);) ++reached;
        const std::pair<Set, std::size_t> to{way.next, accepting && untils.empty() ? 0 : reached};
        const auto [at, fresh] = numbers.emplace(to, static_cast<std::uint32_t>(states.size()));
        if (fresh) states.push_back(to);
        out.edges[i].push_back({at->second, way.holds, way.fails, accepting});
      }
      if (states.size() > kMostStates) throw TooLarge{};
    }
    return merged(std::move(out), poll);
  } catch (const TooLarge&) {
    return Diagnostic{fmt::format("the formula is too large: its automaton would have more than {} states, or take too long to make", kMostStates)};
  }
}

}  // namespace tarry::ltl
