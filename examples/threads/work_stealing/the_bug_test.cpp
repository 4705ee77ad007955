// Bug: pop() reads the head before it moves the tail (on a real machine a missing fence does the same). The owner has popped one
// item, and reads the head; the thief moves the head, sees that there is one item left, and takes it; the owner moves the tail
// and takes it too.
#include "the_bug.h"

#include <array>
#include <cassert>
#include <thread>

int main() {
  TheQueue<int, 4> queue;
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
