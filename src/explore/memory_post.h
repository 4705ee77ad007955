// Letters between threads of one process: the plain way to do what core/post.h says. For tests, and to read.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/post.h"

namespace tarry {

class MemoryPost {
 public:
  explicit MemoryPost(std::uint32_t workers) {
    for (std::uint32_t i = 0; i < workers; ++i) ends_.push_back(std::make_unique<End>(*this));
  }
  Post& of(std::uint32_t worker) { return *ends_[worker]; }

 private:
  class End final : public Post {
   public:
    explicit End(MemoryPost& all) : all_(all) {}

    void send(std::uint32_t to, std::span<const std::uint32_t> words) override {
      const std::scoped_lock lock(all_.mutex_);
      all_.ends_[to]->letters_.emplace_back(words.begin(), words.end());
      all_.change_.notify_all();
    }
    std::optional<std::vector<std::uint32_t>> receive() override {
      const std::scoped_lock lock(all_.mutex_);
      if (letters_.empty()) return std::nullopt;
      std::vector<std::uint32_t> out = std::move(letters_.front());
      letters_.pop_front();
      return out;
    }
    void wait() override {
      std::unique_lock lock(all_.mutex_);
      if (letters_.empty()) all_.change_.wait_for(lock, std::chrono::milliseconds(1));
    }
    void set_idle(bool idle) override {
      const std::scoped_lock lock(all_.mutex_);
      if (std::exchange(idle_, idle) != idle) all_.idle_ += idle ? 1 : -1;
    }
    bool anyone_idle() const override { return all_.idle_ > 0; }
    std::optional<std::uint32_t> claim_idle() override {
      const std::scoped_lock lock(all_.mutex_);
      for (std::uint32_t i = 0; i < all_.ends_.size(); ++i) {
        if (!std::exchange(all_.ends_[i]->idle_, false)) continue;
        --all_.idle_;
        return i;
      }
      return std::nullopt;
    }
    std::uint64_t state() const override { return all_.state_; }
    void change_state(std::uint64_t from, std::uint64_t to) override {
      all_.state_.compare_exchange_strong(from, to);
      all_.change_.notify_all();
    }

   private:
    MemoryPost& all_;
    std::deque<std::vector<std::uint32_t>> letters_;
    bool idle_ = false;
  };

  std::vector<std::unique_ptr<End>> ends_;
  std::mutex mutex_;  // guards everything but the atomics, the letters included
  std::condition_variable change_;
  std::atomic<int> idle_{0};
  std::atomic<std::uint64_t> state_{0};
};

}  // namespace tarry
