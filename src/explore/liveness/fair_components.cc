#include "explore/liveness/fair_components.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "explore/liveness/shared_split.h"

namespace tarry {

FairComponents::FairComponents(StateGraph& graph, std::vector<Enabled>& enabled, FairnessRules rules, std::function<bool()> give_up)
    : graph_(graph), enabled_(enabled), rules_(rules), give_up_(std::move(give_up)), frames_(graph.size()), stack_(graph.size()) {}

std::optional<std::vector<StateGraph::Id>> FairComponents::find(std::uint32_t property) {
  bit_ = std::uint32_t{1} << property;
  found_ = kNowhere;
  given_up_ = false;
  if ((graph_.hot() & bit_) == 0) return std::nullopt;
  take_out_cold();
  order_.assign(graph_.size(), 0);
  low_.assign(graph_.size(), 0);
  visited_ = 0;
  regions_ = 1;
  region_.assign(graph_.size(), regions_);
  work_.clear();
  split_all();

  std::optional<Set> best;
  Id best_first = 0;
  while (!work_.empty() && !tired()) {
    Set component = std::move(work_.back());
    work_.pop_back();
    const Id first = *std::min_element(component.begin(), component.end());
    if (best && first > best_first) continue;
    if (prune_choices(component)) {
      split(component);
      continue;
    }
    const Judgement judgement = judge(component);
    if (judgement == Judgement::kSmaller) split(component);
    if (judgement != Judgement::kFair) continue;
    best_first = first;
    found_ = region_[first];
    best = std::move(component);
  }
  if (given_up_) return std::nullopt;
  return best;
}

/// A tick is an edge. Where the program is asked, a state counts for many.
bool FairComponents::tired(std::uint32_t ticks) {
  constexpr std::uint64_t kOften = 65'536;
  const std::uint64_t before = std::exchange(ticks_, ticks_ + ticks);
  if (before / kOften != ticks_ / kOften && give_up_ && give_up_()) given_up_ = true;
  return given_up_;
}

void FairComponents::take_out_cold() {
  const EdgeId edges = graph_.edge_count();
  removed_.assign((std::size_t{edges} + 63) / 64, 0);
  in_pieces(static_cast<std::uint32_t>(enabled_.size()), edges, [&](std::uint32_t, EdgeId from, EdgeId to) {  // pieces are multiples of 64
    for (EdgeId e = from; e < to; ++e)
      if ((graph_.label(graph_.edge(e)).marks.cold & bit_) != 0) take_out(e);
  });
}

/// Divides the whole graph, which is one region.
void FairComponents::split_all() {
  Set rest(graph_.size());
  for (Id s = 0; s < graph_.size(); ++s) rest[s] = s;
  if (const std::uint32_t jobs = workers_for(rest); jobs > 1) {
    SharedSplit shared(graph_, removed_, jobs, [&] { return give_up_ && give_up_(); });
    SharedSplit::Parts parts = shared.divide();
    if (!shared.complete()) {
      given_up_ = true;
      return;
    }
    region_.assign(graph_.size(), kNowhere);
    for (const Id s : parts.rest) region_[s] = 1;
    for (const Set& component : parts.components) keep_component(component);
    rest = std::move(parts.rest);
  }
  split(rest);
}

/// All of `states` are in one region. Those that can be visited again and again get regions of their own, the others none.
void FairComponents::split(const Set& states) {
  if (states.empty()) return;
  splitting_ = region_[states.front()];
  for (const Id s : states) order_[s] = 0;
  visited_ = 0;
  for (const Id s : states)
    if (order_[s] == 0 && region_[s] == splitting_) visit(s);
}

/// Tarjan's algorithm from one state, with a stack of its own.
void FairComponents::visit(Id root) {
  const auto enter = [&](Id state) {
    order_[state] = low_[state] = ++visited_;
    stack_.push_back(state);
    frames_.push_back({state, graph_.first_edge(state)});
  };
  enter(root);
  while (!frames_.empty()) {
    if (tired()) {
      frames_.clear();
      stack_.clear();
      return;
    }
    Frame& frame = frames_.back();
    if (frame.next == StateGraph::kNone) {
      const Id state = frame.state;
      frames_.pop_back();
      leave(state);
      continue;
    }
    const EdgeId e = frame.next;
    const StateGraph::Edge& edge = graph_.edge(e);
    frame.next = edge.next;
    if (taken_out(e) || edge.to == StateGraph::kOutside || region_[edge.to] != splitting_) continue;
    if (order_[edge.to] == 0) enter(edge.to);
    else low_[frame.state] = std::min(low_[frame.state], order_[edge.to]);  // on the stack: a finished component has another region
  }
}

void FairComponents::leave(Id state) {
  if (!frames_.empty()) low_[frames_.back().state] = std::min(low_[frames_.back().state], low_[state]);
  if (low_[state] != order_[state]) return;
  std::size_t first = stack_.size();
  while (stack_[--first] != state) {
  }
  keep_component(std::span<const Id>(stack_.begin() + first, stack_.end()));
  stack_.shrink(first);
}

/// A component is kept for later if something hot can happen in it again and again.
void FairComponents::keep_component(std::span<const Id> component) {
  const Region region = ++regions_;
  for (const Id s : component) region_[s] = region;
  if (has_hot_edge(component)) work_.emplace_back(component.begin(), component.end());
  else
    for (const Id s : component) region_[s] = kNowhere;
}

bool FairComponents::has_hot_edge(std::span<const Id> component) const {
  std::atomic<bool> hot{false};
  in_pieces(workers_for(component), static_cast<std::uint32_t>(component.size()), [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = from; i < to && !hot.load(std::memory_order_relaxed); ++i)
      for (EdgeId e = graph_.first_edge(component[i]); e != StateGraph::kNone; e = graph_.edge(e).next)
        if (is_hot(e) && inside(component[i], e)) hot.store(true, std::memory_order_relaxed);
  });
  return hot;
}

/// Takes out steps with a fair choice that can lead outside. True: there were some.
bool FairComponents::prune_choices(const Set& component) {
  bool pruned = false;
  if (!graph_.has_choices()) return false;
  for (const Id s : component) {
    pruned = prune_state(s) || pruned;
    if (tired(16)) break;
  }
  return pruned;
}

bool FairComponents::prune_state(Id state) {
  bool values = false;
  graph_.for_each_edge(state, [&](EdgeId, const StateGraph::Edge& edge) { values = values || graph_.has_values(edge); });
  if (!values) return false;
  outcomes_.clear();
  bool some_inside = false;
  graph_.for_each_edge(state, [&](EdgeId e, const StateGraph::Edge& edge) {
    if (!graph_.has_values(edge)) return;
    some_inside = some_inside || inside(state, e);
    outcomes_.push_back({e, graph_.moves().process(edge.move), graph_.moves().values(edge.move)});
  });
  if (!some_inside) return false;
  std::sort(outcomes_.begin(), outcomes_.end(), [](const Alternative& a, const Alternative& b) { return a.process != b.process ? index(a.process) < index(b.process) : a.values < b.values; });
  std::size_t before = 0, after = 0;
  for (const Alternative& o : outcomes_) before += taken_out(o.edge) ? 1 : 0;
  for (std::size_t i = 0, end = 0; i < outcomes_.size(); i = end) {
    while (end < outcomes_.size() && outcomes_[end].process == outcomes_[i].process) ++end;
    keeps(state, std::span(outcomes_).subspan(i, end - i), 0);
  }
  for (const Alternative& o : outcomes_) after += taken_out(o.edge) ? 1 : 0;
  return after != before;
}

/// May a step go on for ever once its first `depth` values are chosen? Outcomes for which it may not are taken out.
bool FairComponents::keeps(Id state, std::span<const Alternative> outcomes, std::size_t depth) {
  if (outcomes.front().values.size() <= depth) {
    bool some = false;
    for (const Alternative& o : outcomes) some = some || inside(state, o.edge);
    return some;
  }
  bool all = true, some = false;
  for (std::size_t i = 0, end = 0; i < outcomes.size(); i = end) {
    while (end < outcomes.size() && outcomes[end].values[depth] == outcomes[i].values[depth]) ++end;
    const bool kept = keeps(state, outcomes.subspan(i, end - i), depth + 1);
    all = all && kept;
    some = some || kept;
  }
  if (!fair_at(graph_.label(graph_.edge(outcomes.front().edge)), static_cast<std::uint32_t>(depth))) return some;
  if (all) return true;
  for (const Alternative& o : outcomes)
    if (inside(state, o.edge)) take_out(o.edge);
  return false;
}

FairComponents::Judgement FairComponents::judge(Set& component) {
  switch (rules_.fairness) {
    case LoopFairness::kNone: return Judgement::kFair;
    case LoopFairness::kWeak: return judge_weak(component);
    case LoopFairness::kStrong: return judge_strong(component);
  }
  return Judgement::kUnfair;
}

std::vector<std::uint64_t> FairComponents::scheduled(const Set& component) const {
  std::vector<std::uint64_t> out(enabled_.front().longs());
  std::mutex mutex;  // guards `out`
  in_pieces(workers_for(component), static_cast<std::uint32_t>(component.size()), [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint64_t> mine(out.size());
    for (std::uint32_t i = from; i < to; ++i)
      graph_.for_each_edge(component[i], [&](EdgeId e, const StateGraph::Edge& edge) {
        if (!inside(component[i], e)) return;
        const std::uint32_t p = index(graph_.moves().process(edge.move));
        mine[p / 64] |= std::uint64_t{1} << (p % 64);
      });
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] |= mine[i];
  });
  return out;
}

FairComponents::Judgement FairComponents::judge_weak(const Set& component) {
  std::vector<std::uint64_t> starved = scheduled(component);
  for (std::uint64_t& word : starved) word = ~word;
  std::mutex mutex;  // guards `starved`
  std::atomic<bool> fair{false}, over{false};
  in_pieces(workers_for(component), static_cast<std::uint32_t>(component.size()), [&](std::uint32_t worker, std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint64_t> mine;
    for (std::uint32_t i = from; i < to && !fair.load(std::memory_order_relaxed) && !over.load(std::memory_order_relaxed); ++i) {
      constexpr std::uint32_t kTogether = 256;  // states, before the workers put together what they know
      if (mine.empty()) {
        const std::scoped_lock lock(mutex);
        mine = starved;
      }
      const auto can_run = enabled_[worker].in(component[i]);
      std::uint64_t left = 0;
      for (std::size_t w = 0; w < mine.size(); ++w) left |= mine[w] &= can_run[w];
      if (left != 0 && i + 1 < to && (i - from) % kTogether != kTogether - 1) continue;
      const std::scoped_lock lock(mutex);
      left = 0;
      for (std::size_t w = 0; w < mine.size(); ++w) left |= starved[w] &= mine[w];
      mine = starved;
      if (left == 0) fair.store(true, std::memory_order_relaxed);
      else if (worker == 0 && give_up_ && give_up_()) over.store(true, std::memory_order_relaxed);
    }
  });
  if (over) given_up_ = true;
  return fair ? Judgement::kFair : Judgement::kUnfair;
}

/// Takes the states out in which a process can run that the component does not schedule.
FairComponents::Judgement FairComponents::judge_strong(Set& component) {
  const std::vector<std::uint64_t> runs = scheduled(component);
  Set rest;
  for (const Id s : component) {
    const auto can_run = enabled_.front().in(s);
    bool starves = false;
    for (std::size_t i = 0; i < runs.size(); ++i) starves = starves || (can_run[i] & ~runs[i]) != 0;
    if (starves) region_[s] = kNowhere;
    else rest.push_back(s);
    if (tired(256)) return Judgement::kUnfair;
  }
  if (rest.size() == component.size()) return Judgement::kFair;
  component = std::move(rest);
  return component.empty() ? Judgement::kUnfair : Judgement::kSmaller;
}

}  // namespace tarry
