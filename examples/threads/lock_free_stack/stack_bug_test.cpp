// Bug: ABA. The slow thread reads the top (node 1, which holds 2) and the node below it (node 0). Meanwhile the quick one pops both
// nodes and pushes node 1 again. The slow one's compare-and-swap finds node 1 on top as before, and makes node 0 the top, which
// is free by now: the value that was kept is handed out once more.
#include "stack_bug.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <thread>

int main() {
  LockFreeStack<int, 2> stack;
  stack.push(1);
  stack.push(2);
  std::optional<int> popped, kept;
  std::thread slow([&] { popped = stack.pop(); });
  std::thread quick([&] {
    std::optional<int> first = stack.pop();
    kept = stack.pop();
    if (first) stack.push(*first);
  });
  slow.join();
  quick.join();

  std::array<int, 3> seen{};
  if (popped) ++seen[static_cast<std::size_t>(*popped)];
  if (kept) ++seen[static_cast<std::size_t>(*kept)];
  for (int i = 0; i < 2; ++i)
    if (auto left = stack.pop()) ++seen[static_cast<std::size_t>(*left)];
  assert(seen[1] == 1 && seen[2] == 1);
}
