#include "explore/liveness/shared_split.h"

#include <algorithm>

namespace tarry {

SharedSplit::Parts SharedSplit::divide() {
  constexpr int kMostTurns = 16;
  constexpr std::uint32_t kLittle = 32;  // what is left is little: this part of the graph
  Parts out;
  turn_round();
  drop(lists_of([&](Id s) { return arriving_[s] == 0 || leaving_[s] == 0; }));
  for (int turn = 0; turn < kMostTurns && complete(); ++turn) {
    const auto left = static_cast<std::size_t>(std::count_if(flags_.begin(), flags_.end(), [](std::uint8_t f) { return (f & kGone) == 0; }));
    if (left <= graph_.size() / kLittle) break;
    Set component = component_of(pivot());
    if (!complete()) break;
    std::vector<WorkList> lists;
    for (std::size_t i = 0; i < component.size(); i += 4096) lists.emplace_back(component.begin() + static_cast<std::ptrdiff_t>(i), component.begin() + static_cast<std::ptrdiff_t>(std::min(i + 4096, component.size())));
    out.components.push_back(std::move(component));
    drop(std::move(lists));
  }
  for (Id s = 0; s < graph_.size(); ++s)
    if (!gone(s)) out.rest.push_back(s);
  return out;
}

/// Counts edges at both of their ends and lists the predecessors of every state.
void SharedSplit::turn_round() {
  const std::uint32_t states = graph_.size();
  flags_.assign(states, 0);
  arriving_.assign(states, 0);
  leaving_.assign(states, 0);
  const auto each_edge = [&](const auto& f) {
    in_pieces(jobs_, states, [&](std::uint32_t worker, Id from, Id to) {
      for (Id s = from; s < to && !tired(worker); ++s) for_each_successor(s, [&](Id there) { f(s, there); });
    });
  };
  each_edge([&](Id s, Id there) {
    ++leaving_[s];
    std::atomic_ref(arriving_[there]).fetch_add(1, std::memory_order_relaxed);
  });
  first_.assign(states + 1, 0);
  for (Id s = 0; s < states; ++s) first_[s + 1] = first_[s] + arriving_[s];
  predecessors_.assign(first_[states], 0);
  if (!complete()) return;
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each_edge([&](Id s, Id there) { predecessors_[std::atomic_ref(next[there]).fetch_add(1, std::memory_order_relaxed)] = s; });
}

template <class In>
std::vector<WorkList> SharedSplit::lists_of(const In& in) const {
  constexpr std::size_t kLongest = 4096;
  std::vector<WorkList> out;
  for (Id s = 0; s < graph_.size(); ++s) {
    if (!in(s)) continue;
    if (out.empty() || out.back().size() == kLongest) out.emplace_back();
    out.back().push_back(s);
  }
  return out;
}

template <class Visit>
void SharedSplit::walk(std::vector<WorkList> from, const Visit& visit) {
  Gate gate;
  work_off(jobs_, gate, std::move(from), [](std::uint32_t) { return 0; },
           [&](std::uint32_t worker, Id s, WorkList& stack) {
             tired(worker);
             visit(s, stack);
           },
           [&] { return !complete(); });
}

/// Takes states out, and with them all that have no predecessor or no successor then.
void SharedSplit::drop(std::vector<WorkList> states) {
  walk(std::move(states), [&](Id s, WorkList& stack) {
    if (!mark(s, kGone)) return;
    const auto loses = [&](std::uint32_t& edges, Id there) {
      if (std::atomic_ref(edges).fetch_sub(1, std::memory_order_relaxed) == 1 && !gone(there)) stack.push_back(there);
    };
    for_each_successor(s, [&](Id there) { loses(arriving_[there], there); });
    for_each_predecessor(s, [&](Id there) { loses(leaving_[there], there); });
  });
}

/// The state with the most edges on both sides: most likely in a large component.
SharedSplit::Id SharedSplit::pivot() const {
  Id best = StateGraph::kOutside;
  std::uint64_t most = 0;
  for (Id s = 0; s < graph_.size(); ++s) {
    const std::uint64_t edges = gone(s) ? 0 : std::uint64_t{arriving_[s]} * leaving_[s];
    if (edges > most) most = edges, best = s;
  }
  return best;
}

SharedSplit::Set SharedSplit::component_of(Id pivot) {
  for (std::uint8_t& f : flags_) f &= kGone;
  mark(pivot, kForward | kBackward);
  const auto start = [&] { return std::vector<WorkList>{{pivot}}; };
  walk(start(), [&](Id s, WorkList& stack) {
    for_each_successor(s, [&](Id there) {
      if (!gone(there) && mark(there, kForward)) stack.push_back(there);
    });
  });
  // A way from a state that was reached to the pivot passes only states that can be reached.
  walk(start(), [&](Id s, WorkList& stack) {
    for_each_predecessor(s, [&](Id there) {
      if ((flags(there) & (kForward | kGone)) == kForward && mark(there, kBackward)) stack.push_back(there);
    });
  });
  Set out;
  for (Id s = 0; s < graph_.size(); ++s)
    if ((flags_[s] & kBackward) != 0) out.push_back(s);
  return out;
}

bool SharedSplit::tired(std::uint32_t worker) {
  if (worker == 0 && ++ticks_ % 65'536 == 0 && over_()) given_up_.store(true, std::memory_order_relaxed);
  return !complete();
}

}  // namespace tarry
