// The graph of a program, as far as it was explored, for searches that look for cycles in it.
//
// States are numbers in the order in which they were found. Each has the state and the move that it was found by (8 bytes), its key (8 bytes and a place
// in a table) and a list of edges (16 bytes each): where it leads, by which move, and what it shows of the liveness properties. What an edge shows is
// a number, too: few combinations occur.
//
// States can be added and connected by several workers at once, inside the gate of the store, each with a writer of its own and each state connected by one of them. The
// edges of a state are read by who writes them, or when nobody writes. A state that is not explored yet has no edges; an edge to kOutside is an outcome that is known and not followed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/virtual_array.h"
#include "core/search.h"
#include "store/pair_table.h"
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
  std::uint64_t capacity() const { return heads_.capacity(); }
  /// The pages of arrays with an element for each state.
  Pages pages() const { return pages_; }
  std::uint32_t edge_count() const { return edge_count_.load(std::memory_order_relaxed); }  // places of edges; a few may be empty, and in no list
  const Edge& edge(EdgeId id) const { return edges_[id]; }
  const EdgeLabel& label(const Edge& edge) const { return labels_[edge.label]; }
  EdgeId first_edge(Id state) const { return heads_[state] - 1; }  // kNone: it has none
  /// Calls f(EdgeId, const Edge&) for every edge of a state, the one that came last first.
  template <class F>
  void for_each_edge(Id state, F&& f) const {
    for (EdgeId e = first_edge(state); e != kNone; e = edges_[e].next) f(e, edges_[e]);
  }

  /// Some step has a data choice.
  bool has_choices() const { return has_choices_.load(std::memory_order_relaxed); }
  /// Every property that some edge shows hot.
  std::uint32_t hot() const { return hot_.load(std::memory_order_relaxed); }
  StateStore& store() { return store_; }
  /// Copies the moves by which a state was found, for signal handlers; returns how many there are.
  std::size_t copy_path(Id state, Move* out, std::size_t room) const noexcept;
  const Moves& moves() const { return moves_; }
  bool has_values(const Edge& edge) { return moves_.make(moves_.process(edge.move), {}) != edge.move; }
  void words(Id state, Word* out) const { store_.state(StateKey{ids_.pair(state)}, out); }
  void words(Id state, Word* out, FoldedState* folding) const { store_.state(StateKey{ids_.pair(state)}, out, folding); }

  struct Added {
    Id id;
    bool fresh;
  };
  /// The state, whether it was there or not. `from` and `move`: how it was reached. New states are numbered in the order in which they come.
  Added add(StateKey key, Id from, Move move);

  /// One worker's pen. Takes room in blocks, so that workers do not meet.
  class Writer {
   public:
    explicit Writer(StateGraph& graph) : graph_(graph), numbers_(graph.ids_) {}

   private:
    friend class StateGraph;
    StateGraph& graph_;
    PairTable::Numbers numbers_;
    EdgeId next_ = 0, end_ = 0;
    EdgeLabel last_{};  // and its number: mostly the next one is the same
    std::uint32_t last_number_ = 0;
  };
  /// The same as `add`, with a number of the worker's own: some numbers below size() are of no state then, and have no edges.
  Added add(Writer& writer, StateKey key, Id from, Move move);
  EdgeId connect(Writer& writer, Id from, Id to, Move move, const EdgeLabel& label);
  /// The same, behind another edge of the state; kNone: as its first.
  EdgeId connect_behind(Writer& writer, EdgeId before, Id from, Id to, Move move, const EdgeLabel& label);
  /// An outcome that was not followed is followed now.
  void redirect(Writer& writer, EdgeId edge, Id to, Move move, const EdgeLabel& label);

  /// There is no room for many more states or edges: the search has to stop.
  bool full() const { return full_.load(std::memory_order_relaxed) || ids_.out_of_numbers() || edge_count() + (1u << 21) >= edges_.capacity(); }

 private:
  void make_room();
  Added found(Id id, Id from, Move move);
  std::uint32_t number_of(Writer& writer, const EdgeLabel& label);
  void see(const EdgeLabel& label, const Edge& edge);

  Moves& moves_;
  MemoryBudget& budget_;
  const Pages pages_;
  StateStore store_;
  PairTable ids_;
  std::atomic<bool> full_{false};
  VirtualArray<std::uint64_t> found_by_;  // the state, plus one, and the move; 0: the first state
  VirtualArray<std::uint32_t> heads_;  // of its list of edges, plus one
  VirtualArray<Edge> edges_;
  std::atomic<EdgeId> edge_count_{0};
  std::atomic<std::uint32_t> hot_{0};
  std::atomic<bool> has_choices_{false};
  std::mutex mutex_;  // guards what follows, while the graph is written
  VirtualArray<EdgeLabel> labels_;  // read without the lock by who has seen an edge with that label
  std::uint32_t label_count_ = 1;
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> label_numbers_;
};

}  // namespace tarry
