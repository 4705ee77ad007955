// Theorems 1 to 6 of Musuvathi, Qadeer: Fair Stateless Model Checking (PLDI 2008), each on many random programs.
//
// The class under test, Fairness, is put together with the states of a program to one graph: a node is a state and what the scheduler
// remembers there. Programs are finite, so endless executions of the scheduler are cycles of that graph, and what a theorem
// says about all of them is decided by looking at its strongly connected parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/rng.h"
#include "explore/fair.h"
#include "tests/explore/thread_program.h"

namespace tarry::test {
namespace {

struct Edge {
  std::uint32_t to, thread;
  bool yields;
};

struct Node {
  Cells state;
  std::uint64_t enabled, schedulable;
  std::vector<Edge> edges;
};

struct Graph {
  std::vector<Node> nodes;
  bool too_many = false;
};

constexpr std::size_t kMostNodes = 3000;

/// The states of the program itself.
Graph plain_graph(const Threads& threads) {
  Graph graph;
  std::map<Cells, std::uint32_t> numbers;
  const auto number = [&](const Cells& state) {
    const auto [at, fresh] = numbers.emplace(state, static_cast<std::uint32_t>(graph.nodes.size()));
    if (fresh) graph.nodes.push_back({state, threads.enabled_set(state), threads.enabled_set(state), {}});
    return at->second;
  };
  number(threads.initial());
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes.size() > kMostNodes) return graph.too_many = true, graph;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
      const Cells here = graph.nodes[i].state;
      if (!threads.enabled(here, t)) continue;
      const Threads::Effect effect = threads.step(here, t, 0);
      const std::uint32_t to = number(effect.after);
      graph.nodes[i].edges.push_back({to, t, effect.yielded});
    }
  }
  return graph;
}

/// With the scheduler.
Graph fair_graph(const Threads& threads, std::uint32_t every) {
  Graph graph;
  std::vector<Fairness> schedulers;
  std::map<std::tuple<Cells, std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
  const auto number = [&](const Cells& state, const Fairness& fairness) {
    const Signature signature = fairness.signature();
    const auto [at, fresh] = numbers.emplace(std::tuple(state, signature.high, signature.low), static_cast<std::uint32_t>(graph.nodes.size()));
    if (fresh) {
      const std::uint64_t enabled = threads.enabled_set(state);
      std::uint64_t schedulable = 0;
      fairness.schedulable({&enabled, 1}, &schedulable);
      graph.nodes.push_back({state, enabled, schedulable, {}});
      schedulers.push_back(fairness);
    }
    return at->second;
  };
  Fairness first(every);
  first.begin(1);
  number(threads.initial(), first);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes.size() > kMostNodes) return graph.too_many = true, graph;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
      if ((graph.nodes[i].schedulable >> t & 1) == 0) continue;
      const Cells here = graph.nodes[i].state;
      const Threads::Effect effect = threads.step(here, t, 0);
      const std::array<std::uint64_t, 4> sets{threads.enabled_set(here), threads.enabled_set(effect.after), threads.alive_set(here), threads.alive_set(effect.after)};
      const auto set = [&](std::size_t n) { return ProcessSet({&sets[n], 1}); };
      Fairness after = schedulers[i];
      after.stepped({.process = ProcessId{t}, .open_before = set(0), .open_after = set(1), .alive_before = set(2), .alive_after = set(3), .sent = {}, .order = {}, .yielded = effect.yielded});
      const std::uint32_t to = number(effect.after, after);
      graph.nodes[i].edges.push_back({to, t, effect.yielded});
    }
  }
  return graph;
}

using Part = std::vector<std::uint32_t>;
using Allowed = std::function<bool(std::uint32_t node, const Edge& edge)>;

/// Strongly connected parts with at least one edge inside, of the nodes and edges that are allowed (Tarjan; graphs are small).
std::vector<Part> cyclic_parts(const Graph& graph, const Part& nodes, const Allowed& allowed) {
  std::vector<Part> out;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> seen;  // index and low link
  Part stack;
  std::set<std::uint32_t> on_stack;
  const std::set<std::uint32_t> inside(nodes.begin(), nodes.end());
  const std::function<void(std::uint32_t)> visit = [&](std::uint32_t n) {
    const auto index = static_cast<std::uint32_t>(seen.size());
    seen[n] = {index, index};
    stack.push_back(n);
    on_stack.insert(n);
    for (const Edge& e : graph.nodes[n].edges) {
      if (!inside.contains(e.to) || !allowed(n, e)) continue;
      if (!seen.contains(e.to)) visit(e.to), seen[n].second = std::min(seen[n].second, seen[e.to].second);
      else if (on_stack.contains(e.to)) seen[n].second = std::min(seen[n].second, seen[e.to].first);
    }
    if (seen[n].second != index) return;
    Part part;
    do part.push_back(stack.back()), on_stack.erase(stack.back()), stack.pop_back();
    while (part.back() != n);
    const bool loop = part.size() > 1 || std::any_of(graph.nodes[n].edges.begin(), graph.nodes[n].edges.end(), [&](const Edge& e) { return e.to == n && allowed(n, e); });
    if (loop) out.push_back(std::move(part));
  };
  for (const std::uint32_t n : nodes)
    if (!seen.contains(n)) visit(n);
  return out;
}

Part all_nodes(const Graph& graph) {
  Part out(graph.nodes.size());
  for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = i;
  return out;
}

struct Summary {
  std::uint64_t runs = 0, yields = 0, enabled = 0;  // threads that do somewhere in a part
};
Summary summary(const Graph& graph, const Part& part, const Allowed& allowed) {
  Summary out;
  const std::set<std::uint32_t> inside(part.begin(), part.end());
  for (const std::uint32_t n : part) {
    out.enabled |= graph.nodes[n].enabled;
    for (const Edge& e : graph.nodes[n].edges) {
      if (!inside.contains(e.to) || !allowed(n, e)) continue;
      out.runs |= std::uint64_t{1} << e.thread;
      if (e.yields) out.yields |= std::uint64_t{1} << e.thread;
    }
  }
  return out;
}

/// Is there an endless execution, in these nodes and without the threads of `never`, in which every thread that runs for ever yields for
/// ever, and `wants` is enabled again and again?
bool samaritan_cycle(const Graph& graph, const Part& nodes, std::uint64_t never, std::uint64_t wants) {
  const Allowed allowed = [&](std::uint32_t, const Edge& e) { return (never >> e.thread & 1) == 0; };
  for (const Part& part : cyclic_parts(graph, nodes, allowed)) {
    const Summary all = summary(graph, part, allowed);
    if ((all.enabled & wants) != wants) continue;
    const std::uint64_t selfish = all.runs & ~all.yields;
    if (selfish == 0) return true;
    if (samaritan_cycle(graph, part, never | selfish, wants)) return true;
  }
  return false;
}

/// Is there an endless execution that is strongly fair? (Streett: whoever is enabled in a part must run there, or its states go.)
bool fair_cycle(const Graph& graph, const Part& nodes) {
  const Allowed all = [](std::uint32_t, const Edge&) { return true; };
  for (const Part& part : cyclic_parts(graph, nodes, all)) {
    const Summary what = summary(graph, part, all);
    const std::uint64_t starved = what.enabled & ~what.runs;
    if (starved == 0) return true;
    Part rest;
    for (const std::uint32_t n : part)
      if ((graph.nodes[n].enabled & starved) == 0) rest.push_back(n);
    if (fair_cycle(graph, rest)) return true;
  }
  return false;
}

/// Is there an endless execution in which some thread runs for ever and yields only finitely often?
bool selfish_cycle(const Graph& graph) {
  for (std::uint32_t t = 0; t < 4; ++t) {
    const Allowed allowed = [&](std::uint32_t, const Edge& e) { return e.thread != t || !e.yields; };
    for (const Part& part : cyclic_parts(graph, all_nodes(graph), allowed))
      if ((summary(graph, part, allowed).runs >> t & 1) != 0) return true;
  }
  return false;
}

bool cyclic(const Graph& graph) {
  return !cyclic_parts(graph, all_nodes(graph), [](std::uint32_t, const Edge&) { return true; }).empty();
}

/// By node, the fewest yields (of the thread that yields most) on a way to it; exact for 0, and for `most` as an upper end.
std::set<Cells> states_without_yields(const Graph& graph) {
  std::set<Cells> out;
  Part work{0};
  std::set<std::uint32_t> seen{0};
  while (!work.empty()) {
    const std::uint32_t n = work.back();
    work.pop_back();
    out.insert(graph.nodes[n].state);
    for (const Edge& e : graph.nodes[n].edges)
      if (!e.yields && seen.insert(e.to).second) work.push_back(e.to);
  }
  return out;
}

/// States that can be reached with fewer than `every` yields of each thread.
std::set<Cells> states_below(const Threads& threads, std::uint32_t every) {
  std::set<std::pair<Cells, Cells>> seen;  // state, yields of each
  std::vector<std::pair<Cells, Cells>> work{{threads.initial(), Cells(threads.size())}};
  std::set<Cells> out;
  while (!work.empty()) {
    const auto [state, yields] = work.back();
    work.pop_back();
    if (!seen.insert({state, yields}).second) continue;
    out.insert(state);
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
      if (!threads.enabled(state, t)) continue;
      const Threads::Effect effect = threads.step(state, t, 0);
      Cells after = yields;
      if (effect.yielded && ++after[t] >= every) continue;
      work.push_back({effect.after, after});
    }
  }
  return out;
}

/// Simple cycles of a graph that begin at `first` and have no more than `most` steps.
void simple_cycles(const Graph& graph, std::uint32_t first, std::size_t most, const std::function<void(const std::vector<std::pair<std::uint32_t, Edge>>&)>& f) {
  std::vector<std::pair<std::uint32_t, Edge>> path;
  std::set<std::uint32_t> on_path;
  int budget = 2000;
  const std::function<void(std::uint32_t)> go = [&](std::uint32_t n) {
    if (--budget < 0) return;
    on_path.insert(n);
    for (const Edge& e : graph.nodes[n].edges) {
      path.push_back({n, e});
      if (e.to == first) f(path);
      else if (!on_path.contains(e.to) && path.size() < most) go(e.to);
      path.pop_back();
    }
    on_path.erase(n);
  };
  go(first);
}

bool is_fair(const Graph& graph, const std::vector<std::pair<std::uint32_t, Edge>>& cycle) {
  std::uint64_t enabled = 0, runs = 0;
  for (const auto& [n, e] : cycle) enabled |= graph.nodes[n].enabled, runs |= std::uint64_t{1} << e.thread;
  return (enabled & ~runs) == 0;
}

template <class Function>
void for_loops(std::uint64_t first, int count, bool selfish, Function&& f) {
  for (std::uint64_t seed = first; count > 0; ++seed) {
    const Threads threads = random_threads(seed, {.loops = true, .selfish = selfish, .births = true, .most = 4});
    const Graph program = plain_graph(threads);
    if (program.too_many || !cyclic(program)) continue;
    --count;
    f(threads, program);
  }
}

TEST(FairTheorem1, EveryEndlessExecutionInWhichAllYieldIsFair) {
  int checked = 0;
  for (const std::uint32_t every : {1u, 2u, 3u})
    for_loops(10'000, 150, true, [&](const Threads& threads, const Graph&) {
      const Graph graph = fair_graph(threads, every);
      if (graph.too_many) return;
      ++checked;
      for (std::uint32_t u = 0; u < threads.size(); ++u)  // a cycle without u in which u could run again and again is not fair
        ASSERT_FALSE(samaritan_cycle(graph, all_nodes(graph), std::uint64_t{1} << u, std::uint64_t{1} << u)) << "thread " << u << " starves\n" << threads.text();
    });
  EXPECT_GT(checked, 300);
}

TEST(FairTheorem2, EndsWhereEveryEndlessExecutionIsUnfairThoughAllYield) {
  int acyclic = 0;
  for_loops(20'000, 300, true, [&](const Threads& threads, const Graph& program) {
    const Graph graph = fair_graph(threads, 1);
    if (graph.too_many || fair_cycle(program, all_nodes(program)) || selfish_cycle(program)) return;
    ++acyclic;
    ASSERT_FALSE(cyclic(graph)) << threads.text();
    ASSERT_TRUE(truth_of(threads, 1).acyclic) << threads.text();
  });
  EXPECT_GT(acyclic, 50);
}

TEST(FairTheorem3, SomebodyIsSchedulableWheneverSomebodyCanRun) {
  for (const std::uint32_t every : {1u, 2u})
    for_loops(30'000, 200, true, [&](const Threads& threads, const Graph&) {
      const Graph graph = fair_graph(threads, every);
      for (const Node& node : graph.nodes) {
        ASSERT_EQ(node.schedulable == 0, node.enabled == 0) << threads.text();
        ASSERT_EQ(node.schedulable & ~node.enabled, 0u);
      }
    });
}

TEST(FairTheorem4, AnUnfairCycleIsNotGoneRoundAThirdTime) {
  int cycles = 0;
  for_loops(40'000, 200, false, [&](const Threads& threads, const Graph& program) {
    if (selfish_cycle(program)) return;
    const Graph graph = fair_graph(threads, 1);
    if (graph.too_many) return;
    std::multimap<Cells, std::uint32_t> where;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) where.emplace(graph.nodes[i].state, i);
    for (std::uint32_t first = 0; first < program.nodes.size(); ++first)
      simple_cycles(program, first, 8, [&](const auto& cycle) {
        if (is_fair(program, cycle)) return;
        ++cycles;
        const auto [begin, end] = where.equal_range(program.nodes[first].state);
        for (auto at = begin; at != end; ++at) {
          std::uint32_t node = at->second;
          std::size_t steps = 0;
          for (; steps < 3 * cycle.size(); ++steps) {
            const auto& edges = graph.nodes[node].edges;
            const auto next = std::find_if(edges.begin(), edges.end(), [&](const Edge& e) { return e.thread == cycle[steps % cycle.size()].second.thread; });
            if (next == edges.end()) break;
            node = next->to;
          }
          ASSERT_LT(steps, 3 * cycle.size()) << threads.text();
        }
      });
  });
  EXPECT_GT(cycles, 1000);
}

TEST(FairTheorem5, StatesThatNeedNoYieldAreAllVisited) {
  int checked = 0;
  for_loops(50'000, 300, true, [&](const Threads& threads, const Graph& program) {
    const Graph graph = fair_graph(threads, 1);
    if (graph.too_many || cyclic(graph)) return;
    ++checked;
    std::set<Cells> visited;
    for (const Node& node : graph.nodes) visited.insert(node.state);
    for (const Cells& state : states_without_yields(program)) ASSERT_TRUE(visited.contains(state)) << threads.text();
  });
  EXPECT_GT(checked, 50);
}

TEST(FairTheorem5, WithEveryKthYieldStatesOfFewerYieldsAreAllVisited) {
  int checked = 0;
  for (const std::uint32_t every : {2u, 3u})
    for_loops(55'000, 150, true, [&](const Threads& threads, const Graph&) {
      const Graph graph = fair_graph(threads, every);
      if (graph.too_many || cyclic(graph)) return;
      ++checked;
      std::set<Cells> visited;
      for (const Node& node : graph.nodes) visited.insert(node.state);
      for (const Cells& state : states_below(threads, every)) ASSERT_TRUE(visited.contains(state)) << threads.text();
    });
  EXPECT_GT(checked, 50);
}

TEST(FairTheorem6, AFairCycleOfAtMostOneYieldEachIsFoundAsAnExecutionBeyondTheBound) {
  int found = 0;
  for_loops(60'000, 300, true, [&](const Threads& threads, const Graph& program) {
    const std::set<Cells> reached = states_without_yields(program);
    bool there = false;
    for (std::uint32_t first = 0; first < program.nodes.size() && !there; ++first) {
      if (!reached.contains(program.nodes[first].state)) continue;
      simple_cycles(program, first, 10, [&](const auto& cycle) {
        std::map<std::uint32_t, int> yields;
        for (const auto& [n, e] : cycle) yields[e.thread] += e.yields ? 1 : 0;
        there |= is_fair(program, cycle) && std::all_of(yields.begin(), yields.end(), [](const auto& y) { return y.second <= 1; });
      });
    }
    if (!there) return;
    const Graph graph = fair_graph(threads, 1);
    if (graph.too_many) return;
    ASSERT_TRUE(cyclic(graph)) << threads.text();
    Seen seen;
    const ThreadProgram program_to_run(threads, seen);
    SearchOptions options;
    options.fair = 1;
    options.limits.max_depth = 400;
    const Ran ran = run_threads(program_to_run, "preemption-bounded", options);
    ASSERT_FALSE(ran.findings.empty()) << threads.text();
    if (ran.findings[0].kind == "deadlock") return;  // it may have others
    ASSERT_TRUE(ran.findings[0].kind == "livelock" || ran.findings[0].kind == "good-samaritan") << threads.text();
    ++found;
  });
  EXPECT_GT(found, 20);
}

/// The class and algorithm 1 as it is printed agree along random executions.
TEST(Fair, IsAlgorithm1) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::uint32_t every = 1 + static_cast<std::uint32_t>(seed % 3);
    const Threads threads = random_threads(seed + 70'000, {.loops = true, .births = true, .least = 3, .most = 6});
    Fairness fairness(every);
    Rng rng(seed);
    for (int run = 0; run < 3; ++run) {
      fairness.begin(1);
      PlainFair plain{.every = every};
      Cells state = threads.initial();
      for (int step = 0; step < 200 && threads.enabled_set(state) != 0; ++step) {
        const std::uint64_t enabled = threads.enabled_set(state);
        std::uint64_t schedulable = 0;
        fairness.schedulable({&enabled, 1}, &schedulable);
        ASSERT_EQ(schedulable, plain.schedulable(enabled)) << "step " << step << "\n" << threads.text();
        ASSERT_EQ(fairness.restricts(), !plain.p.empty());
        const ProcessSet open({&schedulable, 1});
        const std::uint32_t t = index(open.at(static_cast<std::uint32_t>(rng.below(open.size()))));
        const Threads::Effect effect = threads.step(state, t, 0);
        const std::array<std::uint64_t, 4> sets{enabled, threads.enabled_set(effect.after), threads.alive_set(state), threads.alive_set(effect.after)};
        const auto set = [&](std::size_t n) { return ProcessSet({&sets[n], 1}); };
        fairness.stepped({.process = ProcessId{t}, .open_before = set(0), .open_after = set(1), .alive_before = set(2), .alive_after = set(3), .sent = {}, .order = {}, .yielded = effect.yielded});
        plain.stepped(static_cast<int>(t), sets[0], sets[1], sets[3], effect.yielded);
        state = effect.after;
      }
    }
  }
}

}  // namespace
}  // namespace tarry::test
