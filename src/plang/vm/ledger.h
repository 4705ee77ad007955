// Steps as P counts them, and how long a spec has been hot.
//
// P bounds executions by its own steps (each scheduling decision and each choice is one), and takes a spec for violated that stays hot for more than half of that
// bound in a fair execution. Neither is part of a state, so neither can be asked of a search that stores states: only executions that are
// followed from start to end (random-walk, pct, …) keep a ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"

namespace tarry::plang {

class PSpace;

struct Bounds {
  std::uint64_t max_steps = 0;      // 0: none
  bool fail_on_max_steps = false;   // reaching it is a bug
  std::uint64_t temperature = 0;    // a spec that is hot for longer is violated; 0: not looked at
  std::uint64_t memory = 0;         // that a process with a search may hold; 0: no limit
  std::uint32_t machines = 0;       // at most so many; 0: as many as there is room for (Identities::kMost). Tests lower it
  std::uint32_t deep = 8;           // a machine with so many creators above it is deep (PSpace::is_deep); tests lower it
};

class PLedger final : public Ledger {
 public:
  PLedger(PSpace& space, Bounds bounds) : space_(space), bounds_(bounds) {}
  void begin(StateView first) override;
  StepText add(StateView before, StateView after) override;
  bool over() const override { return bounds_.max_steps != 0 && steps_ >= bounds_.max_steps; }

 private:
  /// Its configuration when it had been hot for too long, if it has: a decision or a choice counts before what follows from it.
  std::optional<std::uint32_t> too_hot(std::uint32_t monitor, std::uint32_t word);

  PSpace& space_;
  Bounds bounds_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint64_t> heat_;  // of each monitor
};

}  // namespace tarry::plang
