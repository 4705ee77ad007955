#include "explore/liveness/lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/units.h"

namespace tarry {
namespace {

using Id = StateGraph::Id;
using EdgeId = StateGraph::EdgeId;

// A loop that is longer, or takes more states to be looked at, is not made complete.
constexpr std::size_t kLongest = 10'000;
constexpr std::uint64_t kMostWork = 20'000'000;

/// An edge with the state that it leaves.
struct Hop {
  Id from;
  EdgeId edge;
};

class LassoMaker {
 public:
  LassoMaker(StateGraph& graph, const FairComponents& components, Enabled& enabled, Narrator& narrator, const std::function<bool()>& hurry)
      : graph_(graph), components_(components), enabled_(enabled), narrator_(narrator), hurry_(hurry), came_by_(graph.size(), Hop{StateGraph::kOutside, 0}), runs_(enabled.longs()), somewhere_(enabled.longs()), everywhere_(enabled.longs(), ~std::uint64_t{0}) {}

  Lasso make() {
    Lasso out;
    const auto stem = nearest(0, [](Id, EdgeId) { return true; }, [&](Id s) { return components_.contains(s); }, [](Id, EdgeId) { return false; });
    for (const Hop& step : stem) out.stem.push_back(graph_.edge(step.edge).move);
    start_ = at_ = stem.empty() ? 0 : graph_.edge(stem.back().edge).to;
    go_to([](Id) { return false; }, [&](Id, EdgeId e) { return components_.is_hot(e); });
    complete();
    for (const Hop& step : loop_) out.loop.push_back(graph_.edge(step.edge).move);
    while (out.against < loop_.size() && !can_lead_out(loop_[out.against])) ++out.against;
    say_why(out);
    return out;
  }

 private:
  /// The shortest way from a state, along edges that `may` go, to a state that is `there` or over an edge that is `that`. Empty: it is there already.
  template <class May, class There, class That>
  std::vector<Hop> nearest(Id from, const May& may, const There& there, const That& that) {
    if (there(from)) return {};
    std::vector<Id> queue{from};
    came_by_[from] = {from, StateGraph::kNone};
    std::vector<Hop> way;
    for (std::size_t i = 0; i < queue.size() && way.empty(); ++i) {
      const Id state = queue[i];
      if (++work_ % 4096 == 0) rest();
      for (EdgeId e = graph_.first_edge(state); e != StateGraph::kNone; e = graph_.edge(e).next) {
        const Id to = graph_.edge(e).to;
        if (to == StateGraph::kOutside || !may(state, e)) continue;
        const bool fresh = came_by_[to].from == StateGraph::kOutside;
        if (that(state, e) || (fresh && there(to))) {
          way.push_back({state, e});
          break;
        }
        if (!fresh) continue;
        came_by_[to] = {state, e};
        queue.push_back(to);
      }
    }
    if (!way.empty())
      for (Id s = way.front().from; s != from; s = came_by_[s].from) way.push_back(came_by_[s]);
    std::reverse(way.begin(), way.end());
    for (const Id s : queue) came_by_[s] = {StateGraph::kOutside, 0};
    return way;
  }

  template <class There, class That>
  void go_to(const There& there, const That& that) {
    for (const Hop& hop : nearest(at_, [&](Id s, EdgeId e) { return components_.inside(s, e); }, there, that)) add(hop);
  }
  void go_back() {
    go_to([&](Id s) { return s == start_; }, [](Id, EdgeId) { return false; });
  }

  /// One more step of the loop: who runs, who can run, and which other outcomes of its choices the loop must have.
  void add(const Hop& hop) {
    rest();  // it may take long to ask the program who can run
    loop_.push_back(hop);
    at_ = graph_.edge(hop.edge).to;
    const std::uint32_t p = index(process_of(hop.edge));
    runs_[p / 64] |= std::uint64_t{1} << (p % 64);
    if (components_.rules().fairness != LoopFairness::kNone && seen_.insert(hop.from).second) {
      const auto can_run = enabled_.in(hop.from);
      for (std::size_t i = 0; i < can_run.size(); ++i) somewhere_[i] |= can_run[i], everywhere_[i] &= can_run[i];
    }
    if (!graph_.has_values(graph_.edge(hop.edge)) || !taken_.insert(hop.edge).second) return;
    wanted_.erase(hop.edge);
    graph_.for_each_edge(hop.from, [&](EdgeId other, const StateGraph::Edge&) {
      if (!taken_.contains(other) && components_.inside(hop.from, other) && process_of(hop.edge) == process_of(other) && part_fairly(hop.edge, other)) wanted_.insert(other);
    });
  }

  void rest() { hurried_ = hurry_() || hurried_; }

  static bool has(const std::vector<std::uint64_t>& bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }
  ProcessId process_of(EdgeId e) const { return graph_.moves().process(graph_.edge(e).move); }

  /// Adds to the loop what fairness asks for.
  void complete() {
    while (true) {
      if (loop_.size() > kLongest || work_ > kMostWork || hurried_) {
        go_back();
        complete_ = !starved() && wanted_.empty();
        return;
      }
      if (const auto p = starved()) {
        const bool weak = components_.rules().fairness == LoopFairness::kWeak;
        go_to([&](Id s) { return weak && (enabled_.in(s)[*p / 64] >> (*p % 64) & 1) == 0; }, [&](Id, EdgeId e) { return index(process_of(e)) == *p; });
        if (weak && !has(runs_, *p) && has(everywhere_, *p)) everywhere_[*p / 64] &= ~(std::uint64_t{1} << (*p % 64));  // it cannot run where we are now
      } else if (!wanted_.empty()) {
        go_to([](Id) { return false; }, [&](Id, EdgeId e) { return wanted_.contains(e); });
      } else if (at_ != start_) {
        go_back();
      } else {
        return;
      }
    }
  }

  std::optional<std::uint32_t> starved() const {
    if (components_.rules().fairness == LoopFairness::kNone) return std::nullopt;
    const auto& wants = components_.rules().fairness == LoopFairness::kWeak ? everywhere_ : somewhere_;
    for (std::uint32_t p = 0; p < wants.size() * 64; ++p)
      if (has(wants, p) && !has(runs_, p)) return p;
    return std::nullopt;
  }

  bool can_lead_out(const Hop& hop) const {
    bool out = false;
    graph_.for_each_edge(hop.from, [&](EdgeId e, const StateGraph::Edge&) { out = out || (process_of(e) == process_of(hop.edge) && !components_.inside(hop.from, e)); });
    return out;
  }

  bool part_fairly(EdgeId a, EdgeId b) const {
    const auto left = graph_.moves().values(graph_.edge(a).move), right = graph_.moves().values(graph_.edge(b).move);
    const auto at = std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin();
    return components_.fair_at(graph_.label(graph_.edge(a)), static_cast<std::uint32_t>(at));
  }

  void say_why(Lasso& out) {
    const LoopFairness fairness = components_.rules().fairness;
    WhoRuns who;
    for (std::uint32_t p = 0; p < runs_.size() * 64; ++p) {
      if (has(runs_, p)) who.running.push_back(narrator_.process_name(ProcessId{p}));
      else if (fairness != LoopFairness::kNone && has(somewhere_, p)) who.waiting.push_back({narrator_.process_name(ProcessId{p}), out.stem.size() + cannot_run(p)});
    }
    out.why.push_back(say_who_runs(fairness, who));
    if (!complete_) out.why.push_back(fmt::format("the loop that is shown is part of the fair one, {}", hurried_ ? "for which there was no time" : fmt::format("which is longer than {} steps", with_separators(loop_.size()))));
    if (taken_.empty()) return;
    out.why.push_back(components_.rules().choices == LoopChoices::kFair ? "every outcome of its fair data choices stays in the loop" : "its data choices go against the program for ever (--choices demonic)");
  }

  /// After so many steps of the loop the process cannot run.
  std::size_t cannot_run(std::uint32_t p) {
    for (std::size_t i = 0; i < loop_.size(); ++i)
      if ((enabled_.in(loop_[i].from)[p / 64] >> (p % 64) & 1) == 0) return i;
    return 0;
  }

  StateGraph& graph_;
  const FairComponents& components_;
  Enabled& enabled_;
  Narrator& narrator_;
  const std::function<bool()>& hurry_;
  std::vector<Hop> came_by_;  // while a way is looked for
  Id start_ = 0, at_ = 0;
  std::vector<Hop> loop_;
  std::vector<std::uint64_t> runs_, somewhere_, everywhere_;
  std::unordered_set<Id> seen_;               // states that the loop passes
  std::unordered_set<EdgeId> taken_, wanted_;  // steps with a data choice: those of the loop, and those that it must have
  std::uint64_t work_ = 0;
  bool hurried_ = false, complete_ = true;
};

}  // namespace

std::string say_who_runs(LoopFairness fairness, const WhoRuns& who) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> waiting;
  for (const WhoRuns::Waiting& w : who.waiting) waiting.push_back(fmt::format("{} cannot run after step {}", w.name, with_separators(w.after)));
  const auto list = [&](std::vector<std::string> names) {
    const std::size_t all = names.size();
    if (all > kMost) names.resize(kMost);
    return fmt::format("{}{}", fmt::join(names, ", "), all > kMost ? fmt::format(" and {} more", all - kMost) : "");
  };
  std::string text = fmt::format("the loop {}: in it {} run{}", fairness == LoopFairness::kNone ? "need not be fair (--fairness none)" : fairness == LoopFairness::kWeak ? "is weakly fair" : "is strongly fair", list(who.running), who.running.size() == 1 ? "s" : "");
  if (!waiting.empty()) text += "; " + list(waiting);
  if (fairness != LoopFairness::kNone && waiting.empty()) text += "; no other process can run in it";
  return text;
}

Lasso make_lasso(StateGraph& graph, const FairComponents& components, Enabled& enabled, Narrator& narrator, const std::function<bool()>& hurry) {
  return LassoMaker(graph, components, enabled, narrator, hurry).make();
}

}  // namespace tarry
