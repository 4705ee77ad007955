// Counters that a running search shows to observers, in memory that may be shared with another process.
//
// Each worker writes only its own line; readers add the lines up. The atomics are relaxed: slightly old values are fine.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry {

inline constexpr std::uint32_t kMaxWorkers = 256;

struct alignas(64) WorkerProgress {
  std::atomic<std::uint64_t> states{0};
  std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> beat{0};    // changes whenever the program returns from a step
  std::atomic<std::uint32_t> depth{0};   // largest depth so far
  std::atomic<std::uint32_t> thread{0};  // kernel id of the thread, 0 while it does not run the program
};

struct Progress {
  WorkerProgress workers[kMaxWorkers];
  std::atomic<std::uint64_t> bound{0};     // current stratum
  std::atomic<std::uint64_t> frontier{0};  // entries waiting for the next stratum
  std::atomic<std::uint64_t> memory{0};    // bytes in tables
  std::atomic<bool> stop{false};           // set from outside: end, and report what is known
  std::atomic<bool> found{false};          // there is a finding, which would be lost if the search did not come to its end
  std::atomic<bool> out_of_memory{false};  // set from outside: end, because the process holds too much memory

  struct Totals {
    std::uint64_t states = 0, transitions = 0, executions = 0, depth = 0;
  };
  Totals totals(std::uint32_t first = 0, std::uint32_t count = kMaxWorkers) const {
    Totals t;
    for (std::uint32_t i = first; i < first + count; ++i) {
      const WorkerProgress& w = workers[i % kMaxWorkers];
      t.states += w.states.load(std::memory_order_relaxed);
      t.transitions += w.transitions.load(std::memory_order_relaxed);
      t.executions += w.executions.load(std::memory_order_relaxed);
      const std::uint64_t depth = w.depth.load(std::memory_order_relaxed);
      if (depth > t.depth) t.depth = depth;
    }
    return t;
  }
};

/// Adds to a counter that only this thread writes.
template <class T>
void bump(std::atomic<T>& counter, T by = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace tarry
