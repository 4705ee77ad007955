#include "explore/liveness/max_predecessor.h"

#include <algorithm>

#include "explore/liveness/work_off.h"

namespace tarry {
namespace {

std::uint32_t read(const std::uint32_t& value) { return MaxPredecessors::known(value); }
void write(std::uint32_t& value, std::uint32_t to) { std::atomic_ref(value).store(to, std::memory_order_relaxed); }
bool read(const std::uint8_t& flag) { return std::atomic_ref(const_cast<std::uint8_t&>(flag)).load(std::memory_order_relaxed) != 0; }
void set(std::uint8_t& flag) {
  if (!read(flag)) std::atomic_ref(flag).store(1, std::memory_order_relaxed);
}

/// The numbers for which `in` holds, in lists of some thousands, each to be worked off from its back in ascending order.
template <class In>
std::vector<WorkList> lists_of(std::uint32_t end, const In& in) {
  constexpr std::size_t kLongest = 4096;
  std::vector<WorkList> out;
  for (std::uint32_t n = 0; n < end; ++n) {
    if (!in(n)) continue;
    if (out.empty() || out.back().size() == kLongest) out.emplace_back();
    out.back().push_back(n);
  }
  for (WorkList& list : out) std::reverse(list.begin(), list.end());
  return out;
}

constexpr auto kNothing = [](std::uint32_t) { return 0; };

}  // namespace

Refinement::Refinement(const MaxPredecessors& rules, std::vector<DeepGraph*> workers, ClosingEdge& closing) : rules_(rules), workers_(std::move(workers)), deep_(*workers_.front()), closing_(closing) {
  const StateGraph& graph = deep_.graph();
  const std::size_t nodes = std::min<std::uint64_t>(graph.capacity() * rules.copies().count(), std::uint64_t{1} << 32);
  left_ = VirtualVector<std::uint32_t>(graph.capacity(), graph.pages());
  for (auto* const by_node : {&part_, &map_, &arriving_}) *by_node = VirtualVector<std::uint32_t>(nodes, graph.pages());
  flags_ = VirtualVector<std::uint8_t>(nodes, graph.pages());
}

/// Calls f(copy, edge, HandedOn) for the edges of a state's copies that stay in the partition.
template <class F>
void Refinement::for_each_inside(Id state, const F& f) const {
  const StateGraph& graph = deep_.graph();
  const std::uint32_t copies = rules_.copies().count();
  graph.for_each_edge(state, [&](EdgeId e, const StateGraph::Edge& edge) {
    if (edge.to == StateGraph::kOutside || (graph.label(edge).marks.cold >> property_ & 1) != 0) return;
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      const std::uint32_t part = read(part_[rules_.node(state, copy)]);
      if (part == 0) continue;
      const auto handed = rules_.hand_on(state, edge, property_, copy, 0);
      if (read(part_[handed.to]) == part) f(copy, e, handed);
    }
  });
}

/// By whole states, whatever their copies and the property: where there is no cycle at all, a bound costs no more than this. Only the first state can be without
/// an edge that leads to it. One worker does it: two would spend their time handing counts to each other.
bool Refinement::peel() {
  const StateGraph& graph = deep_.graph();
  const auto arriving = deep_.arriving();
  left_.assign(arriving.begin(), arriving.end());
  if (left_[0] != 0) return true;
  for (WorkList stack = {0}; !stack.empty() && !deep_.rest();) {
    const Id state = stack.back();
    stack.pop_back();
    graph.for_each_edge(state, [&](EdgeId, const StateGraph::Edge& edge) {
      if (edge.to != StateGraph::kOutside && --left_[edge.to] == 0) stack.push_back(edge.to);
    });
  }
  return std::any_of(left_.begin(), left_.end(), [](std::uint32_t edges) { return edges != 0; });
}

bool Refinement::refine(std::uint32_t property, const VirtualArray<std::uint32_t>& map) {
  property_ = property;
  const std::size_t nodes = std::size_t{deep_.graph().size()} * rules_.copies().count();
  const std::uint64_t bytes = deep_.graph().size() * bytes_per_state(rules_.copies().count());
  deep_.budget().force(bytes);
  part_.assign(map.data(), map.data() + nodes);
  const std::uint32_t copies = rules_.copies().count();
  for (Id s = 0; s < left_.size(); ++s)
    if (left_[s] == 0) std::fill_n(part_.begin() + std::size_t{s} * copies, copies, 0);
  bool goes_on = true;
  while (goes_on && drop() && !over()) {
    ++rounds_;
    goes_on = recalculate();
    part_.swap(map_);
  }
  deep_.budget().give(bytes);
  return !over();
}

/// Drops what cannot hold a cycle. False: nothing is left, or the search is over.
bool Refinement::drop() {
  count_arriving();
  if (over()) return false;
  drop_unreached();
  return !over() && drop_calm();
}

void Refinement::count_arriving() {
  arriving_.assign(part_.size(), 0);
  in_pieces(jobs(), deep_.graph().size(), [&](std::uint32_t worker, Id from, Id to) {
    for (Id s = from; s < to && !workers_[worker]->rest(); ++s)
      for_each_inside(s, [&](std::uint32_t, EdgeId, const auto& handed) { std::atomic_ref(arriving_[handed.to]).fetch_add(1, std::memory_order_relaxed); });
  });
}

/// A node is dropped when its last edge from inside is; so nobody reads its partition any more who could find it there.
void Refinement::drop_unreached() {
  const std::uint32_t copies = rules_.copies().count();
  const auto visit = [&](std::uint32_t worker, Node node, WorkList& stack) {
    if (workers_[worker]->rest()) return;
    const StateGraph& graph = deep_.graph();
    const Id state = node / copies;
    const std::uint32_t part = read(part_[node]);
    graph.for_each_edge(state, [&](EdgeId, const StateGraph::Edge& edge) {
      if (edge.to == StateGraph::kOutside || (graph.label(edge).marks.cold >> property_ & 1) != 0) return;
      const Node to = rules_.hand_on(state, edge, property_, node % copies, 0).to;
      if (read(part_[to]) == part && std::atomic_ref(arriving_[to]).fetch_sub(1, std::memory_order_relaxed) == 1) stack.push_back(to);
    });
    write(part_[node], 0);
  };
  Gate gate;
  work_off(jobs(), gate, lists_of(static_cast<Node>(part_.size()), [&](Node n) { return part_[n] != 0 && arriving_[n] == 0; }), kNothing, visit, [&] { return over(); });
}

/// Drops partitions without an accepting edge. False: nothing is left.
bool Refinement::drop_calm() {
  flags_.assign(part_.size(), 0);  // by the node whose place names the partition
  in_pieces(jobs(), deep_.graph().size(), [&](std::uint32_t worker, Id from, Id to) {
    for (Id s = from; s < to && !workers_[worker]->rest(); ++s)
      for_each_inside(s, [&](std::uint32_t copy, EdgeId, const auto& handed) {
        if (handed.accepting) set(flags_[rules_.at_place(part_[rules_.node(s, copy)])]);
      });
  });
  std::atomic<bool> some{false};
  in_pieces(jobs(), static_cast<Node>(part_.size()), [&](std::uint32_t, Node from, Node to) {
    bool mine = false;
    for (Node n = from; n < to; ++n) {
      if (part_[n] != 0 && flags_[rules_.at_place(part_[n])] == 0) part_[n] = 0;
      mine = mine || part_[n] != 0;
    }
    if (mine) some.store(true, std::memory_order_relaxed);
  });
  return some;
}

/// What nodes know anew, within each partition. False: a cycle was found, or the search is over.
bool Refinement::recalculate() {
  map_.assign(part_.size(), 0);
  flags_.assign(part_.size(), 0);  // it is on a stack
  auto all = lists_of(static_cast<Node>(part_.size()), [&](Node n) { return part_[n] != 0 && (flags_[n] = 1) != 0; });
  Gate gate;
  work_off(jobs(), gate, std::move(all), kNothing, [&](std::uint32_t worker, Node node, WorkList& stack) { recalculate_at(node, worker, stack); }, [&] { return over(); });
  return !over();
}

void Refinement::recalculate_at(Node node, std::uint32_t worker, WorkList& stack) {
  const StateGraph& graph = deep_.graph();
  const Id state = node / rules_.copies().count();
  const std::uint32_t copy = node % rules_.copies().count();
  std::atomic_ref(flags_[node]).exchange(0, std::memory_order_acq_rel);  // before it is read what the node knows: who raises that later puts it on a stack again
  if (workers_[worker]->rest()) return;
  const std::uint32_t known = read(map_[node]);
  for (EdgeId e = graph.first_edge(state); e != StateGraph::kNone; e = graph.edge(e).next) {
    const StateGraph::Edge& edge = graph.edge(e);
    if (edge.to == StateGraph::kOutside || (graph.label(edge).marks.cold >> property_ & 1) != 0) continue;
    const auto handed = rules_.hand_on(state, edge, property_, copy, known);
    if (part_[handed.to] != part_[node]) continue;
    if (handed.cycle) return closing_.see({state, copy, e, property_});
    if (!MaxPredecessors::raise(map_[handed.to], handed.value)) continue;
    if (std::atomic_ref(flags_[handed.to]).exchange(1, std::memory_order_acq_rel) == 0) stack.push_back(handed.to);
  }
}

}  // namespace tarry
