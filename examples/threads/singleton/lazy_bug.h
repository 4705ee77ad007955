// An object that is made when it is first asked for. WRONG, see lazy_bug_test.cpp; lazy.h is right.
#pragma once

#include <mutex>

template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { delete object_; }

  T& get() {
    if (object_ == nullptr) {  // wrong: nothing orders this look and the write below
      std::lock_guard hold(lock_);
      if (object_ == nullptr) object_ = new T();
    }
    return *object_;
  }

 private:
  std::mutex lock_;  // of the thread that makes it
  T* object_ = nullptr;
};
