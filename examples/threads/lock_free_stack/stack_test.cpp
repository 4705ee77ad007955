// The stack holds 2 above 1. Main pops once; a quick thread pops twice, and pushes again what it popped first, with the same
// node. Verified: at the end every value is somewhere, once.
#include "stack.h"

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
