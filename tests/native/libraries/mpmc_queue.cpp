// A bounded queue of any number of producers and consumers: tickets, and slots with a turn each; also attempts that do not wait.
// BUG 1: a slot is given to the producers before its value was moved out. 2: attempts take a ticket without looking whether the slot is free.
// 3: the value is shown before it is there.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#ifndef BUG
#define BUG 0
#endif

template <class T>
class Queue {
 public:
  explicit Queue(std::size_t capacity) : capacity_(capacity), slots_(new Slot[capacity]) {}

  template <class... Args>
  void emplace(Args&&... args) {
    const std::size_t ticket = tail_.fetch_add(1);
    Slot& slot = slots_[ticket % capacity_];
    while (slot.turn.load(std::memory_order_acquire) != turn_of(ticket)) {}
    if (BUG == 3) slot.turn.store(turn_of(ticket) + 1, std::memory_order_release);
    new (slot.room) T(std::forward<Args>(args)...);
    if (BUG != 3) slot.turn.store(turn_of(ticket) + 1, std::memory_order_release);
  }
  bool try_push(T value) {
    std::size_t ticket = tail_.load(std::memory_order_acquire);
    while (true) {
      Slot& slot = slots_[ticket % capacity_];
      if (BUG == 2 || slot.turn.load(std::memory_order_acquire) == turn_of(ticket)) {
        if (!tail_.compare_exchange_strong(ticket, ticket + 1)) continue;
        new (slot.room) T(std::move(value));
        slot.turn.store(turn_of(ticket) + 1, std::memory_order_release);
        return true;
      }
      const std::size_t before = ticket;
      ticket = tail_.load(std::memory_order_acquire);
      if (ticket == before) return false;
    }
  }
  T pop() {
    const std::size_t ticket = head_.fetch_add(1);
    Slot& slot = slots_[ticket % capacity_];
    while (slot.turn.load(std::memory_order_acquire) != turn_of(ticket) + 1) {}
    return take(slot, turn_of(ticket) + 2);
  }
  std::optional<T> try_pop() {
    std::size_t ticket = head_.load(std::memory_order_acquire);
    while (true) {
      Slot& slot = slots_[ticket % capacity_];
      if (slot.turn.load(std::memory_order_acquire) == turn_of(ticket) + 1) {
        if (head_.compare_exchange_strong(ticket, ticket + 1)) return take(slot, turn_of(ticket) + 2);
        continue;
      }
      const std::size_t before = ticket;
      ticket = head_.load(std::memory_order_acquire);
      if (ticket == before) return std::nullopt;
    }
  }

 private:
  struct alignas(64) Slot {
    std::atomic<std::size_t> turn{0};
    alignas(T) unsigned char room[sizeof(T)];
  };
  std::size_t turn_of(std::size_t ticket) const { return ticket / capacity_ * 2; }
  T take(Slot& slot, std::size_t turn) {
    T* const at = std::launder(reinterpret_cast<T*>(slot.room));
    if (BUG == 1) slot.turn.store(turn, std::memory_order_release);
    T value = std::move(*at);
    at->~T();
    if (BUG != 1) slot.turn.store(turn, std::memory_order_release);
    return value;
  }

  const std::size_t capacity_;
  std::unique_ptr<Slot[]> slots_;
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
};

int main() {
  Queue<std::unique_ptr<int>> queue(1);
  int sum = 0;
  std::thread producer([&] {
    queue.emplace(new int(1));
    queue.emplace(new int(2));
  });
  std::thread consumer([&] { sum += *queue.pop(); });
  const bool pushed = queue.try_push(std::make_unique<int>(4));
  consumer.join();
  int rest = pushed ? 2 : 1, more = 0;
  while (rest > 0)
    if (auto value = queue.try_pop()) --rest, more += **value;
    else std::this_thread::yield();
  producer.join();
  assert(sum + more == (pushed ? 7 : 3));
}
