#include "explore/liveness/state_graph.h"

#include <algorithm>

#include "base/assert.h"

namespace tarry {
namespace {

constexpr std::uint64_t kCounted = 4096;  // states are counted against the budget in pieces of so many
constexpr std::uint32_t kMostLabels = 1 << 24;  // combinations that occur: hundreds, in programs with many properties
constexpr std::uint32_t kBlock = 1024;    // edges that a writer takes at once
constexpr std::uint64_t kWorthHugePages = std::uint64_t{1} << 30;  // bytes of memory; each array wastes up to 2 MiB

std::uint64_t most_states(const MemoryBudget& budget) { return std::min<std::uint64_t>(budget.limit() / 16 + (1 << 20), (std::uint64_t{1} << 32) - 1); }

bool same(const EdgeLabel& a, const EdgeLabel& b) {
  return a.marks.hot == b.marks.hot && a.marks.cold == b.marks.cold && a.resolved.fair == b.resolved.fair && a.resolved.demonic == b.resolved.demonic;
}

}  // namespace

StateGraph::StateGraph(Session& session, MemoryBudget& budget)
    : moves_(session.moves()),
      budget_(budget),
      pages_(budget.limit() < kWorthHugePages ? Pages::kNormal : Pages::kHuge),
      store_(session.program().shape(), session.options(), budget),
      ids_(most_states(budget), &budget),
      found_by_(most_states(budget), pages_),
      heads_(most_states(budget), pages_),
      edges_(std::min<std::uint64_t>(budget.limit() / sizeof(Edge) + (1 << 22), (std::uint64_t{1} << 32) - 1), pages_),
      labels_(kMostLabels) {
  label_numbers_[{0, 0, 0, 0}] = 0;
}

StateGraph::Added StateGraph::add(StateKey key, Id from, Move move) {
  make_room();
  return found(ids_.intern(static_cast<std::uint64_t>(key)), from, move);
}

StateGraph::Added StateGraph::add(Writer& writer, StateKey key, Id from, Move move) {
  make_room();
  return found(ids_.intern(static_cast<std::uint64_t>(key), writer.numbers_), from, move);
}

void StateGraph::make_room() {
  store_.gate().pass();
  if (!ids_.crowded()) [[likely]] return;
  store_.gate().alone([&] {
    if (!ids_.crowded()) return;
    if (!budget_.take(ids_.growth_bytes())) {
      full_.store(true, std::memory_order_relaxed);
      if (ids_.stay_as_it_is()) return;
      budget_.force(ids_.growth_bytes());
    }
    ids_.grow();
  });
}

/// A state of the graph was reached: perhaps for the first time.
StateGraph::Added StateGraph::found(Id id, Id from, Move move) {
  if (id == 0) return {id, from == kOutside};
  std::uint64_t nobody = 0;
  const std::uint64_t by = (std::uint64_t{from} + 1) << 32 | static_cast<std::uint32_t>(move);
  if (std::atomic_ref(found_by_[id]).load(std::memory_order_relaxed) != 0 || !std::atomic_ref(found_by_[id]).compare_exchange_strong(nobody, by, std::memory_order_relaxed)) return {id, false};
  if (id % kCounted == 0) budget_.force(kCounted * (sizeof(std::uint32_t) + sizeof(std::uint64_t)));
  return {id, true};
}

std::size_t StateGraph::copy_path(Id state, Move* out, std::size_t room) const noexcept {
  const auto from = [&](Id s) { return static_cast<Id>((found_by_[s] >> 32) - 1); };
  std::size_t length = 0;
  for (Id s = state; s != 0; s = from(s)) ++length;
  std::size_t i = length;
  for (Id s = state; s != 0; s = from(s))
    if (--i < room) out[i] = Move{static_cast<std::uint32_t>(found_by_[s])};
  return length;
}

StateGraph::EdgeId StateGraph::connect(Writer& writer, Id from, Id to, Move move, const EdgeLabel& label) {
  if (writer.next_ == writer.end_) {
    writer.next_ = edge_count_.fetch_add(kBlock, std::memory_order_relaxed);
    writer.end_ = writer.next_ + kBlock;
    budget_.force(kBlock * sizeof(Edge));
  }
  const EdgeId id = writer.next_++;
  edges_[id] = {to, move, number_of(writer, label), heads_[from] - 1};
  heads_[from] = id + 1;
  see(label, edges_[id]);
  return id;
}

StateGraph::EdgeId StateGraph::connect_behind(Writer& writer, EdgeId before, Id from, Id to, Move move, const EdgeLabel& label) {
  const EdgeId id = connect(writer, from, to, move, label);
  if (before == kNone) return id;
  heads_[from] = edges_[id].next + 1;
  edges_[id].next = edges_[before].next;
  edges_[before].next = id;
  return id;
}

void StateGraph::redirect(Writer& writer, EdgeId edge, Id to, Move move, const EdgeLabel& label) {
  edges_[edge] = {to, move, number_of(writer, label), edges_[edge].next};
  see(label, edges_[edge]);
}

/// What the graph as a whole has.
void StateGraph::see(const EdgeLabel& label, const Edge& edge) {
  if (edge.to != kOutside && (label.marks.hot & ~hot()) != 0) [[unlikely]] hot_.fetch_or(label.marks.hot, std::memory_order_relaxed);
  if (!has_choices() && has_values(edge)) [[unlikely]] has_choices_.store(true, std::memory_order_relaxed);
}

std::uint32_t StateGraph::number_of(Writer& writer, const EdgeLabel& label) {
  if (same(writer.last_, label)) [[likely]] return writer.last_number_;
  const std::scoped_lock lock(mutex_);
  const auto [at, fresh] = label_numbers_.try_emplace({label.marks.hot, label.marks.cold, label.resolved.fair, label.resolved.demonic}, label_count_);
  if (fresh) {
    TARRY_ASSERT(label_count_ < kMostLabels);
    labels_[label_count_++] = label;
  }
  writer.last_ = label;
  return writer.last_number_ = at->second;
}

}  // namespace tarry
