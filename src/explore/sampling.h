// Runs numbered samples on all workers. Which samples there are, and which finding wins, does not depend on timing: a sample
// is a function of its number, and of the failing samples the one with the smallest number is reported. Programs that only run have their
// workers in other processes: worker w of n takes the numbers congruent to w modulo n.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "explore/runner.h"

namespace tarry {

class Sampler {
 public:
  explicit Sampler(Session& session);

  /// Runs one sample: any number of executions.
  using Sample = std::function<void(Runner&, std::uint64_t number)>;

  /// Runs the next `count` samples (fewer if the user asked for fewer in all). False: stop.
  bool run(std::uint64_t count, const Sample& sample);

  /// To be called by samples after each execution. False: the sample is over.
  bool executed(Runner& runner, std::uint64_t number, const ExecutionResult& result, std::int64_t delays);

  std::uint64_t longest() const { return longest_.load(); }  // steps of the longest execution so far
  /// Fills in the outcome and reports the finding.
  void finish();

 private:
  struct Found {
    std::uint64_t number;
    std::vector<Move> path;
    StepText text;
    std::int64_t delays;
    std::uint64_t count = 1;  // of equal ones
  };
  bool keep(Runner& runner, std::uint64_t number, const ExecutionResult& result, std::int64_t delays);

  Session& session_;
  std::vector<std::unique_ptr<Runner>> runners_;  // one a worker
  std::uint64_t next_ = 0;
  std::atomic<std::uint64_t> cut_{0}, longest_{0};
  std::atomic<std::uint64_t> best_{~std::uint64_t{0}};
  std::mutex mutex_;  // guards found_ and all_
  std::optional<Found> found_;
  std::vector<Found> all_;  // with keep_going: one of each
  std::atomic<std::uint64_t> done_{0};
};

/// Reports what is wrong with the first state; false then, or if it is a deadlock.
bool start_is_sound(Session& session);

}  // namespace tarry
