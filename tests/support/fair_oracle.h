// Does a program have an endless execution that violates a liveness property? Worked out plainly on the whole graph, for tests.
//
// Of the graph without the transitions in which the property is cold, parts are looked for that a fair execution can go round in for ever. A part that is not good is
// made smaller (what cannot be part of a good one is taken out) and taken apart again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/program.h"

namespace tarry::test {

struct LiveGraph {
  struct Edge {
    std::uint32_t from, to, process;
    std::vector<std::uint32_t> values;
    abi::Marks marks;
    abi::Resolved resolved;
    bool failed = false;
  };
  std::vector<Edge> edges;
  std::vector<std::set<std::uint32_t>> enabled;  // by state
  std::set<std::string> failures;
  std::size_t states() const { return enabled.size(); }
};

/// Nothing if there are more than `most` states.
inline std::optional<LiveGraph> live_graph(const Program& program, std::size_t most) {
  const auto space = program.open();
  const auto narrator = program.narrator();
  using State = std::vector<Word>;
  LiveGraph out;
  std::map<State, std::uint32_t> numbers;
  std::deque<State> queue;
  const auto number = [&](const State& state) {
    const auto [at, fresh] = numbers.emplace(state, static_cast<std::uint32_t>(numbers.size()));
    if (fresh) queue.push_back(state);
    return at->second;
  };
  State first(program.shape().words);
  if (!space->initial(first.data()).kind.empty()) return std::nullopt;
  number(first);
  Expansion expansion(program.shape().words);
  std::vector<std::uint64_t> bits((program.shape().processes + 63) / 64);
  while (!queue.empty()) {
    if (numbers.size() > most) return std::nullopt;
    const State state = std::move(queue.front());
    queue.pop_front();
    space->enabled(state, bits);
    auto& enabled = out.enabled.emplace_back();
    for (std::uint32_t p = 0; p < program.shape().processes; ++p)
      if ((bits[p / 64] >> (p % 64) & 1) != 0) enabled.insert(p);
    space->expand(state, expansion);
    if (expansion.deadlock()) out.failures.insert("deadlock");
    const auto from = static_cast<std::uint32_t>(out.enabled.size() - 1);
    std::vector<LiveGraph::Edge> failing;
    for (std::uint32_t i = 0; i < expansion.count; ++i) {
      const abi::Successor& s = expansion.successors[i];
      const auto values = expansion.values_of(s);
      const bool failed = (s.flags & abi::kFailed) != 0;
      const std::uint32_t to = failed ? from : number({expansion.state(i).begin(), expansion.state(i).end()});
      out.edges.push_back({from, to, s.process, {values.begin(), values.end()}, s.marks, s.resolved, failed});
      if (failed) failing.push_back(out.edges.back());
    }
    for (const auto& edge : failing) out.failures.insert(narrator->explain(state, ProcessId{edge.process}, edge.values).kind.name());
  }
  return out;
}

enum class OracleFairness { kNone, kWeak, kStrong };

class FairOracle {
 public:
  FairOracle(const LiveGraph& graph, OracleFairness fairness, bool fair_choices) : graph_(graph), fairness_(fairness), fair_choices_(fair_choices) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) steps_[{graph.edges[e].from, graph.edges[e].process}].push_back(e);
  }

  bool violated(std::uint32_t property) const {
    std::set<std::size_t> edges;
    for (std::size_t e = 0; e < graph_.edges.size(); ++e)
      if (!graph_.edges[e].failed && (graph_.edges[e].marks.cold >> property & 1) == 0) edges.insert(e);
    return holds_a_loop(edges, property);
  }

 private:
  using Edges = std::set<std::size_t>;

  bool holds_a_loop(const Edges& edges, std::uint32_t property) const {
    for (Edges part : parts(edges)) {
      if (take_out_unfair_choices(part)) {
        if (holds_a_loop(part, property)) return true;
        continue;
      }
      bool hot = false;
      std::set<std::uint32_t> states, run;
      for (const std::size_t e : part) {
        hot = hot || (graph_.edges[e].marks.hot >> property & 1) != 0;
        states.insert(graph_.edges[e].from);
        run.insert(graph_.edges[e].process);
      }
      if (!hot) continue;
      if (fairness_ == OracleFairness::kNone) return true;
      std::set<std::uint32_t> somewhere, everywhere = graph_.enabled[*states.begin()];
      for (const std::uint32_t s : states) {
        somewhere.insert(graph_.enabled[s].begin(), graph_.enabled[s].end());
        std::erase_if(everywhere, [&](std::uint32_t p) { return graph_.enabled[s].count(p) == 0; });
      }
      std::set<std::uint32_t> starved = fairness_ == OracleFairness::kWeak ? everywhere : somewhere;
      std::erase_if(starved, [&](std::uint32_t p) { return run.count(p) != 0; });
      if (starved.empty()) return true;
      if (fairness_ == OracleFairness::kWeak) continue;
      std::erase_if(part, [&](std::size_t e) {
        const auto starves = [&](std::uint32_t s) {
          return std::any_of(starved.begin(), starved.end(), [&](std::uint32_t p) { return graph_.enabled[s].count(p) != 0; });
        };
        return starves(graph_.edges[e].from) || starves(graph_.edges[e].to);
      });
      if (holds_a_loop(part, property)) return true;
    }
    return false;
  }

  /// Is the i-th value of the edge chosen fairly?
  bool is_fair(const LiveGraph::Edge& edge, std::size_t i) const {
    return (edge.resolved.fair >> i & 1) != 0 || (fair_choices_ && (edge.resolved.demonic >> i & 1) == 0);
  }

  /// An edge stays only if, wherever a fair choice was made on the way, each of its values has an edge that stays, too. Was one taken out?
  bool take_out_unfair_choices(Edges& part) const {
    using Prefix = std::vector<std::uint32_t>;
    std::set<std::tuple<std::uint32_t, std::uint32_t, Prefix>> stays;
    const auto begin = [&](const LiveGraph::Edge& edge, std::size_t n) {
      return std::tuple(edge.from, edge.process, Prefix(edge.values.begin(), edge.values.begin() + static_cast<std::ptrdiff_t>(n)));
    };
    for (const std::size_t e : part)
      for (std::size_t n = 0; n <= graph_.edges[e].values.size(); ++n) stays.insert(begin(graph_.edges[e], n));
    return std::erase_if(part, [&](std::size_t e) {
             const LiveGraph::Edge& edge = graph_.edges[e];
             for (std::size_t i = 0; i < edge.values.size(); ++i) {
               if (!is_fair(edge, i)) continue;
               for (const std::size_t other : steps_.at({edge.from, edge.process}))
                 if (graph_.edges[other].values.size() > i && begin(graph_.edges[other], i) == begin(edge, i) && stays.count(begin(graph_.edges[other], i + 1)) == 0)
                   return true;
             }
             return false;
           }) > 0;
  }

  /// The edges of each strongly connected part: two states are in one if each can be reached from the other. (Kosaraju's algorithm.)
  std::vector<Edges> parts(const Edges& edges) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> forth, back;
    std::set<std::uint32_t> states;
    for (const std::size_t e : edges) {
      forth[graph_.edges[e].from].push_back(graph_.edges[e].to);
      back[graph_.edges[e].to].push_back(graph_.edges[e].from);
      states.insert({graph_.edges[e].from, graph_.edges[e].to});
    }
    std::vector<std::uint32_t> order;
    std::set<std::uint32_t> seen;
    for (const std::uint32_t s : states) walk(s, forth, seen, [&](std::uint32_t t) { order.push_back(t); });
    std::map<std::uint32_t, std::uint32_t> part_of;
    seen.clear();
    for (auto s = order.rbegin(); s != order.rend(); ++s) walk(*s, back, seen, [&](std::uint32_t t) { part_of[t] = *s; });
    std::map<std::uint32_t, Edges> out;
    for (const std::size_t e : edges)
      if (part_of[graph_.edges[e].from] == part_of[graph_.edges[e].to]) out[part_of[graph_.edges[e].from]].insert(e);
    std::vector<Edges> found;
    for (auto& [root, part] : out) found.push_back(std::move(part));
    return found;
  }

  /// Depth first; `left` is told of each state when all behind it has been seen.
  static void walk(std::uint32_t from, std::map<std::uint32_t, std::vector<std::uint32_t>>& edges, std::set<std::uint32_t>& seen,
                   const std::function<void(std::uint32_t)>& left) {
    if (!seen.insert(from).second) return;
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{from, 0}};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back().first;
      const auto& next = edges[at];
      if (stack.back().second == next.size()) {
        left(at);
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = next[stack.back().second++];
      if (seen.insert(to).second) stack.emplace_back(to, 0);
    }
  }

  const LiveGraph& graph_;
  const OracleFairness fairness_;
  const bool fair_choices_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> steps_;  // edges by state and process
};

}  // namespace tarry::test
