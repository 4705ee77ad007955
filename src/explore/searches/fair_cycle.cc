// Liveness by fair strongly connected components. This is Tarry's own search, and the default for programs with liveness
// properties.
//
// With an explorer (--explorer, --max-delays, --deepen 1) the graph grows by its delays and is searched after each stratum.
// Otherwise the graph is built breadth first, every step once, and kept (explore/liveness/state_graph.h). Whenever the graph has
// doubled, and at the end, it is searched for parts in which a property could be violated for ever
// (explore/liveness/fair_components.h). So a violation near the start is found early, and all these searches together take no
// more time than two searches of the whole graph. Safety bugs are found on the way, by shortest schedules
// (explore/failing_step.h).
//
// Workers share a level in pieces and meet at its end; then they share the search for components. They also share a stratum of
// delays: a state belongs to the worker that found it. The first visit decides at how many delays a state is, so with several workers
// the states of a bound depend on chance; the graph at the end does not. Everything must be stored: the search stops when memory is
// used up.
#include <algorithm>
#include <atomic>
#include <memory>

#include "core/registry.h"
#include "explore/failing_step.h"
#include "explore/liveness/cycle_finder.h"
#include "explore/liveness/deep_graph.h"
#include "explore/liveness/work_off.h"
#include "explore/walker.h"

namespace tarry {
namespace {

/// Data that the workers share: the graph, and their progress in a level.
struct SharedGraph {
  explicit SharedGraph(Session& session) : budget(session.options().limits.memory), graph(session, budget), properties(session.program().properties()), room(CycleFinder::room(session.options().jobs)) {}

  /// There is no room left for looking at a larger graph.
  bool out_of_memory() const { return graph.full() || budget.used() + graph.size() * room.per_state + graph.edge_count() * room.per_edge > budget.limit(); }

  MemoryBudget budget;
  StateGraph graph;
  std::vector<Property> properties;
  const CycleFinder::Room room;
  StateGraph::Id end = 1;                    // end of the level
  std::atomic<StateGraph::Id> next{0};       // the next state of the level that no worker has taken
  bool at_limit = false;                     // executions are cut here
  FailingStep failing;                       // of the level
  std::atomic<std::uint64_t> cut{0};
};

class FairCycleWorker final : public Walker {
 public:
  FairCycleWorker(Session& session, SharedGraph& shared, std::uint32_t number)
      : Walker(session, number), shared_(shared), graph_(shared.graph), writer_(graph_), expansion_(session.program().shape().words), words_(session.program().shape().words) {}

  /// Expands pieces of the level until it is used up.
  void work() {
    constexpr Id kPiece = 64;
    const WhereaboutsScope here(*this);
    const Inside inside(graph_.store().gate());
    while (true) {
      const Id first = shared_.next.fetch_add(kPiece, std::memory_order_relaxed);
      if (first >= shared_.end) return;
      for (here_ = first; here_ < std::min(first + kPiece, shared_.end); ++here_) {
        if (tick()) return;
        expand_here();
        if (session().stopping()) return;
        if (shared_.out_of_memory()) return session().stop(StoppedBy::kMemory);
      }
    }
  }

  /// Reports the failing step of the level.
  void report_failure() {
    const WhereaboutsScope here(*this);
    const Inside inside(graph_.store().gate());
    const FailingStep::Step& failure = shared_.failing.step();
    here_ = static_cast<Id>(failure.from);
    graph_.words(here_, words_.data());
    report_step(path_here(), words_, failure.process, failure.values, -1);
  }

  StateSpace& states() { return space(); }
  void reached(std::uint64_t depth) { saw_depth(depth); }

  std::size_t path(Move* out, std::size_t room) const noexcept override { return graph_.copy_path(here_, out, room); }

 private:
  using Id = StateGraph::Id;

  void expand_here() {
    StateStore& store = graph_.store();
    graph_.words(here_, words_.data(), &folding_);
    expand(words_, expansion_);
    if (expansion_.deadlock()) return report_deadlock(path_here(), words_, -1);
    if (expansion_.count == 0) return look_at_end();
    if (shared_.at_limit) {
      shared_.cut.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    bump(counters().transitions, std::uint64_t{expansion_.count});
    const bool folded = words_.size() > 2;
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const abi::Successor& successor = expansion_.successors[i];
      const auto values = expansion_.values_of(successor);
      if ((successor.flags & abi::kFailed) != 0) [[unlikely]] return shared_.failing.keep({here_, ProcessId{successor.process}, {values.begin(), values.end()}});
      if (shared_.failing.any()) [[unlikely]] continue;
      const StateKey key = store.key(expansion_.state(i), folded ? &folding_ : nullptr, folded ? &successor_folding_ : nullptr);
      const Move move = session().moves().make(ProcessId{successor.process}, values);
      const auto [to, fresh] = graph_.add(key, here_, move);
      if (fresh) session().count_state(counters());
      graph_.connect(writer_, here_, to, move, {successor.marks, successor.resolved});
    }
  }

  /// Checks whether an execution that ends here owes a property.
  void look_at_end() {
    const std::uint32_t owed = space().owed(words_);
    for (std::size_t i = 0; i < shared_.properties.size(); ++i)
      if ((owed >> i & 1) != 0) return session().report(path_here(), {.label = "", .kind = "liveness", .message = ended_message(shared_.properties[i]), .location = ""}, -1);
  }

  SharedGraph& shared_;
  StateGraph& graph_;
  StateGraph::Writer writer_;
  Expansion expansion_;
  std::vector<Word> words_;
  FoldedState folding_, successor_folding_;
  Id here_ = 0;
};

/// Grows the graph level by level, and searches it whenever it has doubled.
class BreadthFirstCycles {
 public:
  explicit BreadthFirstCycles(Session& session) : session_(session), shared_(session), alone_(session, shared_, 0), workers_(session.options().jobs), finder_(session, shared_.graph, alone_.states(), shared_.budget) {}

  void run(StateView first) {
    Outcome& outcome = session_.outcome;
    outcome.bound = "depth";
    outcome.sealed = session_.program().shape().seals;
    {
      const Inside inside(shared_.graph.store().gate());
      shared_.graph.add(shared_.graph.store().key(first), StateGraph::kOutside, Move{});
    }
    session_.count_state(session_.worker(0));
    build();
    if (!session_.stopping()) look();
    outcome.cut = shared_.cut;
    outcome.bytes = shared_.budget.peak();
    outcome.complete = !session_.stopping() && outcome.cut == 0;
    outcome.live = outcome.complete && !shared_.properties.empty();
    if (!session_.stopping() && outcome.cut > 0) outcome.stopped_by = StoppedBy::kBound;
    if (outcome.live) finder_.note_fair_choices();
  }

 private:
  void build() {
    const Limits& limits = session_.options().limits;
    StateGraph::Id begin = 0, next_look = 1024;
    for (std::uint64_t depth = 0; begin < shared_.graph.size(); ++depth) {
      alone_.reached(depth);
      shared_.next = begin;
      shared_.end = shared_.graph.size();
      shared_.at_limit = limits.max_depth_given && depth >= limits.max_depth;
      session_.progress().bound = depth;
      session_.progress().frontier = shared_.end - begin;
      session_.progress().memory = shared_.budget.used();
      run_level(shared_.end - begin < 256 ? 1 : session_.options().jobs);
      if (shared_.failing.any() && session_.findings().empty()) alone_.on_this_thread(), alone_.report_failure();
      if (session_.stopping()) return;
      session_.outcome.reached = shared_.at_limit ? depth : depth + 1;
      session_.outcome.reached_any = true;
      begin = shared_.end;
      if (begin < next_look) continue;
      next_look = begin * 2;
      look();
      if (session_.stopping()) return;
    }
  }

  void run_level(std::uint32_t jobs) {
    if (jobs == 1) return alone_.on_this_thread(), alone_.work();
    run_workers(jobs, [&](std::uint32_t i) {
      if (workers_[i] == nullptr) workers_[i] = std::make_unique<FairCycleWorker>(session_, shared_, i);
      else workers_[i]->on_this_thread();
      workers_[i]->work();
    });
  }

  void look() {
    alone_.on_this_thread();
    const WhereaboutsScope here(alone_);
    const Inside inside(shared_.graph.store().gate());
    finder_.look();
  }

  Session& session_;
  SharedGraph shared_;
  FairCycleWorker alone_;
  std::vector<std::unique_ptr<FairCycleWorker>> workers_;  // made by the threads that they work on
  CycleFinder finder_;
};

/// Grows the graph by the delays of an explorer, and searches it after each stratum.
class DeepeningCycles {
 public:
  DeepeningCycles(Session& session, std::uint64_t delta) : session_(session), deep_(session), finder_(session, deep_.graph(), deep_.states(), deep_.budget()), delta_(delta) {
    const CycleFinder::Room room = CycleFinder::room(session.options().jobs);
    constexpr std::uint64_t kFrontier = 3 * sizeof(StateGraph::Id);  // while it grows, it is there twice
    deep_.leave_room(room.per_state + kFrontier, room.per_edge);
    workers_ = workers_on(deep_, session, helpers_);
  }

  void run() {
    bool begun = false;
    alone([&] { begun = deep_.begin(); });
    if (begun) deepen();
    alone([&] {
      deep_.conclude("delays");
      if (session_.outcome.live) finder_.note_fair_choices();
    });
  }

 private:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;
  struct Frame {
    Id state;
    EdgeId edge = StateGraph::kNone;
    bool beyond = false;
  };

  /// Runs f while this thread is the only worker.
  template <class F>
  void alone(const F& f) {
    deep_.on_this_thread();
    const WhereaboutsScope here(deep_);
    const Inside inside(deep_.graph().store().gate());
    f();
  }

  void deepen() {
    const auto last = session_.options().limits.max_delays;
    visited_ = {true};
    frontier_ = {0};
    for (std::uint64_t bound = 0;; bound = last ? std::min(bound + delta_, *last) : bound + delta_) {
      session_.progress().bound.store(bound, std::memory_order_relaxed);
      std::vector<Id> work;
      work.swap(frontier_);
      if (workers_.size() > 1) walk_together(std::move(work), bound);
      else
        alone([&] {
          for (const Id s : work) walk(s, bound);
        });
      if (!session_.stopping()) alone([&] { finder_.look(); });
      if (session_.stopping()) return;
      session_.outcome.reached = bound;
      session_.outcome.reached_any = true;
      session_.progress().frontier = frontier_.size();
      if (frontier_.empty()) return;
      if (last && bound >= *last) return session_.stop(StoppedBy::kBound);
    }
  }

  void walk(Id root, std::uint64_t bound) {
    frames_.push_back({root});
    while (!frames_.empty() && !session_.stopping()) {
      Frame& frame = frames_.back();
      frame.edge = deep_.next(frame.state, frame.edge, bound, frame.beyond);
      if (frame.edge == StateGraph::kNone) {
        if (frame.beyond) frontier_.push_back(frame.state);
        frames_.pop_back();
        continue;
      }
      const Id to = deep_.graph().edge(frame.edge).to;
      if (to >= visited_.size()) visited_.resize(std::max<std::size_t>(to + 1, visited_.size() * 2));
      if (visited_[to]) continue;
      visited_[to] = true;
      frames_.push_back({to});
    }
    frames_.clear();
  }

  void walk_together(std::vector<Id> work, std::uint64_t bound) {
    std::vector<std::vector<Id>> kept(workers_.size());
    std::vector<WorkList> lists;
    for (std::size_t i = 0; i < work.size(); i += 1024) lists.emplace_back(work.begin() + static_cast<std::ptrdiff_t>(i), work.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1024, work.size())));
    const auto enter = [&](std::uint32_t worker) {
      workers_[worker]->on_this_thread();
      return std::make_unique<WhereaboutsScope>(*workers_[worker]);
    };
    const auto visit = [&](std::uint32_t worker, Id state, WorkList& stack) {
      DeepGraph& deep = *workers_[worker];
      bool beyond = false;
      for (EdgeId e = deep.next(state, StateGraph::kNone, bound, beyond); e != StateGraph::kNone; e = deep.next(state, e, bound, beyond))
        if (deep.found_new()) stack.push_back(deep.graph().edge(e).to);
      if (beyond) kept[worker].push_back(state);
    };
    work_off(static_cast<std::uint32_t>(workers_.size()), deep_.graph().store().gate(), std::move(lists), enter, visit, [&] { return session_.stopping(); });
    for (const auto& states : kept) frontier_.insert(frontier_.end(), states.begin(), states.end());
  }

  Session& session_;
  DeepGraph deep_;
  std::vector<std::unique_ptr<DeepGraph>> helpers_;
  std::vector<DeepGraph*> workers_;
  CycleFinder finder_;
  std::uint64_t delta_;
  std::vector<bool> visited_;
  std::vector<Id> frontier_;
  std::vector<Frame> frames_;
};

class FairCycle final : public Search {
 public:
  FairCycle(bool deepens, std::uint64_t delta) : deepens_(deepens), delta_(delta) {}

  void run(Session& session) override {
    std::vector<Word> words(session.program().shape().words);
    if (!start(session, words.data())) return;
    if (deepens_) DeepeningCycles(session, delta_).run();
    else BreadthFirstCycles(session).run(words);
  }

 private:
  bool deepens_;
  std::uint64_t delta_;
};

const Registration<Search> entry{{
    .name = "fair-cycle",
    .summary = "decides liveness: strongly connected components that are fair; the default where there is liveness to decide",
    .paper = "Couvreur, FM 1999; Courcoubetis and Yannakakis, JACM 1995",
    .params = {{"deepen", 0, 0, 1, "1: in strata of delays of the explorer, as --explorer and --max-delays say without it"}, {"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"}},
    .kind = {.takes_explorer = true,
             .decides_liveness = true,
             .complete = true,
             .limits = {"fairness", "choices", "max-delays", "choice-cost"},
             .make = [](const ParamValues& values) { return std::make_unique<FairCycle>(values.at("deepen") != 0, static_cast<std::uint64_t>(values.at("delta"))); }},
}};

}  // namespace
}  // namespace tarry
