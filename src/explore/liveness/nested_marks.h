// What the workers of a parallel nested depth-first search tell each other (explore/liveness/parallel_nested.h): which worker
// expands a state, which nodes are finished, and when the outcome of an inner search counts.
//
// tests/native/self/nested_marks.cpp: Tarry explores the schedules of small searches that use these marks.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry {

/// The colours of a node. They are only ever added.
class NestedMark {
 public:
  using Bits = std::uint8_t;
  // Blue: an outer search has left all edges of the node. Red: an inner search has visited it, and no accepting cycle can be
  // reached from it. Searched: the inner search from its accepting edges has ended, and what it visited is red.
  static constexpr Bits kBlue = 1, kRed = 2, kSearched = 4;

  explicit NestedMark(Bits& bits) : bits_(bits) {}

  bool has(Bits colour) const { return (bits_.load(std::memory_order_acquire) & colour) != 0; }
  void add(Bits colour) {
    if (!has(colour)) bits_.fetch_or(colour, std::memory_order_acq_rel);
  }
  /// The caller's outer search has left all edges of the node. Returns true for the first such call: this worker starts the inner
  /// search.
  bool leave() { return (bits_.fetch_or(kBlue, std::memory_order_acq_rel) & kBlue) == 0; }

 private:
  std::atomic_ref<Bits> bits_;
};

/// Ends the inner search from the accepting edges of `root`. Waits until the other nodes with accepting edges that it visited
/// (`sources`) are searched, then makes all that it visited (`visited`) red. Both lists are empty afterwards. `mark` gives the
/// mark of a node. `rest` is called again and again during the wait; if it returns true, the caller gives up and nothing is
/// marked.
template <class Node, class List, class MarkOf, class Rest>
bool end_inner_search(const Node& root, List& visited, List& sources, const MarkOf& mark, const Rest& rest) {
  for (; !sources.empty(); sources.pop())
    while (!mark(sources.back()).has(NestedMark::kSearched))
      if (rest()) return false;
  for (; !visited.empty(); visited.pop()) mark(visited.back()).add(NestedMark::kRed);
  mark(root).add(NestedMark::kSearched);
  return true;
}

/// Decides which worker expands a state. The edges of a state are written by that worker, and read by others once it is done.
class ExpansionMark {
 public:
  using Bits = std::uint8_t;

  explicit ExpansionMark(Bits& bits) : bits_(bits) {}

  /// The caller has found the state, and all that is kept of it is written.
  void found() { bits_.store(kFound, std::memory_order_release); }
  /// Returns true if the caller has to expand the state. False: another worker expands it, or it is not known well enough yet.
  bool take() {
    Bits seen = kFound;
    return bits_.load(std::memory_order_relaxed) == kFound &&
           bits_.compare_exchange_strong(seen, kTaken, std::memory_order_acquire);
  }
  /// The caller took the state and has written its edges.
  void finish() { bits_.store(kDone, std::memory_order_release); }
  bool done() const { return bits_.load(std::memory_order_acquire) == kDone; }
  /// A state with edges may get more of them. Requires: no other worker uses the mark.
  void again() {
    if (done()) found();
  }

 private:
  static constexpr Bits kFound = 1, kTaken = 2, kDone = 3;
  std::atomic_ref<Bits> bits_;
};

}  // namespace tarry
