// A value that one thread promises and another waits for. WRONG, see promise_signal_bug_test.cpp; promise.h is right.
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
  std::mutex lock;
  std::atomic<bool> has_value{false};
  std::condition_variable ready;
  std::optional<T> value;
};

}  // namespace detail

template <class T>
class Future {
 public:
  explicit Future(std::shared_ptr<detail::SharedState<T>> state) : state_(std::move(state)) {}

  /// Waits for the value. To be called once.
  T get() {
    std::unique_lock hold(state_->lock);
    state_->ready.wait(hold, [&] { return state_->has_value.load(); });
    return std::move(*state_->value);
  }

 private:
  std::shared_ptr<detail::SharedState<T>> state_;
};

template <class T>
class Promise {
 public:
  Future<T> future() { return Future<T>(state_); }

  /// To be called once.
  void set(T value) {
    state_->value = std::move(value);
    state_->has_value = true;  // wrong: not under the lock
    state_->ready.notify_one();
  }

 private:
  std::shared_ptr<detail::SharedState<T>> state_ = std::make_shared<detail::SharedState<T>>();
};
