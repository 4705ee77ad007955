// Random programs with liveness properties, and a reference that knows nothing of the adapter of models.
//
// The reference interprets the program itself: who can run, who holds the seal, what ends and what waits. It keeps no memory of properties: a violation is looked for as properties are
// defined. `eventually p` is violated by an execution without p; `p leads to q` by one with p and no q from there on; `infinitely often p` by one whose end has no p.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/finding.h"
#include "tests/support/fair_oracle.h"
#include "tests/support/graph_program.h"
#include "tests/support/random_program.h"

namespace tarry::test {

enum class Obligation : std::uint8_t { kEventually, kLeadsTo, kInfinitelyOften };

/// A fact about a state of a random program.
struct Fact {
  std::uint32_t kind, a, b;
  static Fact any(SplitMix& random) { return {random.below(4), random.below(2), random.below(RandomProgram::kValues)}; }

  bool holds(const RandomProgram& program, const RandomModel::State& s) const {
    switch (kind) {
      case 0: return s.shared[a] == b;
      case 1: return s.local[a] == b;
      case 2: return s.at[a] == b;
      default: return s.at[a] >= program.code[a].size();
    }
  }
};

struct Facts {
  Fact p, q;
};

/// The properties of a model are fixed; what they are about is the program's.
template <bool seals, Obligation... kKinds>
struct ObligedModel : RandomModel {
  static constexpr bool uses_seals = seals;
  static constexpr Obligation kinds[] = {kKinds...};
  static constexpr const char* names[] = {"first", "second", "third"};
  inline static std::vector<Facts> facts;  // of the current program
  const std::vector<Facts> about = facts;

  void liveness(const State& s, Liveness& live) {
    for (std::size_t i = 0; i < sizeof...(kKinds); ++i) {
      const bool p = about[i].p.holds(program, s), q = about[i].q.holds(program, s);
      if (kinds[i] == Obligation::kEventually) live.eventually(names[i], p);
      else if (kinds[i] == Obligation::kLeadsTo) live.leads_to(names[i], p, q);
      else live.infinitely_often(names[i], p);
    }
  }

  static const abi::Model& of(const RandomProgram& of_program, std::vector<Facts> of_facts) {
    static constexpr abi::Model kTable = detail::Adapter<ObligedModel>::table("obliged random", __FILE__);
    RandomModel::current = &of_program;
    facts = std::move(of_facts);
    return kTable;
  }
};

/// What a step of the reference says.
struct PlainRun {
  enum class End : std::uint8_t { kMoved, kBlocked, kIdle, kEnded } end = End::kMoved;
  std::vector<std::uint32_t> values, arities = {};
  bool failed = false, accepting = false;
  int sealed = 0, least_sealed = 0;

  template <class... Any>
  void label(const Any&...) {}
  template <class... Any>
  void expect(bool holds, const Any&...) { failed = failed || !holds; }
  void blocked() { end = End::kBlocked; }
  void idle() { end = End::kIdle; }
  void ended() { end = End::kEnded; }
  void yields() {}
  void accepts() { accepting = true; }
  void sends(int) {}
  void seal() { ++sealed; }
  void unseal() { least_sealed = std::min(least_sealed, --sealed); }
  std::uint32_t choose(std::uint32_t n) {
    arities.push_back(n);
    if (values.size() < arities.size()) values.push_back(0);
    return values[arities.size() - 1];
  }
};

class ObligedReference {
 public:
  struct Property {
    bool accepting;  // infinitely many accepting steps are a violation; else one of these:
    Obligation kind;
    Facts facts;
  };

  ObligedReference(const RandomProgram& program, std::vector<Property> properties, std::size_t most) : properties_(std::move(properties)) {
    RandomModel::current = &program;
    model_ = std::make_unique<RandomModel>();
    build(most);
  }

  bool complete() const { return complete_; }
  const std::set<std::string>& failures() const { return live_.failures; }

  /// Is the property violated, by an execution that goes on for ever or by one that ends?
  bool violated(std::size_t property, LoopFairness fairness, bool fair_choices) const {
    const Property& about = properties_[property];
    LiveGraph graph = live_;
    if (about.accepting) {
      for (std::size_t e = 0; e < graph.edges.size(); ++e) graph.edges[e].marks = {accepting_[e] ? 1u : 0u, 0};
    } else {
      const std::set<std::uint32_t> open = open_states(about);
      for (const std::uint32_t s : open)
        if (ends(s)) return true;
      for (LiveGraph::Edge& e : graph.edges) e.marks = open.contains(e.from) && open.contains(e.to) ? abi::Marks{1, 0} : abi::Marks{0, 1};
    }
    const OracleFairness how = fairness == LoopFairness::kNone ? OracleFairness::kNone : fairness == LoopFairness::kWeak ? OracleFairness::kWeak : OracleFairness::kStrong;
    return FairOracle(graph, how, fair_choices).violated(0);
  }

  struct Counts {
    std::uint64_t states = 0, transitions = 0;
  };
  /// With what properties must remember: whether `eventually` was met, whether `leads to` is open.
  Counts counts() const {
    using Remembering = std::pair<std::uint32_t, std::uint32_t>;
    const auto remember = [&](std::uint32_t state, std::uint32_t before) {
      std::uint32_t out = 0;
      for (std::size_t i = 0; i < properties_.size(); ++i) {
        const Property& about = properties_[i];
        if (about.accepting || about.kind == Obligation::kInfinitelyOften) continue;
        const bool had = (before >> i & 1) != 0, p = holds(about.facts.p, state), q = holds(about.facts.q, state);
        const bool has = about.kind == Obligation::kEventually ? had || p : (had || p) && !q;
        out |= std::uint32_t{has} << i;
      }
      return out;
    };
    std::set<Remembering> seen{{0, remember(0, 0)}};
    std::vector<Remembering> todo(seen.begin(), seen.end());
    Counts out;
    while (!todo.empty()) {
      const auto [state, memory] = todo.back();
      todo.pop_back();
      for (const std::size_t e : leaving_[state]) {
        ++out.transitions;
        const Remembering to{live_.edges[e].to, remember(live_.edges[e].to, memory)};
        if (seen.insert(to).second) todo.push_back(to);
      }
    }
    out.states = seen.size();
    return out;
  }

  /// What is wrong with a liveness finding about a property; empty if nothing is.
  std::string wrong_with(const Finding& finding, std::size_t property, const SearchOptions& options) const {
    std::vector<std::uint32_t> states{0};
    std::vector<std::size_t> edges;
    for (std::size_t i = 0; i < finding.schedule.size();) {
      const std::uint32_t process = finding.schedule[i++].number;
      std::vector<std::uint32_t> values;
      while (i < finding.schedule.size() && finding.schedule[i].kind == Choice::Kind::kValue) values.push_back(finding.schedule[i++].number);
      const auto& from = leaving_[states.back()];
      const auto e = std::find_if(from.begin(), from.end(), [&](std::size_t n) { return live_.edges[n].process == process && live_.edges[n].values == values; });
      if (e == from.end()) return "takes a step that is not there";
      edges.push_back(*e);
      states.push_back(live_.edges[*e].to);
    }
    const Property& about = properties_[property];
    if (finding.loop == 0) return !ends(states.back()) ? "does not end" : owes(about, states, states.size() - 1) ? "" : "owes nothing at its end";
    const std::size_t loop = finding.loop - 1;
    if (loop >= edges.size() || states[loop] != states.back()) return "does not come back to where its loop starts";
    if (about.accepting) {
      if (std::none_of(edges.begin() + static_cast<std::ptrdiff_t>(loop), edges.end(), [&](std::size_t e) { return accepting_[e]; })) return "accepts only finitely often";
    } else if (!owes(about, states, loop)) {
      return "meets its obligation";
    }
    Graph graph = as_graph();
    std::vector<const GraphEdge*> taken;
    for (std::size_t i = loop; i < edges.size(); ++i)
      for (const GraphEdge& e : graph.edges)
        if (e.from == states[i] && e.process == live_.edges[edges[i]].process && e.values == live_.edges[edges[i]].values) taken.push_back(&e);
    return EndlessSet(graph, std::move(taken)).violates(0, options.fairness, options.choices) ? "" : "is not fair";
  }

 private:
  struct Node {
    RandomModel::State state;
    std::uint32_t owner = 0, depth = 0;  // of the seal: process + 1
  };
  using Key = std::vector<std::uint32_t>;

  static Key key(const Node& node) {
    Key out{node.owner, node.depth, node.state.created};
    for (const auto& at : node.state.at) out.push_back(at);
    for (const auto& local : node.state.local) out.push_back(local);
    for (const auto& shared : node.state.shared) out.push_back(shared);
    for (const auto& holder : node.state.holder) out.push_back(holder);
    for (auto mail : node.state.mail)
      for (out.push_back(99); !mail.empty();) out.push_back(mail.pop());
    return out;
  }

  PlainRun run(RandomModel::State& state, std::uint32_t process, std::vector<std::uint32_t> values) const {
    PlainRun out{.values = std::move(values)};
    model_->interpret(state, static_cast<int>(process), out);
    if (out.failed) out.end = PlainRun::End::kMoved;  // a step that fails is one, whatever else it says
    return out;
  }
  PlainRun::End alone(const RandomModel::State& state, std::uint32_t process) const {
    RandomModel::State copy = state;
    return run(copy, process, {}).end;
  }
  bool can_run(const RandomModel::State& state, std::uint32_t process) const { return process < state.created && alone(state, process) == PlainRun::End::kMoved; }

  /// A seal is nested by its owner, and given up when the owner cannot run. Returns false if it is misused.
  bool keep_seal(Node& to, std::uint32_t process, const PlainRun& said) const {
    if ((said.sealed != 0 || said.least_sealed < 0) && (to.depth == 0 || to.owner == process + 1)) {
      if (static_cast<int>(to.depth) + said.least_sealed < 0 || static_cast<int>(to.depth) + said.sealed > 15) return false;
      to.depth = static_cast<std::uint32_t>(static_cast<int>(to.depth) + said.sealed);
      to.owner = to.depth == 0 ? 0 : process + 1;
    }
    if (to.depth != 0 && !can_run(to.state, to.owner - 1)) to.depth = to.owner = 0;
    return true;
  }

  void build(std::size_t most) {
    std::map<Key, std::uint32_t> numbers;
    std::deque<Node> queue;
    const auto number = [&](const Node& node) {
      const auto [at, fresh] = numbers.emplace(key(node), static_cast<std::uint32_t>(numbers.size()));
      if (fresh) queue.push_back(node), states_.push_back(node.state);
      return at->second;
    };
    number({model_->initial()});
    while (!queue.empty() && numbers.size() <= most) {
      const Node node = queue.front();
      queue.pop_front();
      const auto from = static_cast<std::uint32_t>(live_.enabled.size());
      auto& enabled = live_.enabled.emplace_back();
      leaving_.emplace_back();
      bool waits = false;
      for (std::uint32_t p = 0; p < node.state.created; ++p) {
        const PlainRun::End end = alone(node.state, p);
        if (end == PlainRun::End::kMoved) enabled.insert(p);
        waits = waits || end == PlainRun::End::kBlocked;
      }
      if (enabled.empty() && waits) live_.failures.insert("deadlock");
      for (const std::uint32_t p : enabled)
        if (node.owner == 0 || node.owner == p + 1) take(node, from, p, {}, number);
    }
    complete_ = queue.empty();
  }

  template <class Number>
  void take(const Node& node, std::uint32_t from, std::uint32_t process, const std::vector<std::uint32_t>& values, const Number& number) {
    Node to = node;
    const PlainRun said = run(to.state, process, values);
    if (said.arities.size() > values.size()) {  // programs choose once in a step
      for (std::uint32_t v = 0; v < said.arities[values.size()]; ++v) {
        std::vector<std::uint32_t> more = values;
        more.push_back(v);
        take(node, from, process, more, number);
      }
      return;
    }
    const bool misused = !said.failed && !keep_seal(to, process, said);
    if (said.failed) live_.failures.insert("assertion");
    if (misused) live_.failures.insert("misuse");
    const bool failed = said.failed || misused;
    if (!failed) leaving_[from].push_back(live_.edges.size());
    live_.edges.push_back({from, failed ? from : number(to), process, values, {}, {}, failed});
    accepting_.push_back(said.accepting);
  }

  bool holds(const Fact& fact, std::uint32_t state) const { return fact.holds(model_->program, states_[state]); }
  bool ends(std::uint32_t state) const { return live_.enabled[state].empty(); }

  /// States in which the obligation may be open.
  std::set<std::uint32_t> open_states(const Property& about) const {
    std::set<std::uint32_t> out;
    const auto stays_open = [&](std::uint32_t s) { return !holds(about.kind == Obligation::kLeadsTo ? about.facts.q : about.facts.p, s); };
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      const bool opens = about.kind == Obligation::kEventually ? s == 0 : about.kind == Obligation::kInfinitelyOften || holds(about.facts.p, s);
      if (opens && stays_open(s)) out.insert(s);
    }
    std::vector<std::uint32_t> todo(out.begin(), out.end());
    while (!todo.empty()) {
      const std::uint32_t s = todo.back();
      todo.pop_back();
      for (const std::size_t e : leaving_[s])
        if (stays_open(live_.edges[e].to) && out.insert(live_.edges[e].to).second) todo.push_back(live_.edges[e].to);
    }
    return out;
  }

  /// Is the property violated by these states, the last ones again and again?
  bool owes(const Property& about, const std::vector<std::uint32_t>& states, std::size_t loop) const {
    const auto none_from = [&](const Fact& fact, std::size_t i) {
      return std::none_of(states.begin() + static_cast<std::ptrdiff_t>(i), states.end(), [&](std::uint32_t s) { return holds(fact, s); });
    };
    if (about.kind == Obligation::kEventually) return none_from(about.facts.p, 0);
    if (about.kind == Obligation::kInfinitelyOften) return none_from(about.facts.p, loop);
    for (std::size_t i = 0; i < states.size(); ++i)
      if (holds(about.facts.p, states[i]) && none_from(about.facts.q, std::min(i, loop))) return true;
    return false;
  }

  Graph as_graph() const {
    Graph out{.states = static_cast<std::uint32_t>(live_.states()), .processes = RandomProgram::kProcesses, .properties = 1, .edges = {}};
    for (const LiveGraph::Edge& e : live_.edges) out.edges.push_back({e.from, e.process, e.values, e.failed ? out.states : e.to, {1, 0}, {}});
    for (std::uint32_t s = 0; s < live_.states(); ++s)
      for (const std::uint32_t p : live_.enabled[s]) out.hidden.insert({s, p});
    return out;
  }

  std::vector<Property> properties_;
  std::unique_ptr<RandomModel> model_;
  LiveGraph live_;
  std::vector<bool> accepting_;                    // by edge
  std::vector<std::vector<std::size_t>> leaving_;  // by state: edges that do not fail
  std::vector<RandomModel::State> states_;
  bool complete_ = false;
};

}  // namespace tarry::test
