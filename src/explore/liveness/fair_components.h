// Where an execution can go round for ever and violate a liveness property: strongly connected parts of the graph that are fair.
//
// A property is violated by an endless execution that shows it hot again and again and cold only finitely often. So its cold edges are taken out, and
// strongly connected components with a hot edge are looked for. What an execution does for ever must be fair:
// - Data choices: of a step that is taken for ever in one state every outcome is taken for ever. So a step that has an outcome outside of the component is
//   taken out, and the rest is split anew. Where a choice goes against the program, one outcome inside is enough.
// - Weak fairness: every process is scheduled in the component, or cannot run somewhere in it. If not, no part of the component is fair either.
// - Strong fairness: every process that can run somewhere in the component is scheduled in it. If not, the states where it can run are taken out, and the
//   rest is split anew.
// Everything is monotone: what is taken out is part of no fair component, so what is left is the largest one.
//
// Several workers share the first division of a large graph (explore/liveness/shared_split.h) and the judgement of a large component. What is split anew has one worker.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/virtual_vector.h"
#include "explore/liveness/state_graph.h"

namespace tarry {

/// Who can run in a state, in the whole program.
class Enabled {
 public:
  /// Requires: all states of the graph have been made.
  Enabled(const StateGraph& graph, StateSpace& space, const Program& program)
      : graph_(graph), space_(space), words_(program.shape().words), bits_((program.processes_met() + 63) / 64) {}
  std::span<const std::uint64_t> in(StateGraph::Id state) {
    graph_.words(state, words_.data());
    space_.enabled(words_, bits_);
    return bits_;
  }
  std::size_t longs() const { return bits_.size(); }

 private:
  const StateGraph& graph_;
  StateSpace& space_;
  std::vector<Word> words_;
  std::vector<std::uint64_t> bits_;
};

struct FairnessRules {
  LoopFairness fairness = LoopFairness::kWeak;
  LoopChoices choices = LoopChoices::kFair;
};

class FairComponents {
 public:
  using Id = StateGraph::Id;
  using EdgeId = StateGraph::EdgeId;

  /// `enabled`: one for each worker, at least one. `give_up` is asked now and then, by the first worker.
  FairComponents(StateGraph& graph, std::vector<Enabled>& enabled, FairnessRules rules, std::function<bool()> give_up);

  /// A component in which the property can be violated, the one whose first state was found first. Nothing: there is none, or it was given up.
  std::optional<std::vector<Id>> find(std::uint32_t property);
  /// Was the last answer given up?
  bool given_up() const { return given_up_; }

  // Of the component that was found last.
  bool inside(Id from, EdgeId edge) const {
    const Id to = graph_.edge(edge).to;
    return !taken_out(edge) && to != StateGraph::kOutside && region_[to] == region_[from] && region_[from] != kNowhere;
  }
  bool contains(Id state) const { return region_[state] == found_; }
  bool is_hot(EdgeId edge) const { return (graph_.label(graph_.edge(edge)).marks.hot & bit_) != 0; }
  /// Is a data choice at this position fair?
  bool fair_at(const EdgeLabel& label, std::uint32_t position) const {
    if ((label.resolved.fair >> position & 1) != 0) return true;
    return rules_.choices == LoopChoices::kFair && (label.resolved.demonic >> position & 1) == 0;
  }
  const FairnessRules& rules() const { return rules_; }
  /// Edges that a fair choice takes out, which a choice against the program could keep in: where fairness of choices mattered.
  bool taken_out(EdgeId edge) const { return (removed_[edge / 64] >> (edge % 64) & 1) != 0; }

 private:
  using Set = std::vector<Id>;
  using Region = std::uint32_t;
  static constexpr Region kNowhere = 0;

  /// One outcome of a step.
  struct Alternative {
    EdgeId edge;
    ProcessId process;
    std::vector<std::uint32_t> values;
  };
  enum class Judgement { kFair, kUnfair, kSmaller };

  void take_out(EdgeId edge) { removed_[edge / 64] |= std::uint64_t{1} << (edge % 64); }
  void take_out_cold();
  void split_all();
  void split(const Set& states);
  void visit(Id root);
  void leave(Id state);
  void keep_component(std::span<const Id> component);
  bool has_hot_edge(std::span<const Id> component) const;
  bool prune_choices(const Set& component);
  bool prune_state(Id state);
  bool keeps(Id state, std::span<const Alternative> outcomes, std::size_t depth);
  Judgement judge(Set& component);
  Judgement judge_weak(const Set& component);
  std::uint32_t workers_for(std::span<const Id> component) const { return component.size() < kShared ? 1 : static_cast<std::uint32_t>(enabled_.size()); }
  Judgement judge_strong(Set& component);
  std::vector<std::uint64_t> scheduled(const Set& component) const;
  bool tired(std::uint32_t ticks = 1);

  static constexpr std::size_t kShared = 2048;  // smaller ones are faster with one worker

  StateGraph& graph_;
  std::vector<Enabled>& enabled_;  // by worker
  FairnessRules rules_;
  std::function<bool()> give_up_;
  std::uint32_t bit_ = 0;
  Region found_ = kNowhere;
  Region regions_ = 0;            // so many have been given out
  Region splitting_ = kNowhere;   // the region that is split now
  std::vector<Region> region_;    // by state
  std::vector<std::uint64_t> removed_;  // a bit for each edge
  std::vector<Set> work_;         // components with a hot edge, to be looked at
  // Tarjan's algorithm.
  struct Frame {
    Id state;
    EdgeId next;
  };
  std::vector<std::uint32_t> order_, low_;  // by state; 0: not visited
  std::uint32_t visited_ = 0;
  VirtualVector<Frame> frames_;
  VirtualVector<Id> stack_;
  std::vector<Alternative> outcomes_;
  std::uint64_t ticks_ = 0;
  bool given_up_ = false;
};

}  // namespace tarry
