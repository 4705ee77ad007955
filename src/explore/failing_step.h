// The failing step of a level that is reported, in breadth-first searches.
//
// A deadlock in level d is one step shorter than a failing step from there into level d + 1. So a failing step is kept until the
// whole level has been searched for deadlocks. If several steps fail, that of the first state in the level counts, with any
// number of workers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/program.h"

namespace tarry {

class FailingStep {
 public:
  struct Step {
    std::size_t from;  // number of the state
    ProcessId process;
    std::vector<std::uint32_t> values;
  };

  void keep(Step found) {
    const std::scoped_lock lock(mutex_);
    if (!step_ || found.from < step_->from) step_ = std::move(found);
    any_.store(true, std::memory_order_relaxed);
  }
  /// Whether the rest of the level is only to be searched for deadlocks and ends.
  bool any() const { return any_.load(std::memory_order_relaxed); }
  /// Requires: any(), and all workers have ended the level.
  const Step& step() const { return *step_; }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;  // guards step_
  std::optional<Step> step_;
};

}  // namespace tarry
