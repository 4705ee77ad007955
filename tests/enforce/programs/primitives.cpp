// One of each: semaphore, read-write lock, barrier, once, static variable, spin lock, try-lock, recursive mutex, thread-local destructor, heap atomics.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

sem_t ready;
std::shared_mutex shared;
pthread_barrier_t barrier;
std::once_flag once;
pthread_spinlock_t spin;
std::recursive_mutex again;
std::atomic<int> order{0};
int value = 0, made = 0;

struct AtEnd {
  ~AtEnd() { order.fetch_add(100); }
};
thread_local AtEnd at_end;

int& single() {
  static int one = ++made;
  return one;
}

void work(std::atomic<int>* count, int i) {
  (void)&at_end;
  std::call_once(once, [] { ++made; });
  pthread_barrier_wait(&barrier);
  {
    const std::lock_guard outer(again);
    const std::lock_guard inner(again);
    value += single();
  }
  if (i == 0) {
    const std::unique_lock lock(shared);
    value += 10;
    sem_post(&ready);
  } else {
    sem_wait(&ready);
    const std::shared_lock lock(shared);
    order.fetch_add(value > 0 ? 1 : 0);
  }
  pthread_spin_lock(&spin);
  count->fetch_add(1);
  pthread_spin_unlock(&spin);
}

int main() {
  sem_init(&ready, 0, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_spin_init(&spin, 0);
  auto count = std::make_unique<std::atomic<int>>(0);
  std::thread one(work, count.get(), 0), two(work, count.get(), 1);
  one.join();
  two.join();
  std::mutex local;
  const bool taken = local.try_lock();
  if (taken) local.unlock();
  std::printf("%d %d %d %d %d\n", count->load(), value, made, order.load(), taken ? 1 : 0);
  return count->load() == 2 && taken ? 0 : 3;
}
