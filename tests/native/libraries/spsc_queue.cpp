// One producer, one consumer, each with a copy of the other's index. BUG 1: the copy of the reader's index is never refreshed on the way round, so that the
// queue looks empty of room though it is not, or full of it. 2: the index is written before the element.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <string>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

template <class T, std::size_t N>
class Queue {
 public:
  bool try_push(const T& value) {
    const std::size_t at = tail_.load(std::memory_order_relaxed), next = (at + 1) % (N + 1);
    if (next == head_copy_) {
      head_copy_ = head_.load(std::memory_order_acquire);
      if (next == head_copy_ && BUG != 1) return false;
    }
    if (BUG == 2) tail_.store(next, std::memory_order_release);
    slots_[at] = value;
    if (BUG != 2) tail_.store(next, std::memory_order_release);
    return true;
  }
  const T* front() {
    const std::size_t at = head_.load(std::memory_order_relaxed);
    if (at == tail_copy_) {
      tail_copy_ = tail_.load(std::memory_order_acquire);
      if (at == tail_copy_) return nullptr;
    }
    return &slots_[at];
  }
  void pop() { head_.store((head_.load(std::memory_order_relaxed) + 1) % (N + 1), std::memory_order_release); }

 private:
  std::array<T, N + 1> slots_;
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::size_t tail_copy_ = 0;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::size_t head_copy_ = 0;
};

int main() {
  Queue<std::string, 2> queue;
  const std::string texts[] = {"one", "a text that is too long to be kept in the string itself", "three"};
  std::thread producer([&] {
    for (const std::string& text : texts)
      while (!queue.try_push(text)) {}
  });
  for (const std::string& text : texts) {
    const std::string* front;
    while ((front = queue.front()) == nullptr) {}
    assert(*front == text);
    queue.pop();
  }
  producer.join();
}
