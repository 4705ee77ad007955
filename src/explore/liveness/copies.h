// Weak fairness for searches that look for accepting cycles, by copies of the graph (Choueka's counter, as in SPIN).
//
// A fair violation of a property shows it hot again and again, and of every process again and again a step or a state in which it cannot run. An execution waits for these
// in turn, and the copy that it is in says for which: in copy 0 for a hot edge, in copy p + 1 for process p. When it has seen the last one it is back in copy 0, and
// only the edge by which it gets there is accepting. So a cycle of the copies with an accepting edge is a fair violation, and each fair violation has one.
// Without fairness there is one copy, and hot edges are accepting.
#pragma once

#include <cstdint>

#include "explore/liveness/deep_graph.h"

namespace tarry {

/// Are there copies?
inline bool fair_copies(const Session& session) { return session.options().fairness != LoopFairness::kNone && !session.program().properties().empty(); }
/// So many that nobody could hold them: the search has been ended.
bool too_many_copies(Session& session);

class Copies {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;

  /// Requires: fairness is none or weak.
  Copies(DeepGraph& deep, const Session& session);

  std::uint32_t count() const { return count_; }

  struct Along {
    std::uint32_t copy;
    bool accepting;
  };
  /// Where an edge of a state leads from a copy of it. Requires: the edge does not show the property cold.
  Along along(Id state, const StateGraph::Edge& edge, std::uint32_t property, std::uint32_t copy) const {
    const bool hot = (deep_.graph().label(edge).marks.hot >> property & 1) != 0;
    if (count_ == 1) return {0, hot};
    if (copy == 0 && !hot) return {0, false};
    return wait_for_processes(state, edge, std::max(copy, 1u));
  }

  /// Reports a cycle that starts with the edge, in that copy of the state, and comes back to it. Requires: there is one.
  void report(Session& session, Id from, std::uint32_t copy, EdgeId edge, std::uint32_t property) const;

 private:
  struct Hop {
    Id from;
    EdgeId edge;
  };
  Along wait_for_processes(Id state, const StateGraph::Edge& edge, std::uint32_t copy) const;
  std::vector<Hop> stem(Id to) const;
  std::vector<Hop> way_back(Id from, std::uint32_t copy, Id to, std::uint32_t to_copy, std::uint32_t property) const;
  std::size_t first_violated(const std::vector<Hop>& loop) const;
  std::vector<std::string> why(const std::vector<Hop>& loop, std::size_t before) const;

  DeepGraph& deep_;
  const Moves& moves_;
  std::uint32_t count_;
};

}  // namespace tarry
