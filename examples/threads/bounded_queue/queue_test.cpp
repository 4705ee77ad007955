// One producer, two consumers, one place in the queue. Verified: every item arrives once.
#include "queue.h"

#include <cassert>
#include <thread>

int main() {
  BoundedQueue<int, 1> queue;
  int first = 0, second = 0;
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  std::thread consumer([&] { first = queue.take(); });
  std::thread other([&] { second = queue.take(); });
  producer.join();
  consumer.join();
  other.join();
  assert(first + second == 3 && first != second);
  assert(queue.size() == 0);
}
