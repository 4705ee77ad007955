#include "compactor.h"

#include <utility>

namespace kv {

Compactor::Compactor(std::function<void()> compact) : compact_(std::move(compact)), thread_([this] { run(); }) {}

Compactor::~Compactor() {
  {
    std::lock_guard hold(lock_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Compactor::request() {
  {
    std::lock_guard hold(lock_);
    requested_ = true;
  }
  changed_.notify_all();
}

void Compactor::wait() {
  std::unique_lock hold(lock_);
  changed_.wait(hold, [&] { return !requested_ && !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Compactor::run() {
  std::unique_lock hold(lock_);
  for (;;) {
    changed_.wait(hold, [&] { return requested_ || stop_; });
    if (!requested_) return;
    requested_ = false;
    busy_ = true;
    hold.unlock();
    std::exception_ptr failure;
    try {
      compact_();
    } catch (...) {
      failure = std::current_exception();
    }
    hold.lock();
    busy_ = false;
    if (failure) failure_ = failure;
    changed_.notify_all();
  }
}

}  // namespace kv
