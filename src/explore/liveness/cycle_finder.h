// Looks for loops in a graph that violate a liveness property and are fair, and reports the first one as a lasso.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/liveness/lasso.h"

namespace tarry {

class CycleFinder {
 public:
  CycleFinder(Session& session, StateGraph& graph, StateSpace& space, MemoryBudget& budget) : session_(session), graph_(graph), space_(space), budget_(budget), properties_(session.program().properties()) {}

  /// Bytes that a look takes, for each state and for each edge of the graph.
  struct Room {
    std::uint64_t per_state, per_edge;
  };
  static Room room(std::uint32_t jobs) { return jobs == 1 ? Room{36, 1} : Room{36 + 17, 1 + 4}; }

  /// Looks in the part of the graph that there is now. Uses as many workers as the options say.
  void look();
  /// A proof that rests on fair data choices says so, and where. The proof stands: when the search has to end meanwhile, only the note is shorter.
  void note_fair_choices();

  const std::vector<Property>& properties() const { return properties_; }

 private:
  FairnessRules rules() const {
    const bool weak_is_enough = session_.options().fairness == LoopFairness::kStrong && session_.program().shape().stays_enabled;
    return {weak_is_enough ? LoopFairness::kWeak : session_.options().fairness, session_.options().choices};
  }
  /// Shows the watcher that the search goes on. Returns whether it has to end.
  bool must_end() {
    bump(session_.worker(0).beat);
    return session_.must_end();
  }
  void report(Lasso lasso, std::uint32_t property);
  std::string place_of_choice(const Lasso& lasso);
  Narrator& narrator();
  std::vector<Enabled> enabled();

  Session& session_;
  StateGraph& graph_;
  StateSpace& space_;
  MemoryBudget& budget_;
  std::vector<Property> properties_;
  std::unique_ptr<Narrator> narrator_;
  std::vector<std::unique_ptr<StateSpace>> more_spaces_;  // for workers beside the first one
};

}  // namespace tarry
