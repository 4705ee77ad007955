// Bug: ABA. Main reads the top (the node of 2) and what is below it (the node of 1). Meanwhile the quick thread pops both nodes
// and pushes the node of 2 again. Main's compare-and-swap finds the node on top that it expects, and makes the other one the top,
// which is not in the stack any more: its value, which the quick thread has kept, is handed out once more.
#include "stack_bug.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <thread>

int main() {
  LockFreeStack<int, 2> stack;
  FreeList mine = stack.all_nodes();
  stack.push(1, mine);
  stack.push(2, mine);

  std::optional<int> kept;
  std::thread quick([&] {
    FreeList own;
    std::optional<int> first = stack.pop(own);
    kept = stack.pop(own);
    if (first) stack.push(*first, own);
  });
  std::optional<int> popped = stack.pop(mine);
  quick.join();

  std::array<int, 3> seen{};
  if (popped) ++seen[static_cast<std::size_t>(*popped)];
  if (kept) ++seen[static_cast<std::size_t>(*kept)];
  for (int i = 0; i < 2; ++i)
    if (auto left = stack.pop(mine)) ++seen[static_cast<std::size_t>(*left)];
  assert(seen[1] == 1 && seen[2] == 1);
}
