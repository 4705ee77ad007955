// A hash map in shards, each with a spin lock that reads before it writes. BUG 1: a look without the lock. 2: two shards are locked in the order of the arguments.
// 3: an element is looked for under the lock, and changed after it.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#ifndef BUG
#define BUG 0
#endif

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire))
      while (taken_.load(std::memory_order_relaxed)) __builtin_ia32_pause();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

class Map {
 public:
  void put(int key, int value) {
    Shard& shard = of(key);
    std::lock_guard lock(shard.lock);
    shard.elements[key] = value;
  }
  int get(int key) {
    Shard& shard = of(key);
    std::unique_lock<SpinLock> lock(shard.lock, std::defer_lock);
    if (BUG != 1) lock.lock();
    const auto found = shard.elements.find(key);
    return found == shard.elements.end() ? 0 : found->second;
  }
  void add(int key, int amount) {
    Shard& shard = of(key);
    std::unique_lock lock(shard.lock);
    int& value = shard.elements[key];
    if (BUG == 3) lock.unlock();
    value += amount;
  }
  void move(int from, int to, int amount) {
    Shard *first = &of(from), *second = &of(to);
    if (BUG != 2 && second < first) std::swap(first, second);
    std::lock_guard one(first->lock);
    std::unique_lock<SpinLock> two(second->lock, std::defer_lock);
    if (second != first) two.lock();
    of(from).elements[from] -= amount;
    of(to).elements[to] += amount;
  }

 private:
  struct alignas(64) Shard {
    SpinLock lock;
    std::unordered_map<int, int> elements;
  };
  Shard& of(int key) { return shards_[static_cast<std::size_t>(key) % shards_.size()]; }
  std::array<Shard, 2> shards_;
};

int main() {
  Map map;
  map.put(0, 10), map.put(1, 10);
  std::thread other([&] { map.move(0, 1, 3), map.add(1, 1); });
  map.move(1, 0, 2);
  const int seen = map.get(1);
  other.join();
  assert(seen >= 8 && seen <= 12);
  assert(map.get(0) == 9 && map.get(1) == 12);
}
