// A value that one thread promises and another waits for. Both ends own the shared state; the last one frees it.
#pragma once

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
};

}  // namespace detail

template <class T>
class Future {
 public:
  explicit Future(std::shared_ptr<detail::SharedState<T>> state) : state_(std::move(state)) {}

  /// Waits for the value. To be called once.
  T get() {
    std::unique_lock hold(state_->lock);
    state_->ready.wait(hold, [&] { return state_->value.has_value(); });
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
    {
      std::lock_guard hold(state_->lock);
      state_->value = std::move(value);
    }
    state_->ready.notify_one();
  }

 private:
  std::shared_ptr<detail::SharedState<T>> state_ = std::make_shared<detail::SharedState<T>>();
};
