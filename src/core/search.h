// Searches: ways to walk the tree of choices of a program.
//
// The registry makes a Search from its parameters. A search runs once, with a Session that holds everything it may use: the
// program, the explorer, limits, counters, and the sink for findings. The search leaves its result in the Session's Outcome.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/program.h"
#include "core/progress.h"
#include "core/search_result.h"
#include "core/work_share.h"

namespace tarry {

enum class StoreKind { kExact, kBitstate };
enum class CacheKey { kNone, kProgram, kProgramAndExplorer };
enum class WhenFull { kStop, kReplace };
enum class ChoiceCost { kValue, kUnit };
enum class LoopFairness { kNone, kWeak, kStrong };  // which infinite executions count as violations of liveness
enum class LoopChoices { kFair, kDemonic };         // data choices in these executions

/// Limits that every search honours.
struct Limits {
  std::optional<std::chrono::milliseconds> time;
  std::uint64_t memory = std::uint64_t{4} << 30;
  std::uint64_t held = 0;  // limit for the whole process, checked if the program has its own memory (Program::bytes); 0: none
  std::uint32_t max_depth = 10'000;
  bool max_depth_given = false;  // true: longer executions are cut; false: they are set aside and continued last
  std::optional<std::uint64_t> max_delays;
  std::optional<std::uint64_t> max_preemptions;
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> states;  // for one search; members of a portfolio have it
};

struct SearchOptions {
  Limits limits;
  std::uint64_t seed = 1;
  std::uint32_t jobs = 1;
  StoreKind store = StoreKind::kExact;
  CacheKey cache = CacheKey::kProgram;
  WhenFull when_full = WhenFull::kStop;
  ChoiceCost choice_cost = ChoiceCost::kValue;
  bool strict_bound = false;
  std::uint32_t fair = 0;   // fair scheduling (explore/fair.h) of programs that run: every fair-th yield counts; 0: off
  bool raise_fair = false;  // a proof in which fairness removed choices is repeated with twice as many
  bool samaritan = true;    // with fair scheduling: an infinite execution in which a process never yields is a finding; else cut
  LoopFairness fairness = LoopFairness::kWeak;
  LoopChoices choices = LoopChoices::kFair;
  bool keep_going = false;  // a failure does not end the search, if executions are run one by one
};

using ExplorerMaker = std::function<std::unique_ptr<Explorer>(std::uint64_t seed)>;

class Session {
 public:
  /// Creates a session. The first worker writes to line `first_worker` of `progress`; the members of a portfolio share one
  /// Progress.
  Session(const Program& program, const SearchOptions& options, ExplorerMaker make_explorer, Progress& progress,
          std::uint32_t first_worker = 0);

  const Program& program() const { return program_; }
  const SearchOptions& options() const { return options_; }
  std::unique_ptr<Explorer> make_explorer(std::uint64_t seed) const { return make_explorer_(seed); }
  Progress& progress() { return progress_; }
  Moves& moves() { return moves_; }

  std::uint32_t first_worker() const { return first_worker_; }
  WorkerProgress& worker(std::uint32_t i) { return progress_.workers[(first_worker_ + i) % kMaxWorkers]; }
  /// Returns what this session's own workers have done.
  Progress::Totals totals() const;

  /// Counts one more state. Ends the search at its limit of states, if it has one.
  void count_state(WorkerProgress& worker) {
    bump(worker.states);
    if (options_.limits.states && states_.fetch_add(1, std::memory_order_relaxed) + 1 >= *options_.limits.states) stop(StoppedBy::kStates);
  }

  // Ending the search. Any worker may request it; all workers check `stopping` once per step.
  bool stopping() const { return stop_.load(std::memory_order_relaxed); }
  void stop(StoppedBy why);
  /// Ends the search at a limit of Tarry itself: "more than 65,535 machines".
  void stop_at_limit(const std::string& which);
  /// Checks the clock and the observers. Returns whether to stop. Call it about every hundred steps.
  bool poll();
  /// Returns whether the search has to end: its time is over, or it was told to. Ends nothing, so that a result that stands is kept.
  bool must_end() const;

  /// Reports a bug at the end of `path`, found `count` times. Ends the search, unless it keeps going; then equal bugs are merged
  /// and the shortest path is kept. A limit of Tarry itself (kLimitKind) also ends the search, and is no finding.
  void report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::uint64_t count = 1);
  /// The same, for a search that knows the steps (from 1) before which delays were spent.
  void report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::vector<std::uint32_t> delayed);
  const std::vector<Finding>& findings() const { return findings_; }
  void add_finding(Finding finding);

  Outcome outcome;
  std::string explorer_file;    // name of an explorer from a file: searches check its answers. Set before the search starts
  Crew crew;                    // if programs only run, there is one worker per process: this one. Set before the search starts
  std::uint64_t point_changes = 0;  // how often the program got further choice points (ExecutionResult::points_changed)
  std::function<bool()> watch;  // for members of a portfolio: called by poll; true means stop

 private:
  void found(Finding finding);
  bool holds_too_much();

  const Program& program_;
  const SearchOptions& options_;
  ExplorerMaker make_explorer_;
  Progress& progress_;
  std::uint32_t first_worker_;
  Progress::Totals before_;  // totals that other sessions had written to the same lines
  std::atomic<std::uint64_t> states_{0};
  std::atomic<std::uint32_t> polls_{0};
  std::atomic<std::uint64_t> resident_{0};  // when the kernel was asked last
  std::atomic<bool> grows_{false};          // and it had grown by much
  Moves moves_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards findings_ and outcome.stopped_by
  std::vector<Finding> findings_;
};

class Search {
 public:
  virtual ~Search() = default;
  virtual void run(Session& session) = 0;
};

/// Runs f(0) … f(jobs - 1), each on a thread of its own, and waits for all; a single one runs on this thread. What a worker allocates there lies apart from what
/// others read: a worker that is made on this thread and runs on another slows down all workers.
void run_workers(std::uint32_t jobs, const std::function<void(std::uint32_t)>& f);

}  // namespace tarry
