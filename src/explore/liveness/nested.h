// Nested depth-first search (Holzmann, Peled, Yannakakis: On nested depth first search, SPIN 1996) over a graph that is grown as it is walked.
//
// The outer search walks everything. When it leaves an accepting edge for good, an inner one looks for a way from its end back to its start. What an inner
// search has visited, later ones need not visit again, because the outer one leaves edges in post-order.
//
// It walks the nodes of explore/liveness/nested_nodes.h, with one worker. Several workers: explore/liveness/parallel_nested.h.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/liveness/nested_nodes.h"
#include "store/counted_stack.h"

namespace tarry {

class NestedSearch {
 public:
  NestedSearch(Session& session, DeepGraph& deep);

  /// Walks what costs at most `bound`, from the start. True: there is more that costs more. A cycle is reported, and ends the search.
  bool run(std::uint64_t bound);

 private:
  using EdgeId = StateGraph::EdgeId;
  using Node = NestedNodes::Node;
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
  bool forbidden(const Frame& frame) const { return nodes_.forbidden(frame.node, deep_.graph().edge(frame.edge)); }
  NestedNodes::Way along(const Frame& frame) const { return nodes_.along(frame.node, deep_.graph().edge(frame.edge)); }
  void leave_edge(const Frame& frame);
  bool finds_way_back(const Node& from, const Node& to);
  std::uint8_t& flags(const Node& node) { return flags_[nodes_.place(node)]; }

  static constexpr std::uint8_t kOuter = 1, kInner = 2;
  Session& session_;
  DeepGraph& deep_;
  NestedNodes nodes_;
  std::uint64_t bound_ = 0;
  bool beyond_ = false;
  VirtualArray<std::uint8_t> flags_;  // by node
  CountedStack<Frame> frames_, inner_;
};

}  // namespace tarry
