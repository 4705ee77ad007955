// Bug: producers and consumers wait for the same condition variable, and notify_one wakes one of them. Both consumers wait; the
// producer puts an item, which wakes one, finds the queue full for the next and waits too; the consumer takes the item and wakes
// the other consumer, which finds nothing and waits again. Nobody is left to wake anybody: deadlock.
#include "queue_signal_bug.h"

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
