// Wake-up trees: what is to be explored from a node, as sequences of events that share beginnings.
//
// A sequence leads to an execution that no sleep set blocks. `insert` adds one unless an execution that the tree leads to already covers it.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014: wakeup trees.
#pragma once

#include <optional>
#include <vector>

#include "explore/dpor/event.h"

namespace tarry {

/// Where in `sequence` the event is, or could be, so that it comes first: the index of the first event of its process, which none before it depends on;
/// the size of the sequence if its process has no event there and it commutes with all of them; nothing if it cannot come first.
std::optional<std::size_t> can_come_first(const Event& event, const std::vector<const Event*>& sequence);

struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;  // in the order in which they are explored

  bool empty() const { return branches.empty(); }
  /// Returns how many events were added; 0: it was covered.
  std::size_t insert(std::vector<const Event*> sequence);
  /// Events in it.
  std::size_t size() const;
};

struct WakeupTree::Branch {
  Event event;
  WakeupTree next;
};

}  // namespace tarry
