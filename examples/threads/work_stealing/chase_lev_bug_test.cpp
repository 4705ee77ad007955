// Bug: pop() takes the last item without a compare-and-swap. The owner has popped one item; for the other, it moves the bottom
// and reads the top; the thief, which looked at the bottom before, moves the top and has the item; the owner takes it too.
#include "chase_lev_bug.h"

#include <array>
#include <cassert>
#include <thread>

int main() {
  ChaseLevQueue<int, 4> queue;
  std::array<int, 3> taken{};  // how often each item was handed out; the thief's go in after the join
  queue.push(1);
  queue.push(2);
  int stolen = 0;
  std::thread thief([&] { stolen = queue.steal().value_or(0); });
  for (int i = 0; i < 2; ++i)
    if (auto item = queue.pop()) ++taken[static_cast<std::size_t>(*item)];
  thief.join();
  if (stolen != 0) ++taken[static_cast<std::size_t>(stolen)];
  if (auto item = queue.pop()) ++taken[static_cast<std::size_t>(*item)];
  assert(taken[1] == 1 && taken[2] == 1);
}
