// Programs that are given as graphs, for tests of liveness, and an oracle for them that knows no algorithm.
//
// The oracle goes through all sets of edges and asks of each whether an execution that takes exactly these edges for ever would be a violation. So it takes
// graphs of a dozen edges, and can be seen to be right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/search.h"
#include "tests/support/random_program.h"

namespace tarry::test {

struct GraphEdge {
  std::uint32_t from, process;
  std::vector<std::uint32_t> values;
  std::uint32_t to;
  abi::Marks marks{};
  abi::Resolved resolved{};
  friend bool operator<(const GraphEdge& a, const GraphEdge& b) { return std::tie(a.from, a.process, a.values) < std::tie(b.from, b.process, b.values); }
};

struct Graph {
  std::uint32_t states = 1, processes = 1, properties = 1;
  std::vector<GraphEdge> edges;                // sorted
  std::set<std::pair<std::uint32_t, std::uint32_t>> hidden = {};  // (state, process): it can run, but a mask hides it

  bool enabled(std::uint32_t state, std::uint32_t process) const {
    return hidden.contains({state, process}) || std::any_of(edges.begin(), edges.end(), [&](const GraphEdge& e) { return e.from == state && e.process == process; });
  }
};

/// A state is one word. Nobody waits who must not: there are no deadlocks.
class GraphProgram final : public Program {
 public:
  explicit GraphProgram(Graph graph) : graph_(std::move(graph)), shape_{1, 32, graph_.processes, false} {
    std::sort(graph_.edges.begin(), graph_.edges.end());
  }
  const Graph& graph() const { return graph_; }
  const Shape& shape() const override { return shape_; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<Teller>(); }
  std::vector<Property> properties() const override {
    std::vector<Property> out;
    for (std::uint32_t i = 0; i < graph_.properties; ++i) out.push_back({"property " + std::to_string(i), "property " + std::to_string(i) + " stays hot"});
    return out;
  }
 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const GraphProgram& all) : graph_(all.graph_) {}
    StepText initial(Word* words) override { return words[0] = 0, StepText{}; }
    void expand(StateView state, abi::Expansion& out) override {
      out.count = out.value_count = out.blocked = out.cut = 0;
      for (auto e = first(state[0]); e != graph_.edges.end() && e->from == state[0]; ++e) {
        if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) out.grow(&out);
        if (out.cut != 0) return;
        out.words[out.count] = e->to;
        out.successors[out.count++] = {e->process, 0, out.value_count, static_cast<std::uint32_t>(e->values.size()), e->marks, e->resolved};
        for (const std::uint32_t value : e->values) out.values[out.value_count++] = value;
      }
    }
    void survey(StateView state, Survey& out) override {
      std::fill(out.bits().begin(), out.bits().end(), 0);
      for (std::uint32_t p = 0; p < graph_.processes; ++p) {
        const bool open = shown(state[0], p);
        out.bits()[open ? 0 : 2 * std::size_t{out.longs()}] |= std::uint64_t{1} << p;
        out.bits()[out.longs()] |= std::uint64_t{1} << p;
      }
      out.sealed_by = 0;
    }
    void enabled(StateView state, std::span<std::uint64_t> out) override {
      out[0] = 0;
      for (std::uint32_t p = 0; p < graph_.processes; ++p) out[0] |= std::uint64_t{shown(state[0], p) || graph_.hidden.contains({state[0], p})} << p;
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      out.flags = out.sent_count = out.order_count = 0;
      out.outcome = abi::Outcome::kNotOpen;
      std::uint32_t arity = 0;
      for (auto e = first(state[0]); e != graph_.edges.end() && e->from == state[0]; ++e) {
        if (e->process != index(process) || e->values.size() < values.size() || !std::equal(values.begin(), values.end(), e->values.begin())) continue;
        if (e->values.size() == values.size()) {
          out.outcome = abi::Outcome::kMoved;
          out.words[0] = e->to;
          out.marks = e->marks;
          out.resolved = e->resolved;
          return;
        }
        arity = std::max(arity, e->values[values.size()] + 1);
        out.resolved = e->resolved;
      }
      if (arity == 0) return;
      out.outcome = abi::Outcome::kNeedsValue;
      out.arity = arity;
    }
    const abi::Cursor& cursor() const override { return cursor_; }

   private:
    bool shown(std::uint32_t state, std::uint32_t process) const {
      const auto e = std::lower_bound(graph_.edges.begin(), graph_.edges.end(), GraphEdge{state, process, {}, 0});
      return e != graph_.edges.end() && e->from == state && e->process == process;
    }
    std::vector<GraphEdge>::const_iterator first(std::uint32_t state) const { return std::lower_bound(graph_.edges.begin(), graph_.edges.end(), GraphEdge{state, 0, {}, 0}); }
    const Graph& graph_;
    abi::Cursor cursor_{};
  };

  class Teller final : public Narrator {
   public:
    Fields fields(StateView state) override { return {{"state", std::to_string(state[0])}}; }
    StepText explain(StateView, ProcessId, std::span<const std::uint32_t>) override { return {}; }
    std::string process_name(ProcessId process) override { return "process " + std::to_string(index(process)); }
  };

  Graph graph_;
  Shape shape_;
};

/// A set of edges that an execution takes for ever, and what is asked of it.
class EndlessSet {
 public:
  EndlessSet(const Graph& graph, std::vector<const GraphEdge*> edges) : graph_(graph), edges_(std::move(edges)) {
    for (const GraphEdge* e : edges_) states_.insert(e->from);
  }

  bool violates(std::uint32_t property, LoopFairness fairness, LoopChoices choices) const {
    bool hot = false;
    for (const GraphEdge* e : edges_) {
      if ((e->marks.cold >> property & 1) != 0) return false;
      hot = hot || (e->marks.hot >> property & 1) != 0;
    }
    return hot && connected() && scheduled(fairness) && chosen(choices);
  }

 private:
  bool connected() const {
    for (const std::uint32_t s : states_)
      if (reach(s) != states_) return false;
    return std::all_of(edges_.begin(), edges_.end(), [&](const GraphEdge* e) { return states_.contains(e->to); });
  }
  std::set<std::uint32_t> reach(std::uint32_t from) const {
    std::set<std::uint32_t> seen{from};
    for (bool grew = true; grew;) {
      grew = false;
      for (const GraphEdge* e : edges_) grew = (seen.contains(e->from) && seen.insert(e->to).second) || grew;
    }
    return seen;
  }
  bool scheduled(LoopFairness fairness) const {
    if (fairness == LoopFairness::kNone) return true;
    for (std::uint32_t p = 0; p < graph_.processes; ++p) {
      if (std::any_of(edges_.begin(), edges_.end(), [&](const GraphEdge* e) { return e->process == p; })) continue;
      const auto can = [&](std::uint32_t s) { return graph_.enabled(s, p); };
      if (fairness == LoopFairness::kWeak ? std::all_of(states_.begin(), states_.end(), can) : std::any_of(states_.begin(), states_.end(), can)) return false;
    }
    return true;
  }
  /// Wherever a fair choice is made for ever, each of its values is.
  bool chosen(LoopChoices choices) const {
    for (const GraphEdge* e : edges_)
      for (std::size_t i = 0; i < e->values.size(); ++i) {
        const bool fair = (e->resolved.fair >> i & 1) != 0 || (choices == LoopChoices::kFair && (e->resolved.demonic >> i & 1) == 0);
        if (!fair) continue;
        for (const GraphEdge& other : graph_.edges) {
          if (!same_prefix(*e, other, i) || other.values.size() <= i) continue;
          if (std::none_of(edges_.begin(), edges_.end(), [&](const GraphEdge* f) { return same_prefix(other, *f, i + 1); })) return false;
        }
      }
    return true;
  }
  static bool same_prefix(const GraphEdge& a, const GraphEdge& b, std::size_t length) {
    return a.from == b.from && a.process == b.process && a.values.size() >= length && b.values.size() >= length && std::equal(a.values.begin(), a.values.begin() + static_cast<std::ptrdiff_t>(length), b.values.begin());
  }

  const Graph& graph_;
  std::vector<const GraphEdge*> edges_;
  std::set<std::uint32_t> states_;
};

inline std::set<std::uint32_t> reachable(const Graph& graph) {
  std::set<std::uint32_t> seen{0};
  for (bool grew = true; grew;) {
    grew = false;
    for (const GraphEdge& e : graph.edges) grew = (seen.contains(e.from) && seen.insert(e.to).second) || grew;
  }
  return seen;
}

/// Bit i: property i is violated by some endless execution.
inline std::uint32_t violated(const Graph& graph, LoopFairness fairness, LoopChoices choices) {
  const auto seen = reachable(graph);
  std::vector<const GraphEdge*> all;
  for (const GraphEdge& e : graph.edges)
    if (seen.contains(e.from)) all.push_back(&e);
  std::uint32_t out = 0;
  for (std::uint32_t bits = 1; bits < std::uint32_t{1} << all.size(); ++bits) {
    std::vector<const GraphEdge*> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1) != 0) some.push_back(all[i]);
    const EndlessSet set(graph, std::move(some));
    for (std::uint32_t p = 0; p < graph.properties; ++p)
      if ((out >> p & 1) == 0 && set.violates(p, fairness, choices)) out |= 1u << p;
  }
  return out;
}

/// Without fairness: a hot edge from which its start can be reached again without passing a cold edge.
inline bool has_hot_cycle(const Graph& graph) {
  for (std::uint32_t p = 0; p < graph.properties; ++p)
    for (const GraphEdge& hot : graph.edges) {
      if ((hot.marks.hot >> p & 1) == 0 || (hot.marks.cold >> p & 1) != 0) continue;
      std::set<std::uint32_t> reached{hot.to};
      for (bool grew = true; grew;) {
        grew = false;
        for (const GraphEdge& e : graph.edges) grew = ((e.marks.cold >> p & 1) == 0 && reached.contains(e.from) && reached.insert(e.to).second) || grew;
      }
      if (reached.contains(hot.from)) return true;
    }
  return false;
}

struct GraphFeatures {
  std::uint32_t most_states = 5, most_processes = 3, most_edges = 10;
  bool values = true;
  bool resolved = true;  // some values are always fair, or never
  bool masks = true;
};

inline Graph random_graph(std::uint64_t seed, const GraphFeatures& shape = {}) {
  SplitMix random(seed);
  Graph g;
  g.states = 1 + random.below(shape.most_states);
  g.processes = 1 + random.below(shape.most_processes);
  g.properties = 1 + random.below(2);
  const std::uint32_t hot_in = 1 + random.below(3), cold_in = 2 + random.below(6);
  const auto add = [&](std::uint32_t s, std::uint32_t p, std::vector<std::uint32_t> values, const abi::Resolved& resolved) {
    GraphEdge e{s, p, std::move(values), random.below(g.states), {}, resolved};
    for (std::uint32_t i = 0; i < g.properties; ++i) {
      e.marks.hot |= std::uint32_t{random.one_in(hot_in)} << i;
      e.marks.cold |= std::uint32_t{random.one_in(cold_in)} << i;
    }
    g.edges.push_back(std::move(e));
  };
  for (std::uint32_t s = 0; s < g.states; ++s)
    for (std::uint32_t p = 0; p < g.processes; ++p) {
      if (random.one_in(3)) {
        if (shape.masks && random.one_in(4)) g.hidden.insert({s, p});
        continue;
      }
      abi::Resolved resolved{random.one_in(4) ? random.below(4) : 0, random.one_in(4) ? random.below(4) : 0};
      if (!shape.resolved) resolved = {};
      const std::uint32_t form = shape.values ? random.below(6) : 0;
      if (form < 3) add(s, p, {}, {});
      else if (form < 5) add(s, p, {0}, resolved), add(s, p, {1}, resolved);
      else add(s, p, {0}, resolved), add(s, p, {1, 0}, resolved), add(s, p, {1, 1}, resolved);
    }
  if (g.edges.size() > shape.most_edges) return random_graph(random.next(), shape);
  return g;
}

}  // namespace tarry::test
