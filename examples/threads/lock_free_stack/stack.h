// A lock-free stack with nodes from a fixed array, which are used again: Treiber's stack. A thread that pops a node keeps it in
// its own free list, for its next push. The top is an index with a tag that grows at every change: a thread that was held up
// between its look at the top and its compare-and-swap sees by the tag that the same node has been away and come back (ABA).
//
// Paper: Treiber. Systems programming: coping with parallelism. IBM RJ 5118, 1986.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

/// The nodes that one thread may use; the one that was freed first is used first.
using FreeList = std::deque<std::uint32_t>;

template <class T, std::size_t Capacity>
class LockFreeStack {
 public:
  /// All nodes, at the start; to be given to one thread, or shared out.
  FreeList all_nodes() const {
    FreeList all;
    for (std::uint32_t node = 0; node < Capacity; ++node) all.push_back(node);
    return all;
  }

  /// False: the thread has no free node.
  bool push(T value, FreeList& mine) {
    if (mine.empty()) return false;
    const std::uint32_t node = mine.front();
    mine.pop_front();
    nodes_[node].value = value;
    Top top = top_;
    do nodes_[node].next = top.node;
    while (!top_.compare_exchange_weak(top, Top{node, top.tag + 1}));
    return true;
  }

  std::optional<T> pop(FreeList& mine) {
    Top top = top_;
    do
      if (top.node == kNone) return std::nullopt;
    while (!top_.compare_exchange_weak(top, Top{nodes_[top.node].next, top.tag + 1}));
    mine.push_back(top.node);
    return nodes_[top.node].value;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Top {
    std::uint32_t node = kNone, tag = 0;
  };
  struct Node {
    std::atomic<std::uint32_t> next{kNone};  // a slow thread may read it when the node is elsewhere already
    T value{};
  };

  std::array<Node, Capacity> nodes_;
  std::atomic<Top> top_{Top{}};
};
