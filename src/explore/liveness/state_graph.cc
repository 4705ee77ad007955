#include "explore/liveness/state_graph.h"

#include <algorithm>

namespace tarry {
namespace {

constexpr std::uint64_t kCounted = 4096;  // states and edges are counted against the budget in pieces of so many

std::uint64_t most_states(const MemoryBudget& budget) { return std::min<std::uint64_t>(budget.limit() / 16 + (1 << 20), (std::uint64_t{1} << 32) - 1); }

bool same(const EdgeLabel& a, const EdgeLabel& b) {
  return a.marks.hot == b.marks.hot && a.marks.cold == b.marks.cold && a.resolved.fair == b.resolved.fair && a.resolved.demonic == b.resolved.demonic;
}

}  // namespace

StateGraph::StateGraph(Session& session, MemoryBudget& budget)
    : moves_(session.moves()),
      budget_(budget),
      store_(session.program().shape(), session.options(), budget),
      ids_(most_states(budget), &budget),
      log_(budget),
      writer_(log_),
      heads_(most_states(budget)),
      edges_(std::min<std::uint64_t>(budget.limit() / sizeof(Edge) + (1 << 22), (std::uint64_t{1} << 32) - 1)) {
  labels_.push_back({});
  label_numbers_[{0, 0, 0, 0}] = 0;
}

StateGraph::Added StateGraph::add(StateKey key, Id from, Move move) {
  if (ids_.crowded()) [[unlikely]] {
    budget_.force(ids_.growth_bytes());
    ids_.grow();
  }
  const std::uint32_t before = ids_.size();
  const Id id = ids_.intern(static_cast<std::uint64_t>(key));
  if (id != before) return {id, false};
  if (id != 0) writer_.add(PathId{from}, move);  // entries are numbered as states are
  if (id % kCounted == 0) budget_.force(kCounted * sizeof(std::uint32_t));
  return {id, true};
}

StateGraph::EdgeId StateGraph::connect(Id from, Id to, Move move, const EdgeLabel& label) {
  const EdgeId id = edge_count_++;
  if (id % kCounted == 0) budget_.force(kCounted * sizeof(Edge));
  edges_[id] = {to, move, number_of(label), heads_[from] - 1};
  heads_[from] = id + 1;
  has_choices_ = has_choices_ || has_values(edges_[id]);
  if (to != kOutside) hot_ |= label.marks.hot;
  return id;
}

StateGraph::EdgeId StateGraph::connect_behind(EdgeId before, Id from, Id to, Move move, const EdgeLabel& label) {
  const EdgeId id = connect(from, to, move, label);
  if (before == kNone) return id;
  heads_[from] = edges_[id].next + 1;
  edges_[id].next = edges_[before].next;
  edges_[before].next = id;
  return id;
}

void StateGraph::redirect(EdgeId edge, Id to, Move move, const EdgeLabel& label) {
  edges_[edge] = {to, move, number_of(label), edges_[edge].next};
  if (to != kOutside) hot_ |= label.marks.hot;
}

std::uint32_t StateGraph::number_of(const EdgeLabel& label) {
  if (same(labels_[last_label_], label)) [[likely]] return last_label_;
  const auto [at, fresh] = label_numbers_.try_emplace({label.marks.hot, label.marks.cold, label.resolved.fair, label.resolved.demonic}, static_cast<std::uint32_t>(labels_.size()));
  if (fresh) labels_.push_back(label);
  return last_label_ = at->second;
}

}  // namespace tarry
