// The graph of a program, as far as it was explored, for searches that look for cycles in it.
//
// States are numbers in the order in which they were found. Each has the moves that lead to it from the first one (8 bytes), its key (8 bytes and a place
// in a table) and a list of edges (16 bytes each): where it leads, by which move, and what it shows of the liveness properties. What an edge shows is
// a number, too: few combinations occur.
//
// Used by one worker. The state that is not explored yet has no edges; an edge to kOutside is an outcome that is known and not followed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "base/virtual_array.h"
#include "core/search.h"
#include "store/pair_table.h"
#include "store/path_log.h"
#include "store/state_store.h"

namespace tarry {

/// What a transition shows of the properties, and who resolves its data choices.
struct EdgeLabel {
  abi::Marks marks;
  abi::Resolved resolved;
};

class StateGraph {
 public:
  using Id = std::uint32_t;    // of a state
  using EdgeId = std::uint32_t;
  static constexpr Id kOutside = ~Id{0};
  static constexpr EdgeId kNone = ~EdgeId{0};

  struct Edge {
    Id to;
    Move move;
    std::uint32_t label;
    EdgeId next;  // of the same state
  };

  StateGraph(Session& session, MemoryBudget& budget);

  std::uint32_t size() const { return ids_.size(); }
  std::uint32_t edge_count() const { return edge_count_; }
  const Edge& edge(EdgeId id) const { return edges_[id]; }
  const EdgeLabel& label(const Edge& edge) const { return labels_[edge.label]; }
  EdgeId first_edge(Id state) const { return heads_[state] - 1; }  // kNone: it has none
  /// Calls f(EdgeId, const Edge&) for every edge of a state, the one that came last first.
  template <class F>
  void for_each_edge(Id state, F&& f) const {
    for (EdgeId e = first_edge(state); e != kNone; e = edges_[e].next) f(e, edges_[e]);
  }

  /// Some step has a data choice.
  bool has_choices() const { return has_choices_; }
  /// Every property that some edge shows hot.
  std::uint32_t hot() const { return hot_; }
  StateStore& store() { return store_; }
  const PathLog& log() const { return log_; }
  const Moves& moves() const { return moves_; }
  bool has_values(const Edge& edge) { return moves_.make(moves_.process(edge.move), {}) != edge.move; }
  void words(Id state, Word* out) const { store_.state(StateKey{ids_.pair(state)}, out); }
  void words(Id state, Word* out, FoldedState* folding) const { store_.state(StateKey{ids_.pair(state)}, out, folding); }

  struct Added {
    Id id;
    bool fresh;
  };
  /// The state, whether it was there or not. `from` and `move`: how it was reached.
  Added add(StateKey key, Id from, Move move);
  EdgeId connect(Id from, Id to, Move move, const EdgeLabel& label);
  /// The same, behind another edge of the state; kNone: as its first.
  EdgeId connect_behind(EdgeId before, Id from, Id to, Move move, const EdgeLabel& label);
  /// An outcome that was not followed is followed now.
  void redirect(EdgeId edge, Id to, Move move, const EdgeLabel& label);

  /// No further state or edge has a number.
  bool out_of_numbers() const { return ids_.out_of_numbers() || edge_count_ + (1u << 20) >= edges_.capacity(); }

 private:
  std::uint32_t number_of(const EdgeLabel& label);

  Moves& moves_;
  MemoryBudget& budget_;
  StateStore store_;
  PairTable ids_;
  PathLog log_;
  PathLog::Writer writer_;
  VirtualArray<std::uint32_t> heads_;  // of its list of edges, plus one
  VirtualArray<Edge> edges_;
  EdgeId edge_count_ = 0;
  std::uint32_t hot_ = 0;
  bool has_choices_ = false;
  std::vector<EdgeLabel> labels_;
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> label_numbers_;
  std::uint32_t last_label_ = 0;
};

}  // namespace tarry
