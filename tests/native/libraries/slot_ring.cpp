// A ring whose users spin on the slot itself: empty is a value. BUG 1: the consumer puts "empty" back before it has looked. 2: the producer does not wait for
// the slot to be empty.
#include <xmmintrin.h>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

template <std::size_t N>
class Ring {
 public:
  void push(int value) {
    std::atomic<int>& slot = slots_[tail_.fetch_add(1, std::memory_order_acq_rel) % N];
    for (int expected = kEmpty; BUG != 2 && !slot.compare_exchange_weak(expected, value, std::memory_order_release, std::memory_order_relaxed); expected = kEmpty) _mm_pause();
    if (BUG == 2) slot.store(value);
  }
  int pop() {
    std::atomic<int>& slot = slots_[head_.fetch_add(1, std::memory_order_acq_rel) % N];
    while (true) {
      if (BUG == 1) {
        if (slot.load() != kEmpty) {
          slot.store(kEmpty);
          return slot.load();
        }
      } else if (const int value = slot.exchange(kEmpty, std::memory_order_acquire); value != kEmpty) {
        return value;
      }
      _mm_pause();
    }
  }

 private:
  static constexpr int kEmpty = 0;
  std::atomic<int> slots_[N] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

int main() {
  Ring<2> ring;
  int first = 0;
  std::thread producer([&] { ring.push(1), ring.push(2); }), other([&] { ring.push(4); });
  std::thread consumer([&] { first = ring.pop(); });
  const int sum = ring.pop() + ring.pop();
  producer.join();
  other.join();
  consumer.join();
  assert(first + sum == 7);
}
