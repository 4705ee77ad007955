// An edge that closes a cycle, from a copy of a state. Several workers may see one; the first one counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "explore/liveness/state_graph.h"

namespace tarry {

class ClosingEdge {
 public:
  struct Edge {
    StateGraph::Id state;
    std::uint32_t copy;
    StateGraph::EdgeId edge;
    std::uint32_t property;
  };
  void see(const Edge& edge) {
    const std::scoped_lock lock(mutex_);
    if (seen_.exchange(true, std::memory_order_relaxed)) return;
    edge_ = edge;
  }
  bool seen() const { return seen_.load(std::memory_order_relaxed); }
  /// Requires: it was seen, and no worker looks any more.
  const Edge& get() const { return edge_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> seen_{false};
  Edge edge_{};
};

}  // namespace tarry
