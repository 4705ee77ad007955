// The first division of a large graph into strongly connected components, by several workers.
//
// Two steps take turns. Trimming drops states without a predecessor or without a successor inside: they are on no cycle. Then the component of one state is what can be reached from
// it and can reach it: two walks that workers share. Components of real programs are one large one and many small ones, so few turns leave little. What is left then is for Tarjan's
// algorithm, which has one worker.
//
// Papers: McLendon, Hendrickson, Plimpton, Rauchwerger: Finding strongly connected components in distributed graphs, JPDC 2005 (forward and backward, with trimming).
// Invariant: no component is divided. A state that is dropped is on no cycle without removed edges.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "explore/liveness/state_graph.h"
#include "explore/liveness/work_off.h"

namespace tarry {

class SharedSplit {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;
  using Set = std::vector<Id>;

  /// Edges with a bit in `removed` are not there. `over`: asked by one worker now and then; true: give up.
  SharedSplit(const StateGraph& graph, const std::vector<std::uint64_t>& removed, std::uint32_t jobs, std::function<bool()> over) : graph_(graph), removed_(removed), jobs_(jobs), over_(std::move(over)) {}

  struct Parts {
    std::vector<Set> components;  // each in ascending order; one of a single state need not be a cycle
    Set rest;                     // not divided yet, ascending
  };
  /// Divides the graph. The states that are in no part are on no cycle. False in `complete()`: it was given up.
  Parts divide();
  bool complete() const { return !given_up_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint8_t kGone = 1, kForward = 2, kBackward = 4;

  bool is_there(EdgeId e) const { return graph_.edge(e).to != StateGraph::kOutside && (removed_[e / 64] >> (e % 64) & 1) == 0; }
  bool gone(Id s) const { return (flags(s) & kGone) != 0; }
  std::uint8_t flags(Id s) const { return std::atomic_ref(const_cast<std::uint8_t&>(flags_[s])).load(std::memory_order_relaxed); }
  /// True: the flag was not set before.
  bool mark(Id s, std::uint8_t flag) { return (flags(s) & flag) == 0 && (std::atomic_ref(flags_[s]).fetch_or(flag, std::memory_order_relaxed) & flag) == 0; }
  template <class F>
  void for_each_successor(Id s, const F& f) const {
    for (EdgeId e = graph_.first_edge(s); e != StateGraph::kNone; e = graph_.edge(e).next)
      if (is_there(e)) f(graph_.edge(e).to);
  }
  template <class F>
  void for_each_predecessor(Id s, const F& f) const {
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; ++i) f(predecessors_[i]);
  }

  void turn_round();
  void drop(std::vector<WorkList> states);
  template <class Visit>
  void walk(std::vector<WorkList> from, const Visit& visit);
  Set component_of(Id pivot);
  Id pivot() const;
  template <class In>
  std::vector<WorkList> lists_of(const In& in) const;
  bool tired(std::uint32_t worker);

  const StateGraph& graph_;
  const std::vector<std::uint64_t>& removed_;
  std::uint32_t jobs_;
  std::function<bool()> over_;
  std::vector<std::uint32_t> first_, predecessors_;    // the graph turned round
  std::vector<std::uint32_t> arriving_, leaving_;      // by state: edges from and to states that are not gone
  std::vector<std::uint8_t> flags_;                    // by state
  std::uint32_t ticks_ = 0;                            // of worker 0
  std::atomic<bool> given_up_{false};
};

}  // namespace tarry
