// A value that one thread promises and another waits for. The future owns the shared state; the promise points to it. WRONG, see
// promise_lifetime_bug_test.cpp; promise.h is right.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace detail {

template <class T>
struct SharedState {
  std::mutex lock;  // guards value
  std::condition_variable ready;
  std::optional<T> value;
  std::atomic<bool> waiting{false};
};

}  // namespace detail

template <class T>
class Promise {
 public:
  explicit Promise(detail::SharedState<T>* state) : state_(state) {}

  /// To be called once.
  void set(T value) {
    {
      std::lock_guard hold(state_->lock);
      state_->value = std::move(value);
    }
    if (state_->waiting) state_->ready.notify_one();  // wrong: the future may be gone, and the state with it
  }

 private:
  detail::SharedState<T>* state_;
};

template <class T>
class Future {
 public:
  Promise<T> promise() { return Promise<T>(state_.get()); }

  /// Waits for the value. To be called once.
  T get() {
    std::unique_lock hold(state_->lock);
    while (!state_->value) {
      state_->waiting = true;
      state_->ready.wait(hold);
    }
    return std::move(*state_->value);
  }

 private:
  std::unique_ptr<detail::SharedState<T>> state_ = std::make_unique<detail::SharedState<T>>();
};
