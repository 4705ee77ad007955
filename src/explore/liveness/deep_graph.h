// The graph of a program, grown by the delays of an explorer: first all that costs nothing, then all that costs one, and so on.
//
// As in figures 3 to 5 of Desai, Qadeer, Rajamani (MSR-TR-2015-28): with each state the explorer's memory and the delays at its first visit are kept (H), so that its
// later turns can be taken when the bound has grown. A step is taken when it is asked for, once; the edge is kept. Which states belong to a bound depends
// on the order in which edges are asked for, so searches ask in the order of the figures' recursion.
//
// Data choices are points of their own, as in explore/stratified.h: value v costs v. Values that cost too much are edges to kOutside until then.
//
// Several workers can grow one graph, each with a DeepGraph of its own. A state's edges are asked for by one of them at a time, and who asks next has seen what the one
// before it did (acquire and release are the search's business). Searches that find a state learn of it once: `found_new`.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/spin_lock.h"
#include "explore/delay_bounding.h"
#include "explore/liveness/state_graph.h"
#include "explore/walker.h"

namespace tarry {

class DeepGraph final : public Walker {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;

  /// What is kept of each state besides its edges.
  struct Keeps {
    bool who_can_run = false;
    bool arriving = false;  // how many edges lead to it
  };
  explicit DeepGraph(Session& session) : DeepGraph(session, Keeps{}) {}
  DeepGraph(Session& session, Keeps keeps);
  /// One more worker on the graph of the first one, which outlives it.
  DeepGraph(Session& session, DeepGraph& first, std::uint32_t number);

  /// The first state. False if there is nothing to be explored: what is wrong has been reported.
  bool begin();

  /// The edge behind `after` (kNone: the first one) of a state that costs at most `bound`. kNone: there is none, or the search is over; `beyond` says whether
  /// there are some that cost more.
  EdgeId next(Id state, EdgeId after, std::uint64_t bound, bool& beyond);
  /// The edge that `next` gave leads to a state that nobody had found before.
  bool found_new() const { return found_new_; }

  StateGraph& graph() { return graph_; }
  const StateGraph& graph() const { return graph_; }
  StateSpace& states() { return space(); }
  Narrator& teller() { return narrator(); }
  const std::vector<Property>& properties() const { return shared_.properties; }
  MemoryBudget& budget() { return shared_.budget; }
  /// The search will need so many bytes more for each state and edge: it ends for lack of memory while there is still room for them. Call it before `begin`.
  void leave_room(std::uint64_t per_state, std::uint64_t per_edge) { shared_.room = {per_state, per_edge}; }
  bool keeps_who_can_run() const { return shared_.keeps.who_can_run; }
  bool over() { return session().stopping(); }
  /// Call now and then while no step is taken.
  bool rest() { return tick(); }
  /// The same, where the search does not end: a cycle that was found is reported.
  void show_life() { bump(counters().beat); }

  /// Is the process able to run in a state, in the whole program? Requires: that is kept.
  bool can_run(Id state, std::uint32_t process) const { return (can_run(state)[process / 64] >> (process % 64) & 1) != 0; }
  std::span<const std::uint64_t> can_run(Id state) const { return shared_.surveys.get<std::uint64_t>(shared_.enabled[state]); }

  /// How many edges lead to each state. Requires: that is kept.
  std::span<const std::uint32_t> arriving() const { return {shared_.arriving.data(), graph_.size()}; }

  /// Fills the session's outcome. `bound`: what was bounded.
  void conclude(Bound bound);

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
  /// By edge. Workers meet in it only where they have the same shard.
  class WaitingValues {
   public:
    static constexpr std::uint64_t kBytes = 64;  // that one of them takes, with its share of the table

    void put(EdgeId edge, const Waiting& how);
    Waiting at(EdgeId edge);
    void erase(EdgeId edge);

   private:
    struct Shard {
      SpinLock lock;
      std::unordered_map<EdgeId, Waiting> edges;
    };
    Shard& shard(EdgeId edge) { return shards_[edge / 64 % shards_.size()]; }
    std::array<Shard, 32> shards_;
  };
  struct Shared {
    Shared(Session& session, Keeps keeps);
    std::vector<Property> properties;
    MemoryBudget budget;
    StateGraph graph;
    DelayBounding delays;
    Interner surveys;                       // and sets of processes
    VirtualArray<First> first;              // by state
    VirtualArray<std::uint32_t> enabled;    // by state: who can run; where nobody needs to know, nothing
    VirtualArray<std::uint32_t> arriving;   // by state: edges that lead to it; where nobody needs to know, nothing
    WaitingValues waiting;
    std::atomic<std::uint64_t> cut{0};
    const Keeps keeps;
    struct {
      std::uint64_t per_state = 0, per_edge = 0;
    } room;
  };

  DeepGraph(Session& session, std::shared_ptr<Shared> shared, std::uint32_t number);
  EdgeId take_turn(Id state);
  EdgeId follow(Id state, EdgeId at, ProcessId process, std::vector<std::uint32_t> values, const Waiting& how, bool in_place);
  Id arrive(Id state, Move move, const Waiting& how, std::uint32_t process);
  bool meet(Id state, std::uint32_t survey);
  std::uint32_t intern(const Survey& survey);
  void load(std::uint32_t id, Survey& out) const;
  bool faulty();
  bool out_of_memory() const;

  std::shared_ptr<Shared> owner_;
  Shared& shared_;
  StateGraph& graph_;
  DelayBounding& delays_;
  VirtualArray<First>& first_;
  StateGraph::Writer writer_;
  Survey before_, after_;
  std::vector<std::uint64_t> survey_bits_, enabled_bits_;
  std::vector<Word> words_;
  Taken taken_;
  FoldedState folding_;  // of the state that a step is taken from
  Id here_ = 0;
  bool found_new_ = false;
};

/// The workers on a graph: the first one itself if it is alone, else as many new ones as there are jobs. `owned` keeps these.
std::vector<DeepGraph*> workers_on(DeepGraph& first, Session& session, std::vector<std::unique_ptr<DeepGraph>>& owned);

}  // namespace tarry
