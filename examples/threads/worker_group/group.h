// A group of workers that run tasks until the group is stopped: figure 7 of CHESS. A worker without a task idles in the group,
// yielding longer and longer. Each worker has a stop flag of its own, beside the group's.
//
// Musuvathi, Qadeer. Fair Stateless Model Checking. PLDI 2008, section 4.3.1.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using Task = std::function<void()>;

class WorkerGroup {
 public:
  explicit WorkerGroup(std::size_t workers) {
    for (std::size_t i = 0; i < workers; ++i) workers_.push_back(std::make_unique<Worker>(*this));
    for (auto& worker : workers_) worker->thread = std::thread([&worker = *worker] { worker.run(); });
  }

  /// Tasks that have not begun are dropped.
  ~WorkerGroup() {
    stop_ = true;
    for (auto& worker : workers_) worker->stop = true;
    for (auto& worker : workers_) worker->thread.join();
  }

  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  void submit(Task task) {
    std::lock_guard hold(lock_);
    tasks_.push_back(std::move(task));
  }

 private:
  struct Worker {
    explicit Worker(WorkerGroup& in) : group(in) {}

    void run() {
      while (!stop && !group.stop_) {
        if (std::optional<Task> task = group.next()) (*task)();
        else group.idle(*this);
      }
    }

    void yield_exponential() {
      for (int i = 0; i < patience; ++i) std::this_thread::yield();
      if (patience < 64) patience *= 2;
    }

    WorkerGroup& group;
    std::atomic<bool> stop{false};
    int patience = 1;
    std::thread thread;
  };

  std::optional<Task> next() {
    std::lock_guard hold(lock_);
    if (tasks_.empty()) return std::nullopt;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  /// Returns when there may be work again, or the group is stopped.
  void idle(Worker& worker) {
    worker.patience = 1;
    while (!stop_) {
      worker.yield_exponential();
      std::lock_guard hold(lock_);
      if (!tasks_.empty()) return;
    }
  }

  std::atomic<bool> stop_{false};
  std::mutex lock_;  // guards tasks_
  std::deque<Task> tasks_;
  std::vector<std::unique_ptr<Worker>> workers_;
};
