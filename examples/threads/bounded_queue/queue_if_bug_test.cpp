// Bug: take() looks once whether the queue is empty, and not again after it has waited (`if` where `while` belongs). One consumer
// waits; the producer puts an item and wakes it; before it has the lock again, the other consumer takes the item. The first one
// takes from an empty queue.
#include "queue_if_bug.h"

#include <cassert>
#include <thread>

int main() {
  BoundedQueue<int, 1> queue;
  int first = 0;
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  std::thread consumer([&] { first = queue.take(); });
  const int second = queue.take();
  producer.join();
  consumer.join();
  assert(first + second == 3 && first != second);
  assert(queue.size() == 0);
}
