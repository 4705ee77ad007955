// Work shared by threads of one process: the plain way to do what core/work_share.h says. For tests, and to read.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/work_share.h"

namespace tarry {

class MemoryShare {
 public:
  explicit MemoryShare(std::uint32_t workers) : members_(workers) {
    for (std::uint32_t i = 0; i < workers; ++i) ends_.push_back(std::make_unique<End>(*this));
  }
  WorkShare& of(std::uint32_t worker) { return *ends_[worker]; }

 private:
  class End final : public WorkShare {
   public:
    explicit End(MemoryShare& all) : all_(all) {}

    void begin() override {
      const std::scoped_lock lock(all_.mutex_);
      generation_ = all_.generation_;
    }
    bool hungry() const override { return all_.hungry_.load(std::memory_order_relaxed); }
    void give(std::span<const std::uint32_t> words, std::uint64_t cost) override {
      const std::scoped_lock lock(all_.mutex_);
      if (generation_ != all_.generation_) return;  // void
      all_.work_.push_back({{words.begin(), words.end()}, cost});
      all_.changed();
    }
    std::optional<Subtree> take() override {
      std::unique_lock lock(all_.mutex_);
      if (generation_ != all_.generation_) return std::nullopt;
      const std::uint64_t round = all_.round_;
      ++all_.waiting_;
      all_.changed();
      all_.change_.wait(lock, [&] { return !all_.work_.empty() || all_.round_ != round || generation_ != all_.generation_; });
      if (all_.round_ != round || generation_ != all_.generation_) return std::nullopt;
      Subtree out = std::move(all_.work_.front());
      all_.work_.pop_front();
      --all_.waiting_;
      all_.changed();
      return out;
    }
    std::uint64_t next_round(std::uint64_t left) override {
      std::unique_lock lock(all_.mutex_);
      if (generation_ != all_.generation_) return 0;
      const std::uint64_t meeting = all_.meeting_;
      ++all_.arrived_;
      all_.left_ += left;
      all_.changed();
      all_.change_.wait(lock, [&] { return all_.meeting_ != meeting || generation_ != all_.generation_; });
      return all_.total_;
    }
    void restart() override {
      const std::scoped_lock lock(all_.mutex_);
      all_.generation_ += 1;
      all_.work_.clear();
      all_.waiting_ = all_.arrived_ = 0;
      all_.left_ = 0;
      all_.finished_ = Finished::kNo;
      all_.proved_fair_ = false;
      all_.changed();
    }
    bool restarted() const override { return generation_ != all_.generation_.load(std::memory_order_relaxed); }
    void leave() override {
      const std::scoped_lock lock(all_.mutex_);
      if (std::exchange(gone_, true)) return;
      --all_.members_;
      all_.changed();
    }

    void finish(Finished how) override { all_.finished_ = how; }
    Finished finished() const override { return all_.finished_; }
    void set_fair(std::uint32_t every) override { all_.fair_ = every; }
    std::uint32_t fair() const override { return all_.fair_; }
    void prove_fair() override { all_.proved_fair_ = true; }
    bool proved_fair() const override { return all_.proved_fair_; }

   private:
    MemoryShare& all_;
    std::uint64_t generation_ = 0;  // that this worker is part of
    bool gone_ = false;
  };

  /// Under the lock, after any change: ends the round if all wait for nothing, and the meeting after it if all are there.
  void changed() {
    if (waiting_ >= members_ && work_.empty()) ++round_, waiting_ = 0;
    if (arrived_ >= members_) ++meeting_, total_ = left_, arrived_ = 0, left_ = 0;
    hungry_.store(waiting_ > work_.size(), std::memory_order_relaxed);
    change_.notify_all();
  }

  std::vector<std::unique_ptr<End>> ends_;
  std::mutex mutex_;  // guards everything below, but for the atomics
  std::condition_variable change_;
  std::deque<Subtree> work_;
  std::uint32_t members_;          // that have not left
  std::uint32_t waiting_ = 0, arrived_ = 0;
  std::uint64_t round_ = 0, meeting_ = 0, left_ = 0, total_ = 0;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<bool> hungry_{false};
  std::atomic<WorkShare::Finished> finished_{WorkShare::Finished::kNo};
  std::atomic<bool> proved_fair_{false};
  std::atomic<std::uint32_t> fair_{0};
};

}  // namespace tarry
