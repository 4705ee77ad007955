// Maximum accepting predecessors: finds cycles that violate a liveness property, with a growing delay bound.
//
// Figures 3, 4 and 5 of Desai, Qadeer, Rajamani (MSR-TR-2015-28), with these differences.
// - The graph is kept (explore/liveness/deep_graph.h): no step of the program is taken twice, at any bound.
// - The recursion of CalculateMap is an explicit stack here, which visits in the same order.
// - Refinement: explore/liveness/max_predecessor.h.
// - A property has hot and cold edges. Hot edges are accepting. Nothing is propagated along cold edges, because a cycle must not
//   contain them.
// - Weak fairness: by copies (explore/liveness/copies.h). Every state is handled in all its copies at once, reachable or not: a
//   cycle of copies is a fair cycle wherever it is entered.
//
// States are ordered by discovery, the first one last. Then most states learn their maximum at once, and the paths to a cycle are
// dropped before the first round. In the other order (--newest 1) every new state may have to be propagated to everything after
// it.
//
// Several workers share a bound. A state has one owner at a time (explore/liveness/owner_mark.h), which expands it and propagates
// what it knows. The worker that first reaches a state decides its number of delays, so with several workers the states of a bound
// vary between runs. In the end the graph is the same.
//
// Data choices may go against the program.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>

#include "core/registry.h"
#include "explore/liveness/max_predecessor.h"
#include "explore/liveness/owner_mark.h"
#include "explore/liveness/work_off.h"
#include "explore/work_pool.h"
#include "store/counted_stack.h"

namespace tarry {
namespace {

using Id = StateGraph::Id;
using EdgeId = StateGraph::EdgeId;

class MapSearcher {
 public:
  MapSearcher(Session& session, std::uint64_t delta, MapOrder order)
      : session_(session), deep_(session, {.who_can_run = fair_copies(session), .arriving = true}), copies_(deep_, session), rules_(copies_, order), delta_(delta), marks_(deep_.graph().capacity(), deep_.graph().pages()), frames_(deep_.budget()) {
    constexpr std::uint64_t kFrontier = 3 * sizeof(Id);  // while it grows, it is there twice
    deep_.leave_room(Refinement::bytes_per_state(copies_.count()) + kFrontier, 0);
    for (std::size_t i = 0; i < deep_.properties().size(); ++i) maps_.emplace_back(std::min<std::uint64_t>(deep_.graph().capacity() * copies_.count(), std::uint64_t{1} << 32), deep_.graph().pages());
    workers_ = workers_on(deep_, session, helpers_);
    refinement_ = std::make_unique<Refinement>(rules_, workers_, closing_);
  }

  void run() {
    const auto start = Clock::now();
    bool begun = false;
    {
      deep_.on_this_thread();
      const WhereaboutsScope here(deep_);
      const Inside inside(deep_.graph().store().gate());
      begun = deep_.begin();
    }
    if (begun) search();
    deep_.on_this_thread();
    const WhereaboutsScope here(deep_);
    if (closing_.seen()) copies_.report(session_, closing_.get().state, closing_.get().copy, closing_.get().edge, closing_.get().property);
    deep_.conclude("delays");
    const double all = std::chrono::duration<double>(Clock::now() - start).count();
    const std::uint64_t rounds = refinement_->rounds();
    if (refining_ > 0 && all > 0) session_.outcome.notes.push_back(fmt::format("refinement took {:.0f} % of the time, in {} round{}", 100 * refining_ / all, rounds, rounds == 1 ? "" : "s"));
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Frame {
    Id state;
    EdgeId edge = StateGraph::kNone;
    bool beyond = false;
  };

  /// The stack of one of several workers, which can give its older half away. Counted against the budget by the most that it has held.
  class Way {
   public:
    explicit Way(MemoryBudget& budget) : budget_(budget) {}
    ~Way() { budget_.give(counted_ * sizeof(Frame)); }
    Way(const Way&) = delete;
    Way& operator=(const Way&) = delete;

    /// Returns false if the budget is exceeded.
    bool push(Id state) {
      constexpr std::size_t kBlock = 4096;
      frames_.push_back({state});
      if (frames_.size() <= counted_) return true;
      counted_ += kBlock;
      budget_.force(kBlock * sizeof(Frame));
      return !budget_.exceeded();
    }
    Frame& back() { return frames_.back(); }
    void pop() { frames_.pop_back(); }
    bool empty() const { return frames_.empty(); }
    std::size_t size() const { return frames_.size(); }
    /// The states of the older half, the oldest last.
    WorkList split() {
      const auto half = frames_.begin() + static_cast<std::ptrdiff_t>(frames_.size() / 2);
      WorkList out;
      for (auto frame = half; frame != frames_.begin();) out.push_back((--frame)->state);
      frames_.erase(frames_.begin(), half);
      return out;
    }

   private:
    MemoryBudget& budget_;
    std::deque<Frame> frames_;
    std::size_t counted_ = 0;
  };

  bool over() const { return session_.stopping() || closing_.seen(); }

  /// Figure 3.
  void search() {
    marks_[0] = OwnerMark::kFound;
    frontier_ = {0};
    const auto last = session_.options().limits.max_delays;
    for (bound_ = 0;; bound_ = last ? std::min(bound_ + delta_, *last) : bound_ + delta_) {
      session_.progress().bound.store(bound_, std::memory_order_relaxed);
      calculate();
      if (over()) return;
      const auto start = Clock::now();
      if (refinement_->peel())
        for (std::uint32_t i = 0; i < maps_.size(); ++i)
          if ((deep_.graph().hot() >> i & 1) != 0 && !refinement_->refine(i, maps_[i])) break;
      refining_ += std::chrono::duration<double>(Clock::now() - start).count();
      if (over()) return;
      session_.outcome.reached = bound_;
      session_.outcome.reached_any = true;
      session_.progress().frontier = frontier_.size();
      if (frontier_.empty()) return;
      if (last && bound_ >= *last) return session_.stop(StoppedBy::kBound);
    }
  }

  /// Figure 4, from all states of the frontier.
  void calculate() {
    std::vector<Id> work = std::move(frontier_);
    frontier_.clear();
    for (const Id s : work) mark(s).bring_back();
    if (workers_.size() > 1) return calculate_together(std::move(work));
    const WhereaboutsScope here(deep_);
    const Inside inside(deep_.graph().store().gate());
    for (const Id s : work) calculate(s);
  }

  void calculate(Id root) {
    push(root);
    while (!frames_.empty() && !over()) {
      Frame& frame = frames_.back();
      const Id state = frame.state;
      frame.edge = deep_.next(state, frame.edge, bound_, frame.beyond);
      if (frame.edge == StateGraph::kNone) {
        if (frame.beyond && mark(state).put_aside()) frontier_.push_back(state);
        frames_.pop();
        continue;
      }
      bool learns = hand_on(state, frame.edge);
      const Id to = deep_.graph().edge(frame.edge).to;
      if ((marks_[to] & OwnerMark::kFound) == 0) learns = true, marks_[to] |= OwnerMark::kFound, count_memory(to);
      if (learns) push(to);
      else deep_.rest();
    }
    frames_.clear();
  }

  void push(Id state) {
    if (!frames_.push({state})) session_.stop(StoppedBy::kMemory);
  }

  /// Propagates what the source of an edge knows to its target. Returns true if the target learns something.
  bool hand_on(Id state, EdgeId e) {
    const StateGraph::Edge edge = deep_.graph().edge(e);
    const std::uint32_t cold = deep_.graph().label(edge).marks.cold;
    bool learns = false;
    for (std::uint32_t i = 0; i < maps_.size(); ++i) {
      if ((cold >> i & 1) != 0) continue;
      for (std::uint32_t copy = 0; copy < copies_.count(); ++copy) {
        const auto handed = rules_.hand_on(state, edge, i, copy, MaxPredecessors::known(maps_[i][rules_.node(state, copy)]));
        if (handed.cycle) return closing_.see({state, copy, e, i}), false;
        learns = MaxPredecessors::raise(maps_[i][handed.to], handed.value) || learns;
      }
    }
    return learns;
  }

  void count_memory(Id state) {
    constexpr Id kCounted = 4096;
    if (state % kCounted == 0) deep_.budget().force(kCounted * (sizeof(OwnerMark::Bits) + maps_.size() * copies_.count() * sizeof(std::uint32_t)));
    if (state >= (std::uint64_t{1} << 32) / copies_.count() - 2) session_.stop(StoppedBy::kMemory);  // no numbers for its copies
  }

  /// The same by all workers. Each goes its own way in the order of the recursion, as one worker alone does: states that are found
  /// in a row lie together in memory. A worker that has nothing to do gets the older half of another one's way.
  void calculate_together(std::vector<Id> work) {
    for (const Id s : work) mark(s).found();
    const auto jobs = static_cast<std::uint32_t>(workers_.size());
    WorkPool<WorkList> pool(jobs, deep_.graph().store().gate());
    for (std::size_t i = 0; i < work.size(); i += 1024) {  // each list is worked off from its back
      const auto from = work.begin() + static_cast<std::ptrdiff_t>(i), to = work.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1024, work.size()));
      pool.put(WorkList(std::reverse_iterator(to), std::reverse_iterator(from)));
    }
    std::mutex mutex;  // guards frontier_
    run_workers(jobs, [&](std::uint32_t worker) {
      workers_[worker]->on_this_thread();
      const WhereaboutsScope here(*workers_[worker]);
      const Inside inside(deep_.graph().store().gate());
      std::vector<Id> kept;
      while (auto states = pool.get())
        if (!go(*workers_[worker], *states, pool, kept)) pool.end();
      const std::scoped_lock lock(mutex);
      frontier_.insert(frontier_.end(), kept.begin(), kept.end());
    });
  }

  /// Handles states and what is found from them; all of them are the worker's own. Returns false if the search is over.
  bool go(DeepGraph& deep, WorkList& states, WorkPool<WorkList>& pool, std::vector<Id>& kept) {
    Way frames(deep.budget());
    while (!frames.empty() || !states.empty()) {
      if (over()) return false;
      if (pool.hungry()) share(states, frames, pool);
      if (frames.empty()) {
        if (states.empty()) break;
        enter(states.back(), frames);
        states.pop_back();
      }
      Frame& frame = frames.back();
      frame.edge = deep.next(frame.state, frame.edge, bound_, frame.beyond);
      if (frame.edge == StateGraph::kNone) {
        if (over()) return false;
        if (leave(frame, kept)) frames.pop();
        continue;
      }
      const bool is_new = deep.found_new();
      const bool learns = hand_on(frame.state, frame.edge);
      const Id to = deep.graph().edge(frame.edge).to;
      if (is_new) {
        count_memory(to);
        mark(to).found();
        enter(to, frames);
      } else if (learns && mark(to).tell()) {
        enter(to, frames);
      } else if (deep.rest()) {
        return false;
      }
    }
    return true;
  }

  void enter(Id state, Way& frames) {
    mark(state).begin();
    if (!frames.push(state)) session_.stop(StoppedBy::kMemory);
  }

  /// All edges of a state were handled by its owner. Returns false if the state was updated meanwhile: its edges have to be handled
  /// again.
  bool leave(Frame& frame, std::vector<Id>& kept) {
    if (frame.beyond && mark(frame.state).put_aside()) kept.push_back(frame.state);
    if (mark(frame.state).leave()) return true;
    frame.edge = StateGraph::kNone;
    return false;
  }

  /// Gives half away, the older one: what is behind it is larger. Who gets a state handles all its edges again.
  static void share(WorkList& states, Way& frames, WorkPool<WorkList>& pool) {
    constexpr std::size_t kEnough = 16;  // who gives less away spends more on giving than on the work
    if (states.size() + frames.size() < kEnough) return;
    if (states.empty()) return pool.put(frames.split());  // worked off from the back: the oldest is handled first
    const auto half = states.begin() + static_cast<std::ptrdiff_t>((states.size() + 1) / 2);
    pool.put(WorkList(states.begin(), half));
    states.erase(states.begin(), half);
  }

  OwnerMark mark(Id state) { return OwnerMark(marks_[state]); }

  Session& session_;
  DeepGraph deep_;
  Copies copies_;
  MaxPredecessors rules_;
  std::uint64_t delta_;
  std::vector<std::unique_ptr<DeepGraph>> helpers_;
  std::vector<DeepGraph*> workers_;
  ClosingEdge closing_;
  std::unique_ptr<Refinement> refinement_;
  std::uint64_t bound_ = 0;
  VirtualArray<OwnerMark::Bits> marks_;            // by state
  std::vector<VirtualArray<std::uint32_t>> maps_;  // by property and node: its maximum accepting predecessor
  std::vector<Id> frontier_;
  CountedStack<Frame> frames_;
  double refining_ = 0;
};

class MaximumAccepting final : public Search {
 public:
  MaximumAccepting(std::uint64_t delta, MapOrder order) : delta_(delta), order_(order) {}
  void run(Session& session) override {
    std::vector<Word> words(session.program().shape().words);
    if (start(session, words.data()) && !too_many_copies(session)) MapSearcher(session, delta_, order_).run();
  }

 private:
  std::uint64_t delta_;
  MapOrder order_;
};

const Registration<Search> entry{{
    .name = "map",
    .summary = "liveness without fairness or with weak fairness, by number of delays: maximum accepting predecessors",
    .paper = "Desai, Qadeer, Rajamani, MSR-TR-2015-28, figures 3 to 5",
    .params = {{"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"}, {"newest", 0, 0, 1, "1: states that were found later come last in the order, not first"}},
    .kind = {.takes_explorer = true,
             .decides_liveness = true,
             .complete = true,
             .limits = {"max-delays", "choice-cost", "fairness"},
             .make = [](const ParamValues& values) { return std::make_unique<MaximumAccepting>(static_cast<std::uint64_t>(values.at("delta")), values.at("newest") != 0 ? MapOrder::kNewest : MapOrder::kOldest); }},
}};

}  // namespace
}  // namespace tarry
