#include "explore/sampling.h"

#include <algorithm>

namespace tarry {

bool start_is_sound(Session& session) {
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data())) return false;
  return true;
}

Sampler::Sampler(Session& session) : session_(session) { executions_.resize(session.options().jobs); }

bool Sampler::run(std::uint64_t count, const Sample& sample) {
  const std::optional<std::uint64_t>& wanted = session_.options().limits.samples;
  if (wanted) count = std::min(count, *wanted - std::min(*wanted, next_));
  const std::uint64_t first = next_;
  const std::uint64_t end = first + count;
  std::atomic<std::uint64_t> next{first};
  run_workers(session_.options().jobs, [&](std::uint32_t worker) {
    auto& execution = executions_[worker];
    if (execution == nullptr) execution = std::make_unique<StateExecution>(session_, worker, session_.options().limits.max_depth);
    else execution->on_this_thread();
    while (!session_.poll()) {
      const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
      if (number >= end || number > best_.load(std::memory_order_relaxed)) break;
      sample(*execution, number);
      if (!session_.stopping()) done_.fetch_add(1, std::memory_order_relaxed);
    }
  });
  next_ = end;
  if (found_ || session_.stopping()) return false;
  if (wanted && next_ >= *wanted) {
    session_.stop(StoppedBy::kSamples);
    return false;
  }
  return true;
}

bool Sampler::executed(StateExecution& execution, std::uint64_t number, const ExecutionResult& result, std::int64_t delays) {
  if (result.end == End::kStopped) return false;
  execution.count_execution();
  if (result.end == End::kCut && (result.over || result.steps >= session_.options().limits.max_depth)) cut_.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t seen = longest_.load(std::memory_order_relaxed);
  while (seen < result.steps && !longest_.compare_exchange_weak(seen, result.steps, std::memory_order_relaxed)) {
  }
  if (result.end != End::kFailed) return true;
  const std::scoped_lock lock(mutex_);
  if (session_.options().keep_going) return keep(execution, number, result, delays);
  if (!found_ || number < found_->number) {
    found_ = {number, execution.moves_taken(), result.failure, delays};
    best_ = number;
  }
  return false;
}

/// One of each: of equal findings the shortest, and of those the first, so that it does not depend on timing.
bool Sampler::keep(StateExecution& execution, std::uint64_t number, const ExecutionResult& result, std::int64_t delays) {
  const StepText& text = result.failure;
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const Found& f) {
    return f.text.kind == text.kind && f.text.message == text.message && f.text.location == text.location;
  });
  Found found{number, execution.moves_taken(), text, delays};
  if (same == all_.end()) {
    all_.push_back(std::move(found));
    return true;
  }
  const std::uint64_t count = same->count + 1;
  if (std::pair(found.path.size(), number) < std::pair(same->path.size(), same->number)) *same = std::move(found);
  same->count = count;
  return true;
}

void Sampler::finish() {
  Outcome& outcome = session_.outcome;
  outcome.samples = done_;
  outcome.cut = cut_;
  outcome.sealed = session_.program().shape().seals;
  if (found_) session_.report(found_->path, found_->text, found_->delays);
  std::sort(all_.begin(), all_.end(), [](const Found& a, const Found& b) { return a.number < b.number; });
  for (const Found& found : all_) session_.report(found.path, found.text, found.delays, found.count);
}

}  // namespace tarry
