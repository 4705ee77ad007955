// How the words of a state are laid out.
//
//   two words for each of the first `slots` machines: configuration, inbox
//   one word for the machine that must run next (slot + 1), because it is at a data choice
//   one word for the machines beyond, as a list in the pool (0: none)
//   one word per monitor, and one for the formula that is watched, if there is one (formula_watch.h)
//
// Which of them the store folds with which is chosen by a sample of states (store/fold_plan.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/program.h"
#include "plang/vm/value_heap.h"

namespace tarry::plang {

class Layout {
 public:
  Layout() : Layout(1, 0) {}
  Layout(std::uint32_t slots, std::uint32_t monitors, bool watches = false) : slots_(slots), monitors_(monitors), watches_(watches) {}

  std::uint32_t slots() const { return slots_; }
  std::uint32_t monitors() const { return monitors_; }
  bool watches() const { return watches_; }
  std::uint32_t words() const { return 2 * slots_ + 2 + monitors_ + (watches_ ? 1 : 0); }
  /// Where the words are. The inbox of a machine is next to its configuration.
  std::uint32_t slot(std::uint32_t n) const { return 2 * n; }
  std::uint32_t exclusive() const { return 2 * slots_; }
  std::uint32_t rest() const { return 2 * slots_ + 1; }
  std::uint32_t monitor(std::uint32_t n) const { return 2 * slots_ + 2 + n; }
  std::uint32_t formula() const { return monitor(monitors_); }

 private:
  std::uint32_t slots_, monitors_;
  bool watches_ = false;
};

/// The machines that have no words of their own: slot, configuration and inbox of each, in order of their slots. In the pool they are a list of chunks of
/// kChunk slots, so that a step makes one new chunk: an execution with thousands of machines has a state for each of its steps.
class Rest {
 public:
  struct Machine {
    std::uint32_t slot, config, inbox;
  };
  void load(const Pool& pool, std::uint32_t id);
  std::uint32_t save(Pool& pool);
  const std::vector<Machine>& machines() const { return machines_; }
  /// A new machine is absent.
  Machine& at(std::uint32_t slot);

 private:
  static constexpr std::uint32_t kChunk = 64;
  std::vector<Machine> machines_;
};

}  // namespace tarry::plang
