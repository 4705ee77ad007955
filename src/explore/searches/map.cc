// Maximum accepting predecessors: cycles that violate a liveness property, sought with a delay bound that grows.
//
// Figures 3, 4 and 5 of Desai, Qadeer, Rajamani (MSR-TR-2015-28), with these differences.
// - The graph is kept (explore/liveness/deep_graph.h): no step of the program is taken twice, at whatever bound.
// - The recursion of CalculateMap is a stack here, which visits in the same order.
// - Refinement: the partitions of a round are those it began with, so that nothing leaks from one to another. States without a predecessor in their partition and
//   partitions without an accepting edge inside are dropped before each round.
// - A property has hot and cold edges: hot ones are accepting, and along cold ones nothing is handed on, because a cycle must not pass them.
//
// The order on states is that in which they were found, the first one last: then most states learn their maximum at once, and what leads to a cycle is dropped before
// the first round. In the other order (--newest 1) every state that is found may have to be handed on to everything behind it.
//
// Every endless execution counts: there is no fairness, and data choices may go against the program. One worker.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/registry.h"
#include "explore/liveness/deep_graph.h"

namespace tarry {
namespace {

using Id = StateGraph::Id;
using EdgeId = StateGraph::EdgeId;

class MapSearcher {
 public:
  MapSearcher(Session& session, std::uint64_t delta, bool newest) : session_(session), deep_(session), delta_(delta), newest_(newest), maps_(deep_.properties().size()) {}

  void run() {
    const WhereaboutsScope here(deep_);
    const Inside inside(deep_.graph().store().gate());
    const auto start = Clock::now();
    if (deep_.begin()) search();
    deep_.conclude("delays");
    const double all = std::chrono::duration<double>(Clock::now() - start).count();
    if (refining_ > 0 && all > 0) session_.outcome.notes.push_back(fmt::format("refinement took {:.0f} % of the time, in {} round{}", 100 * refining_ / all, rounds_, rounds_ == 1 ? "" : "s"));
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Frame {
    Id state;
    EdgeId edge = StateGraph::kNone;
    bool beyond = false;
  };

  /// Figure 3.
  void search() {
    make_room(0);
    visited_[0] = true;
    frontier_ = {0};
    in_frontier_[0] = true;
    const auto last = session_.options().limits.max_delays;
    for (bound_ = 0;; bound_ = last ? std::min(bound_ + delta_, *last) : bound_ + delta_) {
      session_.progress().bound.store(bound_, std::memory_order_relaxed);
      std::vector<Id> work = std::move(frontier_);
      frontier_.clear();
      for (const Id s : work) in_frontier_[s] = false;
      for (const Id s : work) calculate(s);
      if (session_.stopping()) return;
      const auto start = Clock::now();
      for (std::uint32_t i = 0; i < maps_.size() && !session_.stopping(); ++i) refine(i);
      refining_ += std::chrono::duration<double>(Clock::now() - start).count();
      if (session_.stopping()) return;
      session_.outcome.reached = bound_;
      session_.outcome.reached_any = true;
      session_.progress().frontier = frontier_.size();
      if (frontier_.empty()) return;
      if (last && bound_ >= *last) return session_.stop(StoppedBy::kBound);
    }
  }

  /// Figure 4, from one state.
  void calculate(Id root) {
    frames_.push_back({root});
    while (!frames_.empty() && !session_.stopping()) {
      Frame& frame = frames_.back();
      const Id state = frame.state;
      frame.edge = deep_.next(state, frame.edge, bound_, frame.beyond);
      if (frame.edge == StateGraph::kNone) {
        if (frame.beyond && !in_frontier_[state]) in_frontier_[state] = true, frontier_.push_back(state);
        frames_.pop_back();
      } else if (raise(state, frame.edge)) {
        frames_.push_back({deep_.graph().edge(frame.edge).to});
      } else {
        deep_.rest();
      }
    }
    frames_.clear();
  }

  /// The place of a state in the order; 0 is null, which comes before all.
  std::uint32_t place(Id state) const { return newest_ ? state + 1 : ~state; }

  /// What is handed on along an edge, to a state that knows `known`. Says whether it closes a cycle.
  struct HandedOn {
    std::uint32_t value;
    bool cycle;
  };
  HandedOn handed_on(std::uint32_t map, const StateGraph::Edge& edge, std::uint32_t bit) const {
    const abi::Marks& marks = deep_graph().label(edge).marks;
    if ((marks.cold & bit) != 0) return {0, false};
    if ((marks.hot & bit) == 0) return {map, false};
    const std::uint32_t to = place(edge.to);
    return {std::max(map, to), map == to};
  }
  const StateGraph& deep_graph() const { return const_cast<DeepGraph&>(deep_).graph(); }

  /// Does the end of the edge learn something?
  bool raise(Id state, EdgeId e) {
    const StateGraph::Edge edge = deep_.graph().edge(e);
    make_room(edge.to);
    bool learns = !visited_[edge.to];
    visited_[edge.to] = true;
    for (std::uint32_t i = 0; i < maps_.size(); ++i) {
      const auto [value, cycle] = handed_on(maps_[i][state], edge, 1u << i);
      if (cycle) return deep_.report_cycle(state, e, i), false;
      if (maps_[i][edge.to] >= value) continue;
      maps_[i][edge.to] = value;
      learns = true;
    }
    return learns;
  }

  /// Figures 3 (lines 11 to 19) and 5.
  void refine(std::uint32_t property) {
    const std::uint32_t bit = 1u << property;
    if ((deep_.graph().hot() & bit) == 0) return;
    part_ = maps_[property];
    part_.resize(deep_.graph().size());
    while (drop(bit)) {
      ++rounds_;
      if (!recalculate(property)) return;
      part_.swap(map_);
    }
  }

  bool inside(Id state, const StateGraph::Edge& edge, std::uint32_t bit) const {
    return edge.to != StateGraph::kOutside && part_[state] != 0 && part_[state] == part_[edge.to] && (deep_graph().label(edge).marks.cold & bit) == 0;
  }

  /// Drops what cannot hold a cycle. False: nothing is left.
  bool drop(std::uint32_t bit) {
    const StateGraph& graph = deep_.graph();
    std::vector<std::uint32_t> arriving(part_.size(), 0);
    for (Id s = 0; s < part_.size(); ++s)
      graph.for_each_edge(s, [&](EdgeId, const StateGraph::Edge& edge) {
        if (inside(s, edge, bit)) ++arriving[edge.to];
      });
    std::vector<Id> work;
    for (Id s = 0; s < part_.size(); ++s)
      if (part_[s] != 0 && arriving[s] == 0) work.push_back(s);
    while (!work.empty()) {
      const Id s = work.back();
      work.pop_back();
      graph.for_each_edge(s, [&](EdgeId, const StateGraph::Edge& edge) {
        if (inside(s, edge, bit) && --arriving[edge.to] == 0) work.push_back(edge.to);
      });
      part_[s] = 0;
    }
    std::vector<bool> accepting(part_.size() + 1, false);  // by the root of a partition
    for (Id s = 0; s < part_.size(); ++s)
      graph.for_each_edge(s, [&](EdgeId, const StateGraph::Edge& edge) {
        if (inside(s, edge, bit) && (graph.label(edge).marks.hot & bit) != 0) accepting[root(part_[s])] = true;
      });
    bool some = false;
    for (std::uint32_t& part : part_) {
      if (part != 0 && !accepting[root(part)]) part = 0;
      some = some || part != 0;
    }
    return some;
  }
  Id root(std::uint32_t value) const { return newest_ ? value - 1 : ~value; }

  /// The maps anew, within each partition. False: a cycle was found, or the search is over.
  bool recalculate(std::uint32_t property) {
    const StateGraph& graph = deep_.graph();
    map_.assign(part_.size(), 0);
    std::vector<Id> work;
    std::vector<bool> queued(part_.size(), false);
    for (Id s = static_cast<Id>(part_.size()); s-- > 0;)
      if (part_[s] != 0) work.push_back(s), queued[s] = true;
    while (!work.empty()) {
      const Id s = work.back();
      work.pop_back();
      queued[s] = false;
      if (deep_.rest()) return false;
      for (EdgeId e = graph.first_edge(s); e != StateGraph::kNone; e = graph.edge(e).next) {
        const StateGraph::Edge& edge = graph.edge(e);
        if (!inside(s, edge, 1u << property)) continue;
        const auto [value, cycle] = handed_on(map_[s], edge, 1u << property);
        if (cycle) return deep_.report_cycle(s, e, property), false;
        if (map_[edge.to] >= value) continue;
        map_[edge.to] = value;
        if (!queued[edge.to]) work.push_back(edge.to), queued[edge.to] = true;
      }
    }
    return true;
  }

  void make_room(Id state) {
    if (state < visited_.size()) return;
    const std::size_t size = std::max<std::size_t>(state + 1, visited_.size() * 2);
    visited_.resize(size);
    in_frontier_.resize(size);
    for (auto& map : maps_) map.resize(size);
  }

  Session& session_;
  DeepGraph deep_;
  std::uint64_t delta_;
  bool newest_;
  std::uint64_t bound_ = 0;
  std::vector<bool> visited_, in_frontier_;
  std::vector<Id> frontier_;
  std::vector<std::vector<std::uint32_t>> maps_;  // by property and state: its maximum accepting predecessor
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> part_, map_;  // while one property is refined
  double refining_ = 0;
  std::uint64_t rounds_ = 0;
};

class MaximumAccepting final : public Search {
 public:
  MaximumAccepting(std::uint64_t delta, bool newest) : delta_(delta), newest_(newest) {}
  void run(Session& session) override {
    std::vector<Word> words(session.program().shape().words);
    if (start(session, words.data())) MapSearcher(session, delta_, newest_).run();
  }

 private:
  std::uint64_t delta_;
  bool newest_;
};

const Registration<Search> entry{{
    .name = "map",
    .summary = "liveness without fairness, by number of delays: maximum accepting predecessors",
    .paper = "Desai, Qadeer, Rajamani, MSR-TR-2015-28, figures 3 to 5",
    .params = {{"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"}, {"newest", 0, 0, 1, "1: states that were found later come last in the order, not first"}},
    .kind = {.takes_explorer = true,
             .decides_liveness = true,
             .complete = true,
             .limits = {"max-delays", "choice-cost"},
             .make = [](const ParamValues& values) { return std::make_unique<MaximumAccepting>(static_cast<std::uint64_t>(values.at("delta")), values.at("newest") != 0); }},
}};

}  // namespace
}  // namespace tarry
