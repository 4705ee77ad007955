#include "ltl/rabin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tarry::ltl {
namespace {

constexpr std::size_t kMostMoves = 100'000;
constexpr std::uint64_t kMostLooks = 2'000'000'000;  // states of the Büchi automaton that are looked at, in all moves: a few seconds
constexpr std::uint32_t kNew = ~std::uint32_t{0};

using States = std::vector<bool>;

/// The nodes in the order of a walk from the root: a node, then its children from the oldest to the youngest, each with its
/// subtree.
struct Tree {
  struct Node {
    std::uint32_t name, depth;
    States states;
    auto operator<=>(const Node&) const = default;
  };
  std::vector<Node> nodes;
  auto operator<=>(const Tree&) const = default;
};

bool empty(const States& states) { return std::none_of(states.begin(), states.end(), [](bool in) { return in; }); }

class Steps {
 public:
  Steps(const Buchi& buchi, Letter letter) {
    for (const auto& edges : buchi.edges) {
      auto& all = all_.emplace_back(buchi.edges.size());
      auto& accepting = accepting_.emplace_back(buchi.edges.size());
      for (const Buchi::Edge& edge : edges) {
        if (!edge.takes(letter)) continue;
        all[edge.to] = true;
        if (edge.accepting) accepting[edge.to] = true;
      }
    }
  }
  States all(const States& from) const { return of(all_, from); }
  States accepting(const States& from) const { return of(accepting_, from); }

 private:
  static States of(const std::vector<States>& steps, const States& from) {
    States out(steps.size());
    for (std::size_t s = 0; s < from.size(); ++s)
      if (from[s])
        for (std::size_t t = 0; t < out.size(); ++t)
          if (steps[s][t]) out[t] = true;
    return out;
  }
  std::vector<States> all_, accepting_;
};

/// Returns the end of the subtree of the node at `at`.
std::size_t behind(const Tree& tree, std::size_t at) {
  std::size_t end = at + 1;
  while (end < tree.nodes.size() && tree.nodes[end].depth > tree.nodes[at].depth) ++end;
  return end;
}

/// Moves every node on. Each node gets a youngest child with the states reached by an accepting transition.
Tree grown(const Tree& from, const Steps& steps) {
  Tree out;
  std::vector<Tree::Node> open;  // children that follow the subtrees of their parents
  const auto close = [&](std::uint32_t depth) {
    for (; !open.empty() && open.back().depth > depth; open.pop_back()) out.nodes.push_back(std::move(open.back()));
  };
  for (const Tree::Node& node : from.nodes) {
    close(node.depth);
    out.nodes.push_back({node.name, node.depth, steps.all(node.states)});
    open.push_back({kNew, node.depth + 1, steps.accepting(node.states)});
  }
  close(0);
  return out;
}

/// Removes duplicates: a state stays with the oldest of siblings, and only if the parent has it.
void dispute(Tree& tree) {
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const std::size_t end = behind(tree, at);
    States free = tree.nodes[at].states;
    for (std::size_t child = at + 1; child < end; child = behind(tree, child)) {
      States& states = tree.nodes[child].states;
      for (std::size_t s = 0; s < states.size(); ++s) {
        states[s] = states[s] && free[s];
        if (states[s]) free[s] = false;
      }
    }
  }
}

class Determinisation {
 public:
  Tree step(const Tree& from, const Steps& steps, Rabin::Move& marks) {
    Tree tree = grown(from, steps);
    dispute(tree);
    std::erase_if(tree.nodes, [&](const Tree::Node& node) {
      if (!empty(node.states)) return false;
      if (node.name != kNew) marks.cold |= std::uint32_t{1} << node.name;
      return true;
    });
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
      const std::size_t end = behind(tree, at);
      if (end == at + 1) continue;
      States below(tree.nodes[at].states.size());
      for (std::size_t child = at + 1; child < end; child = behind(tree, child))
        for (std::size_t s = 0; s < below.size(); ++s) below[s] = below[s] || tree.nodes[child].states[s];
      if (below != tree.nodes[at].states) continue;
      for (std::size_t child = at + 1; child < end; ++child)
        if (tree.nodes[child].name != kNew) marks.cold |= std::uint32_t{1} << tree.nodes[child].name;
      tree.nodes.erase(tree.nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, tree.nodes.begin() + static_cast<std::ptrdiff_t>(end));
      if (tree.nodes[at].name != kNew) marks.hot |= std::uint32_t{1} << tree.nodes[at].name;
    }
    name(tree);
    return tree;
  }
  std::uint32_t names() const { return names_; }

 private:
  void name(Tree& tree) {
    for (Tree::Node& node : tree.nodes) {
      if (node.name != kNew) continue;
      std::uint32_t free = 0;
      while (std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const Tree::Node& other) { return other.name == free; })) ++free;
      node.name = free;
      names_ = std::max(names_, free + 1);
    }
  }
  std::uint32_t names_ = 1;
};

}  // namespace

Result<Rabin> deterministic(const Buchi& buchi, std::span<const Letter> letters, const std::function<void()>& poll) {
  Rabin out;
  out.letters_ = letters.size();
  std::vector<Steps> steps;
  for (const Letter letter : letters) {
    if (poll) poll();
    steps.emplace_back(buchi, letter);
  }
  States first(buchi.edges.size());
  first[0] = true;
  std::vector<Tree> trees{{{{0, 0, first}}}};
  std::map<Tree, std::uint32_t> numbers{{trees[0], 0}};
  Determinisation determinisation;
  std::uint64_t work = letters.size() * first.size() * first.size() / 64;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree from = trees[i];
    for (const Steps& step : steps) {
      if (poll) poll();
      for (const Tree::Node& node : from.nodes) work += (2 * static_cast<std::uint64_t>(std::count(node.states.begin(), node.states.end(), true)) + 4) * first.size();
      Rabin::Move move{0, 0, 0};
      Tree to = determinisation.step(from, step, move);
      if (determinisation.names() > Rabin::kMostPairs || out.moves_.size() > kMostMoves || work > kMostLooks)
        return Diagnostic{fmt::format("the formula is too large to be watched: {} pairs and {} moves are the most, and they must not take too long to make", Rabin::kMostPairs, kMostMoves)};
      const auto [at, fresh] = numbers.emplace(to, static_cast<std::uint32_t>(trees.size()));
      if (fresh) trees.push_back(std::move(to));
      move.to = at->second;
      out.moves_.push_back(move);
    }
  }
  out.pairs_ = determinisation.names();
  out.states_ = trees.size();
  return out;
}

bool Rabin::accepts_for_ever(std::uint32_t state, std::size_t letter) const {
  // Brent's algorithm for finding a loop: `state` waits, twice as long each time, until the other one returns to it.
  std::uint32_t at = move(state, letter).to;
  for (std::size_t steps = 1, wait = 1; at != state; ++steps, at = move(at, letter).to)
    if (steps == wait) state = at, steps = 0, wait *= 2;
  std::uint32_t hot = 0, cold = 0;
  do {
    hot |= move(at, letter).hot;
    cold |= move(at, letter).cold;
    at = move(at, letter).to;
  } while (at != state);
  return (hot & ~cold) != 0;
}

}  // namespace tarry::ltl
