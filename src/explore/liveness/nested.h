// Nested depth-first search (Holzmann, Peled, Yannakakis: On nested depth first search, SPIN 1996) over a graph that is grown as it is walked.
//
// The outer search walks everything. When it leaves an accepting edge for good, an inner one looks for a way from its end back to its start. What an inner
// search has visited, later ones need not visit again, because the outer one leaves edges in post-order.
//
// Hot and cold: an endless execution guesses once which property it violates. From then on it takes no edge that shows that property cold, and edges that show it
// hot are accepting. So a node is a state with a guess, and the outer search is depth-first on nodes. Weak fairness makes copies of these (explore/liveness/copies.h).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/liveness/copies.h"
#include "store/counted_stack.h"

namespace tarry {

class NestedSearch {
 public:
  NestedSearch(Session& session, DeepGraph& deep);

  /// Walks what costs at most `bound`, from the start. True: there is more that costs more. A cycle is reported, and ends the search.
  bool run(std::uint64_t bound);

 private:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;
  struct Node {
    Id state;
    std::uint32_t mode;  // 0: nothing is guessed yet; i + 1: property i
    std::uint32_t copy;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Frame {
    Node node;
    std::uint32_t guess = 1;
    EdgeId edge = StateGraph::kNone;
    bool entered = false;  // the edge has been walked, and is to be left
  };

  void enter(const Node& node);
  void push(CountedStack<Frame>& stack, const Node& node) {
    if (!stack.push({node})) session_.stop(StoppedBy::kMemory);
  }
  bool forbidden(const Node& node, EdgeId edge) const;
  Node behind(const Node& node, EdgeId edge) const;
  void leave_edge(const Frame& frame);
  bool finds_way_back(const Node& from, const Node& to);
  std::uint8_t& flags(const Node& node) { return flags_[(std::size_t{node.state} * modes_ + node.mode) * copies_.count() + node.copy]; }

  static constexpr std::uint8_t kOuter = 1, kInner = 2;
  Session& session_;
  DeepGraph& deep_;
  Copies copies_;
  std::uint32_t modes_;
  std::uint64_t bound_ = 0;
  bool beyond_ = false;
  VirtualArray<std::uint8_t> flags_;  // by node
  CountedStack<Frame> frames_, inner_;
};

/// Calls `walk` with a nested search of the program. `bound`: what it bounds; empty: nothing.
template <class Walk>
void walk_nested(Session& session, Bound bound, const Walk& walk) {
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data()) || too_many_copies(session)) return;
  DeepGraph deep(session, {.who_can_run = fair_copies(session)});
  NestedSearch nested(session, deep);
  const WhereaboutsScope here(deep);
  const Inside inside(deep.graph().store().gate());
  if (deep.begin()) walk(nested);
  deep.conclude(bound);
}

}  // namespace tarry
