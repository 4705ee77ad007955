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

namespace tarry {

class NestedSearch {
 public:
  NestedSearch(Session& session, DeepGraph& deep) : session_(session), deep_(deep), copies_(deep, session), modes_(static_cast<std::uint32_t>(deep.properties().size()) + 1) {}

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
  bool forbidden(const Node& node, EdgeId edge) const;
  Node behind(const Node& node, EdgeId edge) const;
  void leave_edge(const Frame& frame);
  bool finds_way_back(const Node& from, const Node& to);
  std::uint8_t& flags(const Node& node);

  static constexpr std::uint8_t kOuter = 1, kInner = 2;
  Session& session_;
  DeepGraph& deep_;
  Copies copies_;
  std::uint32_t modes_;
  std::uint64_t bound_ = 0;
  bool beyond_ = false;
  std::vector<std::uint8_t> flags_;  // by node
  std::vector<Frame> frames_, inner_;
};

/// Runs `walk` on the graph of a program, from its first state on. `bound`: what it bounds; empty: nothing.
template <class Walk>
void walk_deep_graph(Session& session, const std::string& bound, const Walk& walk) {
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data()) || too_many_copies(session)) return;
  DeepGraph deep(session, {.who_can_run = fair_copies(session)});
  const WhereaboutsScope here(deep);
  const Inside inside(deep.graph().store().gate());
  if (deep.begin()) walk(deep);
  deep.conclude(bound);
}

}  // namespace tarry
