#include "explore/liveness/copies.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/assert.h"
#include "explore/liveness/lasso.h"

namespace tarry {

bool too_many_copies(Session& session) {
  constexpr std::uint32_t kMost = 255;
  if (!fair_copies(session) || session.program().shape().processes <= kMost) return false;
  session.stop_at_limit("weak fairness by copies is for at most 255 processes, and the program may have more (--search fair-cycle has no such limit)");
  return true;
}

Copies::Copies(DeepGraph& deep, const Session& session)
    : deep_(deep), moves_(deep.graph().moves()), count_(deep.keeps_who_can_run() ? session.program().shape().processes + 1 : 1) {
  TARRY_ASSERT(session.options().fairness != LoopFairness::kStrong);
}

Copies::Along Copies::wait_for_processes(Id state, const StateGraph::Edge& edge, std::uint32_t copy) const {
  const auto can_run = deep_.can_run(state);
  const std::uint32_t runs = index(moves_.process(edge.move));
  for (; copy < count_; ++copy) {
    const std::uint32_t p = copy - 1;
    if (p != runs && (can_run[p / 64] >> (p % 64) & 1) != 0) return {copy, false};
  }
  return {0, true};
}

namespace {

/// The fewest edges between two nodes. `next`(node, f) calls f(edge, node) for every edge of a node. `rest` is called now and then.
template <class Step, class Next, class Rest>
std::vector<Step> shortest(std::uint64_t from, std::uint64_t to, const Next& next, const Rest& rest) {
  struct Came {
    std::uint64_t from;
    Step step;
  };
  std::unordered_map<std::uint64_t, Came> came_by{{from, {from, {}}}};
  std::vector<std::uint64_t> queue{from};
  for (std::size_t i = 0; i < queue.size() && !came_by.contains(to); ++i) {
    const std::uint64_t at = queue[i];
    if (i % 4096 == 0) rest();
    next(at, [&](const Step& step, std::uint64_t there) {
      if (came_by.try_emplace(there, at, step).second) queue.push_back(there);
    });
  }
  std::vector<Step> out;
  for (std::uint64_t n = to; n != from; n = came_by.at(n).from) out.push_back(came_by.at(n).step);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<Copies::Hop> Copies::stem(Id to) const {
  const StateGraph& graph = deep_.graph();
  return shortest<Hop>(0, to, [&](std::uint64_t at, const auto& reach) {
    graph.for_each_edge(static_cast<Id>(at), [&](EdgeId e, const StateGraph::Edge& edge) {
      if (edge.to != StateGraph::kOutside) reach(Hop{static_cast<Id>(at), e}, edge.to);
    });
  }, [&] { deep_.show_life(); });
}

std::vector<Copies::Hop> Copies::way_back(Id from, std::uint32_t copy, Id to, std::uint32_t to_copy, std::uint32_t property) const {
  const StateGraph& graph = deep_.graph();
  const auto node = [&](Id state, std::uint32_t c) { return std::uint64_t{state} * count_ + c; };
  return shortest<Hop>(node(from, copy), node(to, to_copy), [&](std::uint64_t at, const auto& reach) {
    const Id state = static_cast<Id>(at / count_);
    graph.for_each_edge(state, [&](EdgeId e, const StateGraph::Edge& edge) {
      if (edge.to == StateGraph::kOutside || (graph.label(edge).marks.cold >> property & 1) != 0) return;
      reach(Hop{state, e}, node(edge.to, along(state, edge, property, static_cast<std::uint32_t>(at % count_)).copy));
    });
  }, [&] { deep_.show_life(); });
}

void Copies::report(Session& session, Id from, std::uint32_t copy, EdgeId edge, std::uint32_t property) const {
  const StateGraph::Edge start = deep_.graph().edge(edge);
  std::vector<Hop> all = stem(from);
  std::vector<Hop> loop{{from, edge}};
  const auto back = way_back(start.to, along(from, start, property, copy).copy, from, copy, property);
  loop.insert(loop.end(), back.begin(), back.end());
  Finding finding{.kind = "liveness", .message = endless_message(deep_.properties()[first_violated(loop)]), .location = "", .schedule = {}};
  finding.loop = all.size() + 1;
  finding.why = why(loop, all.size());
  all.insert(all.end(), loop.begin(), loop.end());
  finding.steps = all.size();
  std::vector<Move> moves;
  for (const Hop& hop : all) moves.push_back(deep_.graph().edge(hop.edge).move);
  finding.schedule = choices_of(session.moves(), moves);
  session.add_finding(std::move(finding));
  session.stop(StoppedBy::kFinding);
}

/// The first property that the loop violates, which a replay names. The loop may violate others than the one that it was looked for.
std::size_t Copies::first_violated(const std::vector<Hop>& loop) const {
  abi::Marks shown{};
  for (const Hop& hop : loop) {
    const abi::Marks& marks = deep_.graph().label(deep_.graph().edge(hop.edge)).marks;
    shown.hot |= marks.hot;
    shown.cold |= marks.cold;
  }
  return static_cast<std::size_t>(std::countr_zero(shown.hot & ~shown.cold));
}

std::vector<std::string> Copies::why(const std::vector<Hop>& loop, std::size_t before) const {
  if (count_ == 1) return {"the loop need not be fair (--fairness none --choices demonic)"};
  std::vector<bool> runs(count_ - 1), somewhere(count_ - 1);
  bool chooses = false;
  for (const Hop& hop : loop) {
    runs[index(moves_.process(deep_.graph().edge(hop.edge).move))] = true;
    chooses = chooses || deep_.graph().has_values(deep_.graph().edge(hop.edge));
    for (std::uint32_t p = 0; p < count_ - 1; ++p) somewhere[p] = somewhere[p] || deep_.can_run(hop.from, p);
  }
  WhoRuns who;
  for (std::uint32_t p = 0; p < count_ - 1; ++p) {
    if (runs[p]) {
      who.running.push_back(deep_.teller().process_name(ProcessId{p}));
    } else if (somewhere[p]) {
      const auto at = std::find_if(loop.begin(), loop.end(), [&](const Hop& hop) { return !deep_.can_run(hop.from, p); });
      who.waiting.push_back({deep_.teller().process_name(ProcessId{p}), before + static_cast<std::size_t>(at - loop.begin())});
    }
  }
  std::vector<std::string> out{say_who_runs(LoopFairness::kWeak, who)};
  if (chooses) out.emplace_back("its data choices go against the program for ever (--choices demonic)");
  return out;
}

}  // namespace tarry
