// A lock-free stack with nodes from a fixed array, which are used again. WRONG, see stack_bug_test.cpp; stack.h is right.
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
    std::uint32_t top = top_;
    do nodes_[node].next = top;
    while (!top_.compare_exchange_weak(top, node));
    return true;
  }

  std::optional<T> pop(FreeList& mine) {
    std::uint32_t top = top_;
    do
      if (top == kNone) return std::nullopt;
    while (!top_.compare_exchange_weak(top, nodes_[top].next));  // wrong: the same node, but what is below it has changed
    mine.push_back(top);
    return nodes_[top].value;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Node {
    std::atomic<std::uint32_t> next{kNone};  // a slow thread may read it when the node is elsewhere already
    T value{};
  };

  std::array<Node, Capacity> nodes_;
  std::atomic<std::uint32_t> top_{kNone};
};
