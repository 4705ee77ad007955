#include "core/search.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/resident.h"
#include "base/units.h"
#include "core/delays.h"

namespace tarry {

Session::Session(const Program& program, const SearchOptions& options, ExplorerMaker make_explorer, Progress& progress,
                 std::uint32_t first_worker)
    : program_(program),
      options_(options),
      make_explorer_(std::move(make_explorer)),
      progress_(progress),
      first_worker_(first_worker),
      before_(progress.totals(first_worker, options.jobs)),
      moves_(program.captures() ? program.shape().processes : Moves::kMostWithoutList) {}

Progress::Totals Session::totals() const {
  Progress::Totals now = progress_.totals(first_worker_, options_.jobs);
  now.states -= before_.states;
  now.transitions -= before_.transitions;
  now.executions -= before_.executions;
  return now;
}

void Session::stop(StoppedBy why) {
  const std::scoped_lock lock(mutex_);
  if (!stop_.exchange(true)) outcome.stopped_by = why;
}

void Session::stop_at_limit(const std::string& which) {
  const std::scoped_lock lock(mutex_);
  if (stop_.exchange(true)) return;
  outcome.stopped_by = StoppedBy::kLimit;
  outcome.limit = which;
}

namespace {

/// Returns the memory of the lists of data choices that counts: lists count only above a few megabytes. Limits below that are for
/// tests of the tables.
std::uint64_t counted_bytes(const Moves& moves) {
  constexpr std::uint64_t kNotCounted = std::uint64_t{4} << 20;
  return std::max(moves.bytes(), kNotCounted) - kNotCounted;
}

}  // namespace

/// Returns whether the process holds too much memory. Tables keep to their own limit. The program's own memory grows beside them,
/// and so do stacks and gaps of the heap, which are not counted. Together they may be too much. A search whose tables are full
/// continues slightly above the limit; this alone does not end it.
bool Session::holds_too_much() {
  constexpr std::uint32_t kLooks = 8;  // the kernel is asked at every so many polls, and at each one while the process grows fast
  const std::uint64_t own = program_.bytes();
  const std::uint64_t whole = std::max(options_.limits.held, options_.limits.memory);  // each of several searches has a share
  if (own + counted_bytes(moves_) > whole / 2 || progress_.out_of_memory.load(std::memory_order_relaxed)) return true;
  if (options_.limits.held == 0) return false;
  const std::uint32_t poll = polls_.fetch_add(1, std::memory_order_relaxed);
  if (poll % kLooks != 0 && !grows_.load(std::memory_order_relaxed)) return false;
  const std::uint64_t now = resident_bytes(), before = resident_.exchange(now, std::memory_order_relaxed);
  grows_.store(now > before + options_.limits.held / 256, std::memory_order_relaxed);
  return now > options_.limits.held + (own > 0 ? 0 : options_.limits.held / 16);
}

bool Session::poll() {
  if (stopping()) return true;
  if (progress_.stop.load(std::memory_order_relaxed)) stop(StoppedBy::kInterrupt);
  else if (options_.limits.time && std::chrono::steady_clock::now() - started_ >= *options_.limits.time) stop(StoppedBy::kTime);
  else if (holds_too_much()) stop(StoppedBy::kMemory);
  else if (moves_.nearly_full()) stop_at_limit("more than " + with_separators(moves_.enough()) + " different lists of data choices");
  else if (watch && watch()) stop(StoppedBy::kInterrupt);
  return stopping();
}

bool Session::must_end() const {
  if (stopping() || progress_.stop.load(std::memory_order_relaxed)) return true;
  if (options_.limits.time && std::chrono::steady_clock::now() - started_ >= *options_.limits.time) return true;
  return watch && watch();
}

void Session::report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::uint64_t count) {
  if (text.kind == kLimitKind) return stop_at_limit(text.message);
  Finding finding{.kind = text.kind,
                  .message = text.message,
                  .location = text.location,
                  .schedule = choices_of(moves_, path),
                  .steps = path.size(),
                  .delays = delays,
                  .count = count,
                  .failure = text.failure};
  if (delays > 0 && make_explorer_ && program_.captures() && text.kind != "nondeterminism" && text.kind != "explorer") {
    finding.delayed = delays_along(program_, *make_explorer(options_.seed), finding.schedule, options_.choice_cost == ChoiceCost::kUnit);
    // The explorer may differ from that of this execution (samples have their own), or the cost is of another kind. No marks are
    // better than wrong ones.
    if (finding.delayed.size() != static_cast<std::size_t>(delays)) finding.delayed.clear();
  }
  found(std::move(finding));
}

void Session::report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::vector<std::uint32_t> delayed) {
  if (text.kind == kLimitKind) return stop_at_limit(text.message);
  found({.kind = text.kind,
         .message = text.message,
         .location = text.location,
         .schedule = choices_of(moves_, path),
         .steps = path.size(),
         .delays = delays,
         .delayed = std::move(delayed),
         .failure = text.failure});
}

/// Records a finding. A program that is not a function of its choices, or an explorer that is not sound, ends every search,
/// because later results are meaningless.
void Session::found(Finding finding) {
  if (finding.kind == "nondeterminism")
    if (const std::string why = program_.why_unrepeatable(); !why.empty()) return stop_at_limit(why);
  if (!options_.keep_going || finding.kind == "nondeterminism" || finding.kind == "explorer") {
    add_finding(std::move(finding));
    return stop(StoppedBy::kFinding);
  }
  const std::scoped_lock lock(mutex_);
  const auto same = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) { return same_finding(other, finding); });
  progress_.found = true;
  if (same == findings_.end()) return findings_.push_back(std::move(finding));
  const std::uint64_t count = same->count + finding.count;
  if (finding.steps < same->steps) *same = std::move(finding);
  same->count = count;
}

void Session::add_finding(Finding finding) {
  const std::scoped_lock lock(mutex_);
  progress_.found = true;
  findings_.push_back(std::move(finding));
}

void run_workers(std::uint32_t jobs, const std::function<void(std::uint32_t)>& f) {
  if (jobs == 1) return f(0);
  std::vector<std::jthread> threads;
  for (std::uint32_t i = 0; i < jobs; ++i) threads.emplace_back(f, i);
}

}  // namespace tarry
