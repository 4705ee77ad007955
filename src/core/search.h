// Searches: ways to walk the tree of choices of a program.
//
// A Search is made by the registry from its parameters and run once, with a Session that holds everything it may use: the
// program, the explorer, limits, counters, and where findings go. What it ran into is left in the Session's Outcome.
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
#include "core/work_share.h"

namespace tarry {

enum class StoreKind { kExact, kBitstate };
enum class CacheKey { kNone, kProgram, kProgramAndExplorer };
enum class WhenFull { kStop, kReplace };
enum class ChoiceCost { kValue, kUnit };
enum class LoopFairness { kNone, kWeak, kStrong };  // of endless executions that count as violations of liveness
enum class LoopChoices { kFair, kDemonic };         // data choices in them

/// What every search honours.
struct Limits {
  std::optional<std::chrono::milliseconds> time;
  std::uint64_t memory = std::uint64_t{4} << 30;
  std::uint64_t held = 0;  // that the process may hold in all, looked at where the program has memory of its own (Program::bytes); 0: nobody looks
  std::uint32_t max_depth = 10'000;
  bool max_depth_given = false;  // given: longer executions are cut; not given: they are put aside and taken up last
  std::optional<std::uint64_t> max_delays;
  std::optional<std::uint64_t> max_preemptions;
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> states;  // of one search; members of a portfolio have one
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
  std::uint32_t fair = 0;   // fair scheduling (explore/fair.h) of programs that run: every so many yields count; 0: off
  bool raise_fair = false;  // a proof in which fairness removed choices is done again with twice as many
  bool samaritan = true;    // under it, an endless execution in which a process never yields is a finding; else it is cut
  LoopFairness fairness = LoopFairness::kWeak;
  LoopChoices choices = LoopChoices::kFair;
  bool keep_going = false;  // a failure does not end the search, where executions are run one by one
};

enum class StoppedBy { kNothing, kTime, kMemory, kBound, kSamples, kInterrupt, kFinding, kStates, kLimit };

/// How far a search came.
struct Outcome {
  bool complete = false;  // everything there is was explored
  StoppedBy stopped_by = StoppedBy::kNothing;
  std::string bound;      // "delays", "preemptions", "depth", or empty
  std::string limit;      // kLimit: which of Tarry's own, as in "more than 4,096 machines"
  std::uint64_t reached = 0;  // the last bound that was explored to its end
  bool reached_any = false;
  std::uint64_t cut = 0;  // executions cut at --max-depth
  std::uint64_t put_aside = 0;  // executions longer than the default depth that were not taken up again
  std::uint64_t in_vain = 0;    // executions that partial-order reduction began and gave up, as what they led to is explored
  std::uint32_t fair = 0;       // complete for fair schedules only: fairness, with every so many yields, removed choices; 0: it removed none
  std::uint64_t samples = 0;    // executions that were drawn at random
  std::uint64_t bytes = 0;      // in tables, at most
  bool sealed = false;          // some state was sealed
  bool lossy = false;           // states may have been taken for others
  bool visits = false;          // a state may be counted several times, once for each time it was opened
  bool live = false;            // complete, and every liveness property of the program holds
  std::vector<std::string> notes;
  std::string winner_search, winner_explorer;  // portfolio: who decided
  std::optional<Progress::Totals> totals;      // of the search that decided: without those of others, and without what was explored before it began anew
};

using ExplorerMaker = std::function<std::unique_ptr<Explorer>(std::uint64_t seed)>;

class Session {
 public:
  /// `first_worker`: the line of `progress` that the first worker writes to; members of a portfolio share one Progress.
  Session(const Program& program, const SearchOptions& options, ExplorerMaker make_explorer, Progress& progress,
          std::uint32_t first_worker = 0);

  const Program& program() const { return program_; }
  const SearchOptions& options() const { return options_; }
  std::unique_ptr<Explorer> make_explorer(std::uint64_t seed) const { return make_explorer_(seed); }
  Progress& progress() { return progress_; }
  Moves& moves() { return moves_; }

  std::uint32_t first_worker() const { return first_worker_; }
  WorkerProgress& worker(std::uint32_t i) { return progress_.workers[(first_worker_ + i) % kMaxWorkers]; }
  /// What this session's own workers have done.
  Progress::Totals totals() const;

  /// One more state; ends the search at its limit of states, if it has one.
  void count_state(WorkerProgress& worker) {
    bump(worker.states);
    if (options_.limits.states && states_.fetch_add(1, std::memory_order_relaxed) + 1 >= *options_.limits.states) stop(StoppedBy::kStates);
  }

  // Ending. Any worker may ask; all look at `stopping` once a step.
  bool stopping() const { return stop_.load(std::memory_order_relaxed); }
  void stop(StoppedBy why);
  /// A limit of ours is met: "more than 4,096 machines".
  void stop_at_limit(const std::string& which);
  /// Looks at the clock and at who watches. Call it every hundred steps or so.
  bool poll();

  /// A bug at the end of `path`, found so often. Ends the search, unless it is to keep going: then equal ones are one, by the shortest path.
  /// A limit of ours (kLimitKind) ends it too, and is no finding.
  void report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::uint64_t count = 1);
  /// The same, by a search that knows before which steps (from 1) the delays were.
  void report(std::span<const Move> path, const StepText& text, std::int64_t delays, std::vector<std::uint32_t> delayed);
  const std::vector<Finding>& findings() const { return findings_; }
  void add_finding(Finding finding);

  Outcome outcome;
  std::string explorer_file;    // the name of an explorer that came from a file: searches check what it answers. Set before the search starts
  Crew crew;                    // programs that only run have a worker a process; this is one of them. Set before the search starts
  std::uint64_t point_changes = 0;  // so often the program got further choice points (ExecutionResult::points_changed)
  std::function<bool()> watch;  // members of a portfolio: asked by poll; true means end

 private:
  void found(Finding finding);
  bool holds_too_much();

  const Program& program_;
  const SearchOptions& options_;
  ExplorerMaker make_explorer_;
  Progress& progress_;
  std::uint32_t first_worker_;
  Progress::Totals before_;  // what others had written to the same lines
  std::atomic<std::uint64_t> states_{0};
  std::atomic<std::uint32_t> polls_{0};
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

/// Runs f(0) … f(jobs - 1), each on a thread of its own (the last on this one), and waits for all.
void run_workers(std::uint32_t jobs, const std::function<void(std::uint32_t)>& f);

}  // namespace tarry
