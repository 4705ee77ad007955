// Maximum accepting predecessors: which value is handed on along an edge, and the refinement of partitions (figures 3, lines 11 to 19, and 5 of Desai, Qadeer, Rajamani).
//
// A node is a state in one of its copies (explore/liveness/copies.h), and a number. What a node knows is the place of a node in an order; 0 is nothing. The partitions of a round are
// those it began with, so that nothing leaks from one to another. Nodes without a predecessor in their partition and partitions without an accepting edge inside are
// dropped before each round.
//
// Workers raise what nodes know by compare-and-swap, and meet at the end of each round. A cycle that one of them sees is there, whatever the others do: values are handed on along edges.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/virtual_vector.h"
#include "explore/liveness/closing_edge.h"
#include "explore/liveness/copies.h"

namespace tarry {

/// Which nodes come last in the order: those of states that were found first, or those of states that were found last.
enum class MapOrder : std::uint8_t { kOldest, kNewest };

class MaxPredecessors {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;
  using Node = std::uint32_t;

  MaxPredecessors(const Copies& copies, MapOrder order) : copies_(copies), newest_(order == MapOrder::kNewest) {}

  Node node(Id state, std::uint32_t copy) const { return state * copies_.count() + copy; }
  std::uint32_t place(Node node) const { return newest_ ? node + 1 : ~node; }
  Node at_place(std::uint32_t place) const { return newest_ ? place - 1 : ~place; }

  struct HandedOn {
    Node to;
    std::uint32_t value;
    bool accepting;
    bool cycle;  // the edge closes one
  };
  /// What is handed on along an edge that does not show the property cold, by a copy that knows `known`.
  HandedOn hand_on(Id state, const StateGraph::Edge& edge, std::uint32_t property, std::uint32_t copy, std::uint32_t known) const {
    const auto [there, accepting] = copies_.along(state, edge, property, copy);
    const Node to = node(edge.to, there);
    if (!accepting) return {to, known, false, false};
    return {to, std::max(known, place(to)), true, known == place(to)};
  }

  /// Makes a value at least as large. True: it was smaller.
  static bool raise(std::uint32_t& value, std::uint32_t to) {
    std::atomic_ref cell(value);
    std::uint32_t seen = cell.load(std::memory_order_relaxed);
    while (seen < to)
      if (cell.compare_exchange_weak(seen, to, std::memory_order_relaxed)) return true;
    return false;
  }
  static std::uint32_t known(const std::uint32_t& value) { return std::atomic_ref(const_cast<std::uint32_t&>(value)).load(std::memory_order_relaxed); }

  const Copies& copies() const { return copies_; }

 private:
  const Copies& copies_;
  bool newest_;
};

class Refinement {
 public:
  using Node = MaxPredecessors::Node;

  /// `workers`: one for each worker, to rest.
  Refinement(const MaxPredecessors& rules, std::vector<DeepGraph*> workers, ClosingEdge& closing);

  /// What the arrays below take, and a list of all nodes that are to be handled.
  static std::uint64_t bytes_per_state(std::uint32_t copies) { return 4 + std::uint64_t{copies} * (3 * 4 + 1 + 2 * 4); }

  /// Finds the states that no cycle leads to: `refine` leaves them out. Call it before, whenever the graph has grown. False: these are all states.
  bool peel();
  /// Refines the partitions of a property, given by what each node knows, until a cycle is seen or nothing is left. False: the search is over, or a cycle was seen.
  bool refine(std::uint32_t property, const VirtualArray<std::uint32_t>& map);
  std::uint64_t rounds() const { return rounds_; }

 private:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;

  template <class F>
  void for_each_inside(Id state, const F& f) const;
  bool drop();
  void count_arriving();
  void drop_unreached();
  bool drop_calm();
  bool recalculate();
  void recalculate_at(Node node, std::uint32_t worker, std::vector<std::uint32_t>& stack);
  std::uint32_t jobs() const { return part_.size() <= 16'384 ? 1 : static_cast<std::uint32_t>(workers_.size()); }
  bool over() { return closing_.seen() || deep_.over(); }

  const MaxPredecessors& rules_;
  std::vector<DeepGraph*> workers_;
  DeepGraph& deep_;
  ClosingEdge& closing_;
  std::uint32_t property_ = 0;
  VirtualVector<std::uint32_t> left_;        // by state: edges to it from states that are not peeled; 0: it is peeled
  VirtualVector<std::uint32_t> part_, map_;  // by node
  VirtualVector<std::uint32_t> arriving_;    // by node: edges inside of its partition
  VirtualVector<std::uint8_t> flags_;        // by node
  std::uint64_t rounds_ = 0;
};

}  // namespace tarry
