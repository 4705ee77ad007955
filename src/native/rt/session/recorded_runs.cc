#include "native/rt/session/recorded_runs.h"

#include <algorithm>
#include <cstddef>
#include <deque>

#include "native/rt/calls/inputs.h"
#include "native/rt/session/admissible.h"

namespace tarry::native::rt {
namespace {

/// Lets the thread run whose next event came first in the recorded run. A record has no accesses that race: a thread does them before its next event.
class Follower final : public Policy {
 public:
  explicit Follower(const std::vector<std::int64_t>& run) : run_(run) {}

  void begin(const Survey& /*first*/) override {
    events_.assign(kMaxThreads, {});
    unknown_ = 0;
    for (std::size_t i = 0; i + 2 < run_.size(); i += 3)
      if (const auto thread = static_cast<std::size_t>(run_[i]); thread < events_.size()) events_[thread].push_back({i, static_cast<enforce::Kind>(run_[i + 1]), run_[i + 2]});
  }

  std::uint32_t pick(const ChoicePoint& point) override {
    if (point.values != 0) return value(point);
    constexpr std::uint32_t kMostUnknown = 10'000;
    if (unknown_ > kMostUnknown) return kAbandon;
    if (point.survey.sealed()) return done(index(point.survey.owner()));
    std::uint32_t first = Scheduler::kNobody;
    std::size_t first_time = 0;
    for (std::uint32_t thread = 0; thread < scheduler().thread_count(); ++thread) {
      if (!point.survey.open().contains(ProcessId{thread})) continue;
      const std::size_t time = time_of(thread);
      if (first == Scheduler::kNobody || time < first_time) first = thread, first_time = time;
    }
    return done(first);
  }

 private:
  struct Recorded {
    std::size_t time;
    enforce::Kind kind;
    std::int64_t value;
  };

  std::size_t time_of(std::uint32_t thread) const { return events_[thread].empty() ? run_.size() : events_[thread].front().time; }
  std::uint32_t done(std::uint32_t thread) {
    std::deque<Recorded>& events = events_[thread];
    if (!events.empty() && events.front().kind == kind_of(scheduler().thread(thread).pending)) events.pop_front();
    else ++unknown_;
    return thread;
  }
  /// The recorded value of an input, if it is in its range.
  std::uint32_t value(const ChoicePoint& point) {
    if (!is_asking_for_input()) return 0;
    std::deque<Recorded>& events = events_[index(point.process)];
    if (events.empty() || events.front().kind != enforce::Kind::kInput) return kAbandon;
    const auto chosen = static_cast<std::uint64_t>(events.front().value) - static_cast<std::uint64_t>(lowest_input());
    events.pop_front();
    return chosen < point.values ? static_cast<std::uint32_t>(chosen) : kAbandon;
  }

  const std::vector<std::int64_t>& run_;
  std::vector<std::deque<Recorded>> events_;  // of each thread, those to come
  std::uint32_t unknown_ = 0;                 // steps that the record does not have
};

/// Returns false if accesses became choice points, so that executions before are void.
bool follow(const std::vector<std::int64_t>& run, Execution& execution, Session& session) {
  Follower follower(run);
  const ExecutionResult result = execution.run(follower);
  if (result.end == End::kStopped) return true;
  bump(session.worker(0).executions);
  bump(session.worker(0).transitions, result.steps);
  if (result.points_changed) {
    ++session.point_changes;
    return false;
  }
  if (result.end == End::kFailed) session.report(execution.moves_taken(), result.failure, -1);
  return true;
}

}  // namespace

void follow_recorded(const std::vector<std::vector<std::int64_t>>& runs, const Program& program, Session& session) {
  if (runs.empty()) return;
  const auto execution = program.execution(session, 0);
  constexpr int kMostPasses = 100;
  std::size_t next = 0;
  for (int pass = 0; pass < kMostPasses && next < runs.size() && !session.poll(); ++pass) {
    next = 0;
    while (next < runs.size() && !session.poll() && follow(runs[next], *execution, session)) ++next;
  }
}

}  // namespace tarry::native::rt
