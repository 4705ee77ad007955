// Nested depth-first search by several workers over one graph that they grow.
//
// Evangelista, Laarman, Petrucci, van de Pol: Improved Multi-Core Nested Depth-First Search (CNDFS), ATVA 2012. Each
// worker runs the whole outer search, and takes edges in an order of its own. Its stack (cyan) and what its inner search visits
// are its own. Nodes whose edges were all left (blue) and nodes behind which there is no accepting cycle (red) are known to all,
// and are not entered again. Before a worker makes the nodes of its inner search red, it waits until all accepting ones among
// them have been searched.
//
// Where we differ:
// - Edges are accepting here, not nodes. A source is a node with an accepting edge. The inner search of a source starts with the
//   ends of its accepting edges, and does not visit the source (that is a cycle). So the paper's red of an accepting node is two
//   marks: red (an inner search has visited it) and searched (its own inner search has ended). Workers wait for the second one.
// - Only the worker that makes a source blue starts its inner search. A worker leaves a node as soon as it is blue.
//
// The graph. A node is that of explore/liveness/nested_nodes.h. A state is expanded by one worker, with all edges that cost at
// most the bound, before any worker takes one of them. The worker that finds a state decides its number of delays, and with it
// the edges that it has at every bound. So the workers walk one fixed graph at each bound, which they discover; with other timing
// it may be another one. In the end, when no edge is left out, it is the graph of the program.
//
// Why a cycle that is seen is one: the inner search of source s reaches a node on the worker's stack, from which the stack leads
// to s.
//
// Why no cycle is missed. Call a source bad if one of its accepting edges lies on a cycle. A worker concludes a source when it
// begins to make the nodes of its inner search red. (1) A successor of a red node is red, or was visited by a worker that is
// making nodes red: each worker visits all successors except red ones, and those on its stack, which end the search. (2) Look at
// the first worker that concludes a bad source, or has visited one when it concludes. It waited until the visited sources were
// searched, so they were concluded before and are not bad. So it concludes a bad source s. By (1) no node that leads to s was red
// until then. So its inner search followed the whole cycle to s, which is on its stack: it saw the cycle. Hence without a cycle
// seen no bad source is ever concluded. But at the end every node is blue, and the worker that made a source blue has concluded
// it.
//
// Why the wait ends. Suppose that the workers that have not ended all wait for ever, that of source s for a source u. Its inner
// search led from s to u by nodes outside of its stack. If u is blue, the worker that made it blue waits with u on top of its
// stack. If not, let v be the first node on that path that is not blue. The node before it is blue, so v was blue or on the stack
// of the worker that made that one blue; there it still is. Either way s leads by an accepting edge to the stack of another
// waiting worker, and on to that worker's source. So the sources of some waiting workers lie on one cycle and are bad. By (2) no
// node of that cycle is red, so each of their inner searches saw it. A search that sees a cycle does not wait: contradiction.
//
// Invariants: cyan nodes are those of the frames of the outer search. What an inner search has visited is red when it has ended,
// so the worker's own marks of it need not be taken back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "explore/liveness/closing_edge.h"
#include "explore/liveness/nested_marks.h"
#include "explore/liveness/nested_nodes.h"

namespace tarry {

class ParallelNested {
 public:
  /// Requires: more than one job. Call it before `deep.begin`.
  ParallelNested(Session& session, DeepGraph& deep);
  ~ParallelNested();

  /// Walks what costs at most `bound`, from the start. Returns true if there is more that costs more. A cycle is reported, and
  /// ends the search. Requires: the caller is outside of the gate of the store.
  bool run(std::uint64_t bound);

 private:
  class Worker;
  using Node = NestedNodes::Node;

  void begin_bound();
  NestedMark mark(const Node& node) { return NestedMark(marks_[nodes_.place(node)]); }
  ExpansionMark expansion(StateGraph::Id state) { return ExpansionMark(expansions_[state]); }
  bool over() const { return session_.stopping() || closing_.seen(); }

  Session& session_;
  DeepGraph& deep_;
  NestedNodes nodes_;
  std::size_t most_nodes_;
  std::vector<std::unique_ptr<DeepGraph>> helpers_;
  std::vector<std::unique_ptr<Worker>> workers_;
  ClosingEdge closing_;
  std::uint64_t bound_ = 0;
  VirtualArray<NestedMark::Bits> marks_;          // by node
  VirtualArray<ExpansionMark::Bits> expansions_;  // by state
};

}  // namespace tarry
