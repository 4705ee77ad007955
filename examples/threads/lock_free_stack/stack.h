// A lock-free stack with nodes from a fixed array, which are used again: Treiber's stack, twice, once for what it holds and once
// for the free nodes. The top is an index with a tag that grows at every change. A thread that was held up between its look at the
// top and its compare-and-swap sees by the tag that the same node has been away and come back (ABA).
//
// Paper: Treiber. Systems programming: coping with parallelism. IBM RJ 5118, 1986.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

template <class T, std::size_t Capacity>
class LockFreeStack {
 public:
  LockFreeStack() {
    for (std::uint32_t i = 0; i < Capacity; ++i) push_node(free_, i);
  }

  /// False: all nodes are in use.
  bool push(T value) {
    const std::uint32_t node = pop_node(free_);
    if (node == kNone) return false;
    nodes_[node].value = value;
    push_node(top_, node);
    return true;
  }

  std::optional<T> pop() {
    const std::uint32_t node = pop_node(top_);
    if (node == kNone) return std::nullopt;
    const T value = nodes_[node].value;
    push_node(free_, node);
    return value;
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

  void push_node(std::atomic<Top>& top, std::uint32_t node) {
    Top old = top;
    do nodes_[node].next = old.node;
    while (!top.compare_exchange_weak(old, Top{node, old.tag + 1}));
  }

  std::uint32_t pop_node(std::atomic<Top>& top) {
    Top old = top;
    while (old.node != kNone && !top.compare_exchange_weak(old, Top{nodes_[old.node].next, old.tag + 1})) {
    }
    return old.node;
  }

  std::array<Node, Capacity> nodes_;
  std::atomic<Top> top_{Top{}}, free_{Top{}};
};
