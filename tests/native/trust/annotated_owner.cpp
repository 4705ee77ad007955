// A lock that says what it does by annotations, as abseil's does; whoever leaves last deletes the object with the lock in it. Without FIXED the last one is
// whoever looks behind the lock, so that the other may still be in it.
#include <sched.h>

#include <atomic>
#include <thread>

extern "C" void __tsan_mutex_pre_lock(void*, unsigned);
extern "C" void __tsan_mutex_post_lock(void*, unsigned, int);
extern "C" int __tsan_mutex_pre_unlock(void*, unsigned);
extern "C" void __tsan_mutex_post_unlock(void*, unsigned);

struct Object {
  std::atomic<int> word{0};
  std::atomic<int> users{2};
  void lock() {
    __tsan_mutex_pre_lock(this, 0);
    while (word.exchange(1, std::memory_order_acquire) != 0) sched_yield();
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    word.store(0, std::memory_order_release);
    __tsan_mutex_post_unlock(this, 0);
  }
};

int main() {
  auto* const object = new Object;
  const auto leave = [object] {
    object->lock();
    bool last = --object->users == 0;
    object->unlock();
#ifndef FIXED
    last = object->users == 0 && last;
#endif
    if (last) delete object;
  };
  std::thread a(leave), b(leave);
  a.join();
  b.join();
}
