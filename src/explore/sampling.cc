#include "explore/sampling.h"

#include <algorithm>

namespace tarry {

bool start_is_sound(Session& session) {
  if (!session.program().captures()) return true;
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data())) return false;
  return true;
}

Sampler::Sampler(Session& session) : session_(session) { runners_.resize(session.options().jobs); }

bool Sampler::run(std::uint64_t count, const Sample& sample) {
  const std::optional<std::uint64_t>& wanted = session_.options().limits.samples;
  if (wanted) count = std::min(count, *wanted - std::min(*wanted, next_));
  const Crew& crew = session_.crew;
  const std::uint64_t end = next_ + count;
  const std::uint64_t first = next_ + (crew.worker + crew.workers - next_ % crew.workers) % crew.workers;
  std::atomic<std::uint64_t> next{first};
  run_workers(session_.options().jobs, [&](std::uint32_t worker) {
    auto& runner = runners_[worker];
    if (runner == nullptr) runner = std::make_unique<Runner>(session_, worker);
    else runner->on_this_thread();
    while (!session_.poll()) {
      const std::uint64_t number = next.fetch_add(crew.workers, std::memory_order_relaxed);
      if (number >= end || number > best_.load(std::memory_order_relaxed)) break;
      sample(*runner, number);
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

bool Sampler::executed(Runner& runner, std::uint64_t number, const ExecutionResult& result, std::int64_t delays) {
  if (result.end == End::kStopped) return false;
  if (result.end == End::kCut && (result.over || result.steps >= session_.options().limits.max_depth)) cut_.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t seen = longest_.load(std::memory_order_relaxed);
  while (seen < result.steps && !longest_.compare_exchange_weak(seen, result.steps, std::memory_order_relaxed)) {
  }
  if (result.end != End::kFailed) return true;
  const std::scoped_lock lock(mutex_);
  if (session_.options().keep_going) return keep(runner, number, result, delays);
  if (!found_ || number < found_->number) {
    found_ = {number, runner.moves_taken(), result.failure, delays};
    best_ = number;
  }
  return false;
}

/// One of each: of equal findings the shortest, and of those the first, so that it does not depend on timing.
bool Sampler::keep(Runner& runner, std::uint64_t number, const ExecutionResult& result, std::int64_t delays) {
  const StepText& text = result.failure;
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const Found& f) {
    return same_finding(f.text, text);
  });
  Found found{number, runner.moves_taken(), text, delays};
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
