// The nodes that nested depth-first search walks: a state, what the execution has guessed, and what it waits for.
//
// Hot and cold: an endless execution guesses once which property it violates. From then on it takes no edge that shows that
// property cold, and edges that show it hot are accepting. Weak fairness makes copies of these nodes (explore/liveness/copies.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "explore/liveness/copies.h"

namespace tarry {

class NestedNodes {
 public:
  using Id = StateGraph::Id;
  struct Node {
    Id state;
    std::uint32_t mode;  // 0: nothing is guessed yet; i + 1: property i
    std::uint32_t copy;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Way {
    Node to;
    bool accepting;
  };

  NestedNodes(DeepGraph& deep, const Session& session)
      : deep_(deep), copies_(deep, session), modes_(static_cast<std::uint32_t>(deep.properties().size()) + 1) {}

  std::uint32_t modes() const { return modes_; }
  const Copies& copies() const { return copies_; }
  std::uint64_t per_state() const { return std::uint64_t{modes_} * copies_.count(); }
  std::size_t place(const Node& node) const {
    return (std::size_t{node.state} * modes_ + node.mode) * copies_.count() + node.copy;
  }

  /// Returns true if the node has guessed that a property is violated, and the edge shows that property cold.
  bool forbidden(const Node& node, const StateGraph::Edge& edge) const {
    return node.mode != 0 && (deep_.graph().label(edge).marks.cold >> (node.mode - 1) & 1) != 0;
  }
  /// Returns where an edge leads. Requires: it is not forbidden.
  Way along(const Node& node, const StateGraph::Edge& edge) const {
    if (node.mode == 0) return {{edge.to, 0, 0}, false};
    const auto [copy, accepting] = copies_.along(node.state, edge, node.mode - 1, node.copy);
    return {{edge.to, node.mode, copy}, accepting};
  }

 private:
  DeepGraph& deep_;
  Copies copies_;
  std::uint32_t modes_;
};

}  // namespace tarry
