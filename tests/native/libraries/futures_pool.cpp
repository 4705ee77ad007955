// A pool of threads whose tasks give futures. BUG 1: the flag that ends it is set without the lock, and a worker sleeps on. 2: the destructor leaves tasks undone.
// 3: a worker looks at the queue after it gave the lock back.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    if (BUG == 1) {
      ends_ = true;
    } else {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  template <class F>
  auto submit(F f) {
    auto task = std::make_shared<std::packaged_task<std::invoke_result_t<F>()>>(std::move(f));
    auto result = task->get_future();
    {
      std::lock_guard lock(mutex_);
      tasks_.emplace_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (BUG == 2 ? ends_ : tasks_.empty()) return;
      if (BUG == 3) lock.unlock();
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      if (BUG != 3) lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  std::future<int> one, two;
  {
    Pool pool(2);
    one = pool.submit([] { return 1; });
    two = pool.submit([] { return 2; });
  }
  assert(one.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  assert(one.get() + two.get() == 3);
}
