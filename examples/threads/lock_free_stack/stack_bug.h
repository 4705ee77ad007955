// A lock-free stack with nodes from a fixed array, which are used again. WRONG, see stack_bug_test.cpp; stack.h is right.
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
  struct Node {
    std::atomic<std::uint32_t> next{kNone};  // a slow thread may read it when the node is elsewhere already
    T value{};
  };

  void push_node(std::atomic<std::uint32_t>& top, std::uint32_t node) {
    std::uint32_t old = top;
    do nodes_[node].next = old;
    while (!top.compare_exchange_weak(old, node));
  }

  std::uint32_t pop_node(std::atomic<std::uint32_t>& top) {
    std::uint32_t old = top;
    while (old != kNone && !top.compare_exchange_weak(old, nodes_[old].next)) {  // wrong: the same node, but another stack
    }
    return old;
  }

  std::array<Node, Capacity> nodes_;
  std::atomic<std::uint32_t> top_{kNone}, free_{kNone};
};
