// How the words of a state are laid out.
//
//   two words for each of the first `slots` machines: configuration, inbox
//   one word: the machine that must go on before anybody else (slot + 1), because it stands at a data choice
//   one word a monitor
//   one word: the machines beyond, as a list in the pool (0: none)
//
// A machine's two words are neighbours, so that the store folds them into one node first.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/program.h"
#include "plang/vm/heap.h"

namespace tarry::plang {

struct Layout {
  std::uint32_t slots;
  std::uint32_t monitors;
  std::uint32_t words() const { return 2 * slots + 2 + monitors; }
  std::uint32_t exclusive() const { return 2 * slots; }
  std::uint32_t monitor(std::uint32_t n) const { return 2 * slots + 1 + n; }
  std::uint32_t rest() const { return 2 * slots + 1 + monitors; }
};

/// The machines that have no words of their own: slot, configuration and inbox of each, in order of their slots.
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
  std::vector<Machine> machines_;
};

}  // namespace tarry::plang
