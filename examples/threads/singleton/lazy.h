// An object that is made when it is first asked for: double-checked locking, with an atomic pointer.
#pragma once

#include <atomic>
#include <mutex>

template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { delete object_.load(); }

  T& get() {
    T* object = object_.load(std::memory_order_acquire);
    if (object == nullptr) {
      std::lock_guard hold(lock_);
      object = object_.load(std::memory_order_relaxed);
      if (object == nullptr) {
        object = new T();
        object_.store(object, std::memory_order_release);
      }
    }
    return *object;
  }

 private:
  std::mutex lock_;  // of the thread that makes it
  std::atomic<T*> object_{nullptr};
};
