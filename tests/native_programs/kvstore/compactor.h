// A thread that does one thing whenever it is asked to, and once more if it is asked meanwhile.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace kv {

class Compactor {
 public:
  explicit Compactor(std::function<void()> compact);

  /// Does what was asked for, then ends.
  ~Compactor();
  Compactor(const Compactor&) = delete;
  Compactor& operator=(const Compactor&) = delete;

  void request();

  /// Waits until all that was asked for is done. Throws what the work threw.
  void wait();

 private:
  void run();

  const std::function<void()> compact_;
  std::mutex lock_;  // guards all that follows
  std::condition_variable changed_;
  bool requested_ = false, busy_ = false, stop_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace kv
