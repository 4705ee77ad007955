// The stack holds 2 above 1. One thread pops; another one pops twice and pushes what it popped first. Verified: at the end
// every value is somewhere, once.
#include "stack.h"

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
