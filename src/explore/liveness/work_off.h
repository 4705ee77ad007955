// Work lists of numbers that workers work off together: each has a stack of its own, and gives half of it away when somebody waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/search.h"
#include "explore/work_pool.h"

namespace tarry {

using WorkList = std::vector<std::uint32_t>;

/// Calls visit(worker, number, stack) for every number of `first`, and for what visits put on the stack, until nothing is left or `over` says so. `enter`(worker) is called by
/// each worker before its first visit and gives an object that is kept until its end. Lists are handed out in order, and worked off from their back.
template <class Enter, class Visit, class Over>
void work_off(std::uint32_t jobs, Gate& gate, std::vector<WorkList> first, const Enter& enter, const Visit& visit, const Over& over) {
  constexpr std::size_t kEnough = 32;  // who gives less away spends more on giving than on the work
  WorkPool<WorkList> pool(jobs, gate);
  for (WorkList& list : first) pool.put(std::move(list));
  run_workers(jobs, [&](std::uint32_t worker) {
    [[maybe_unused]] const auto scope = enter(worker);
    const Inside inside(gate);
    while (auto stack = pool.get()) {
      while (!stack->empty()) {
        if (over()) return pool.end();
        if (stack->size() >= kEnough && pool.hungry()) {  // the older half: what is behind it is larger
          const auto half = stack->begin() + static_cast<std::ptrdiff_t>(stack->size() / 2);
          pool.put(WorkList(stack->begin(), half));
          stack->erase(stack->begin(), half);
        }
        const std::uint32_t number = stack->back();
        stack->pop_back();
        visit(worker, number, *stack);
      }
    }
  });
}

/// Calls f(worker, begin, end) for pieces of the numbers below `end`.
template <class F>
void in_pieces(std::uint32_t jobs, std::uint32_t end, const F& f) {
  constexpr std::uint32_t kPiece = 16'384;
  std::atomic<std::uint64_t> next{0};
  run_workers(end <= kPiece ? 1 : jobs, [&](std::uint32_t worker) {
    for (std::uint64_t from = next.fetch_add(kPiece); from < end; from = next.fetch_add(kPiece)) f(worker, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(std::min<std::uint64_t>(from + kPiece, end)));
  });
}

}  // namespace tarry
