#include "explore/liveness/parallel_nested.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "store/counted_stack.h"

namespace tarry {

/// One worker's outer search, and the inner search that it runs at the moment.
class ParallelNested::Worker {
 public:
  Worker(ParallelNested& all, DeepGraph& deep, std::uint32_t number)
      : all_(all),
        deep_(deep),
        graph_(deep.graph()),
        nodes_(all.nodes_),
        number_(number),
        own_(all.most_nodes_, graph_.pages()),
        frames_(deep.budget()),
        inner_(deep.budget()),
        visited_(deep.budget()),
        sources_(deep.budget()) {}

  /// Runs the outer search from the start. Requires: the marks that all workers share are those of a new bound.
  void run() {
    deep_.on_this_thread();
    const WhereaboutsScope here(deep_);
    const Inside inside(graph_.store().gate());
    std::fill_n(own_.data(), graph_.size() * nodes_.per_state(), 0);
    frames_.clear();
    beyond_ = false;
    enter({0, 0, 0});
    while (!frames_.empty() && !deep_.rest() && !all_.over()) {
      Frame& frame = frames_.back();
      if (all_.mark(frame.node).has(NestedMark::kBlue) || !go_on(frame)) leave(frame);
    }
  }

  /// Returns true if the worker has left out edges that cost more than the bound.
  bool beyond() const { return beyond_; }

 private:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;
  static constexpr EdgeId kNone = StateGraph::kNone;
  static constexpr std::uint8_t kCyan = 1, kVisited = 2;

  struct Frame {
    Node node;
    EdgeId start;             // the worker takes the edges from here, and those before it last
    EdgeId edge = kNone;      // the one that it took last; kNone: it starts, or has taken all
    std::uint32_t guess = 1;  // the next one that an outer search makes
    bool accepts = false;     // it has taken an accepting edge
  };

  std::uint8_t& own(const Node& node) { return own_[nodes_.place(node)]; }

  template <class T>
  void push(CountedStack<T>& stack, const T& item) {
    if (!stack.push(item)) all_.session_.stop(StoppedBy::kMemory);
  }

  // ---------------------------------------------------------------- the graph

  /// Sees to it that a state has all its edges of this bound. Returns false if the search is over.
  bool expand(Id state) {
    ExpansionMark mark = all_.expansion(state);
    for (std::uint32_t waits = 0; !mark.done(); ++waits) {
      if (!mark.take()) {
        if (wait(waits)) return false;
        continue;
      }
      for (EdgeId e = deep_.next(state, kNone, all_.bound_, beyond_); e != kNone; e = deep_.next(state, e, all_.bound_, beyond_))
        if (deep_.found_new()) all_.expansion(graph_.edge(e).to).found();
      if (deep_.over()) return false;
      mark.finish();
    }
    return true;
  }

  /// Waits a moment for another worker. Returns true if the search is over.
  bool wait(std::uint32_t waits) {
    if (deep_.rest() || all_.over()) return true;
    graph_.store().gate().pass();  // the other worker may want to be alone
    if (waits < 64) std::this_thread::yield();
    else std::this_thread::sleep_for(std::chrono::microseconds(50));
    return false;
  }

  /// Returns where the worker starts with the edges of a state. The first worker takes them in the explorer's order.
  EdgeId start(Id state) const {
    const EdgeId first = graph_.first_edge(state);
    if (number_ == 0 || first == kNone) return first;
    std::uint64_t count = 0;
    graph_.for_each_edge(state, [&](EdgeId, const StateGraph::Edge&) { ++count; });
    EdgeId e = first;
    for (std::uint64_t skip = mix64(std::uint64_t{number_} << 32 | state) % count; skip > 0; --skip) e = graph_.edge(e).next;
    return e;
  }

  /// Returns the next edge that the execution may take; kNone after the last one, and then it begins again.
  EdgeId next(Frame& frame) const {
    while (true) {
      if (frame.edge == kNone) {
        frame.edge = frame.start;
      } else {
        frame.edge = graph_.edge(frame.edge).next;
        if (frame.edge == kNone) frame.edge = graph_.first_edge(frame.node.state);
        if (frame.edge == frame.start) frame.edge = kNone;
      }
      if (frame.edge == kNone) return kNone;
      const StateGraph::Edge& edge = graph_.edge(frame.edge);
      if (edge.to != StateGraph::kOutside && !nodes_.forbidden(frame.node, edge)) return frame.edge;
    }
  }

  // ---------------------------------------------------------------- the outer search

  void enter(const Node& node) {
    if ((own(node) & kCyan) != 0 || all_.mark(node).has(NestedMark::kBlue) || !expand(node.state)) return;
    own(node) |= kCyan;
    push(frames_, {node, start(node.state)});
  }

  /// Takes a guess or an edge. Returns false if all have been taken.
  bool go_on(Frame& frame) {
    if (frame.node.mode == 0 && frame.guess < nodes_.modes()) {
      enter({frame.node.state, frame.guess++, 0});
      return true;
    }
    if (next(frame) == kNone) return false;
    const auto [to, accepting] = nodes_.along(frame.node, graph_.edge(frame.edge));
    frame.accepts = frame.accepts || accepting;
    enter(to);
    return true;
  }

  void leave(const Frame& frame) {
    if (all_.mark(frame.node).leave() && frame.accepts) search_from(frame);
    own(frame.node) &= static_cast<std::uint8_t>(~kCyan);
    frames_.pop();
  }

  // ---------------------------------------------------------------- the inner search

  /// Looks for a way from the accepting edges of a node to the stack of the outer search.
  void search_from(const Frame& source) {
    Frame root{source.node, source.start};
    while (next(root) != kNone) {
      const auto [to, accepting] = nodes_.along(root.node, graph_.edge(root.edge));
      if (!accepting || !reaches_stack(to)) continue;
      all_.closing_.see({root.node.state, root.node.copy, root.edge, root.node.mode - 1});
      return;
    }
    std::uint32_t waits = 0;
    end_inner_search(
        root.node, visited_, sources_, [&](const Node& node) { return all_.mark(node); }, [&] { return wait(waits++); });
  }

  /// Returns true if there is a way, false if there is none or the search is over.
  bool reaches_stack(const Node& from) {
    if (!visit(from)) return true;
    while (!inner_.empty() && !deep_.rest() && !all_.over()) {
      Frame& frame = inner_.back();
      if (next(frame) == kNone) {
        inner_.pop();
        continue;
      }
      const auto [to, accepting] = nodes_.along(frame.node, graph_.edge(frame.edge));
      if (accepting && !std::exchange(frame.accepts, true)) push(sources_, frame.node);
      if (!visit(to)) return true;
    }
    return false;
  }

  /// Returns false if the node is on the stack of the outer search.
  bool visit(const Node& node) {
    std::uint8_t& own_marks = own(node);
    if ((own_marks & kCyan) != 0) return false;
    if ((own_marks & kVisited) != 0 || all_.mark(node).has(NestedMark::kRed) || !expand(node.state)) return true;
    own_marks |= kVisited;
    push(visited_, node);
    push(inner_, {node, start(node.state)});
    return true;
  }

  ParallelNested& all_;
  DeepGraph& deep_;
  StateGraph& graph_;
  const NestedNodes& nodes_;
  const std::uint32_t number_;
  VirtualArray<std::uint8_t> own_;  // by node
  CountedStack<Frame> frames_, inner_;
  CountedStack<Node> visited_, sources_;  // by the inner search; sources are nodes with accepting edges
  bool beyond_ = false;
};

ParallelNested::ParallelNested(Session& session, DeepGraph& deep) : session_(session), deep_(deep), nodes_(deep, session) {
  const std::uint64_t jobs = session.options().jobs;
  const std::uint64_t per_state = nodes_.per_state() * (1 + jobs) + 1;
  deep.leave_room(per_state, 0);
  constexpr std::uint64_t kMoreStates = 1 << 20;  // than there is memory for: numbers that are not used
  const std::uint64_t states = std::min(deep.graph().capacity(), deep.budget().limit() / per_state + kMoreStates);
  most_nodes_ = states * nodes_.per_state();
  marks_ = VirtualArray<NestedMark::Bits>(most_nodes_, deep.graph().pages());
  expansions_ = VirtualArray<ExpansionMark::Bits>(states, deep.graph().pages());
  const std::vector<DeepGraph*> on = workers_on(deep, session, helpers_);
  workers_.resize(on.size());
  run_workers(static_cast<std::uint32_t>(on.size()),
              [&](std::uint32_t i) { workers_[i] = std::make_unique<Worker>(*this, *on[i], i); });
  expansion(0).found();
}

ParallelNested::~ParallelNested() = default;

bool ParallelNested::run(std::uint64_t bound) {
  bound_ = bound;
  begin_bound();
  run_workers(static_cast<std::uint32_t>(workers_.size()), [&](std::uint32_t i) { workers_[i]->run(); });
  deep_.on_this_thread();
  const WhereaboutsScope here(deep_);
  if (closing_.seen()) {
    const ClosingEdge::Edge& edge = closing_.get();
    nodes_.copies().report(session_, edge.state, edge.copy, edge.edge, edge.property);
  }
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) { return worker->beyond(); });
}

/// Takes the colours of all nodes back. States can get more edges now.
void ParallelNested::begin_bound() {
  const std::size_t states = deep_.graph().size();
  std::fill_n(marks_.data(), states * nodes_.per_state(), 0);
  for (StateGraph::Id state = 0; state < states; ++state) expansion(state).again();
}

}  // namespace tarry
