// The graph of a program, grown by the delays of an explorer: first all that costs nothing, then all that costs one, and so on.
//
// As in figures 3 to 5 of Desai, Qadeer, Rajamani (MSR-TR-2015-28): with each state the explorer's memory and the delays at its first visit are kept (H), so that its
// later turns can be taken when the bound has grown. A step is taken when it is asked for, once; the edge is kept. Which states belong to a bound depends
// on the order in which edges are asked for, so searches ask in the order of the figures' recursion.
//
// Data choices are points of their own, as in explore/stratified.h: value v costs v. Values that cost too much are edges to kOutside until then.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "explore/delay_bounding.h"
#include "explore/liveness/state_graph.h"
#include "explore/walker.h"

namespace tarry {

class DeepGraph final : public Walker {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;

  explicit DeepGraph(Session& session);

  /// The first state. False if there is nothing to be explored: what is wrong has been reported.
  bool begin();

  /// The edge behind `after` (kNone: the first one) of a state that costs at most `bound`. kNone: there is none, or the search is over; `beyond` says whether
  /// there are some that cost more.
  EdgeId next(Id state, EdgeId after, std::uint64_t bound, bool& beyond);

  StateGraph& graph() { return graph_; }
  StateSpace& states() { return space(); }
  const std::vector<Property>& properties() const { return properties_; }
  MemoryBudget& budget() { return budget_; }
  std::uint64_t cut() const { return cut_; }
  bool over() { return session().stopping(); }
  /// Call now and then while no step is taken.
  bool rest() { return tick(); }

  /// A cycle that starts with the edge and comes back to where it starts, along edges that do not show the property cold. Requires: there is one.
  void report_cycle(Id from, EdgeId edge, std::uint32_t property);

  /// Fills the session's outcome. `bound`: what was bounded.
  void conclude(const std::string& bound);

  std::size_t path(Move* out, std::size_t room) const noexcept override { return graph_.copy_path(here_, out, room); }

 private:
  struct First {  // of a state: what H holds, and how far its turns are
    std::uint32_t memo;  // of the turn that is next
    std::uint32_t survey;
    std::uint32_t cost;
    std::uint32_t depth;
    std::uint32_t turn = 0, turns = 0;
    EdgeId last = StateGraph::kNone;  // of its edges
  };
  struct Waiting {  // a value that was too dear
    std::uint32_t memo, survey;
    std::uint64_t cost;
  };

  EdgeId take_turn(Id state);
  EdgeId follow(Id state, EdgeId at, ProcessId process, std::vector<std::uint32_t> values, const Waiting& how, bool in_place);
  Id arrive(Id state, Move move, const Waiting& how, std::uint32_t process);
  bool meet(Id state, std::uint32_t survey);
  std::uint32_t intern(const Survey& survey);
  void load(std::uint32_t id, Survey& out) const;
  bool faulty();
  std::vector<Move> shortest(Id from, Id to, std::uint32_t avoid) const;

  std::vector<Property> properties_;
  MemoryBudget budget_;
  StateGraph graph_;
  StateGraph::Writer writer_;
  DelayBounding delays_;
  Interner surveys_;
  VirtualArray<First> first_;  // by state
  std::unordered_map<EdgeId, Waiting> waiting_;
  Survey before_, after_;
  std::vector<std::uint64_t> survey_bits_;
  std::vector<Word> words_;
  Taken taken_;
  Id here_ = 0;
  std::uint64_t cut_ = 0;
};

}  // namespace tarry
