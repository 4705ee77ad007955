// Parallel randomized state-space search: N independent randomized depth-first searches; the first finding wins.
//
// The cost of a single randomized search varies by orders of magnitude, so the cheapest of N is cheap. The method requires that
// each search has its own visited set.
//
// Paper: Dwyer, Elbaum, Person, Purandare. Parallel Randomized State-space Search. ICSE 2007, figures 3 and 4.
// - "First" means the fewest states, not the clock: the winner is the search that found something after the fewest states; the
//   smaller number wins ties. The others run up to that count. So the same seed gives the same finding under any load.
// - N may be larger than the number of cores: searches take turns (explore/turns.h).
// - A search that exhausts the state space ends all of them: verified. A search that runs out of memory ends only itself.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/depth_first.h"
#include "explore/runner.h"
#include "explore/turns.h"

namespace tarry {
namespace {

class Prss final : public Search {
 public:
  explicit Prss(std::uint32_t searches) : searches_(searches) {}

  void run(Session& session) override {
    if (by_running(session)) return run_again(session);
    const std::uint32_t jobs = std::min(session.options().jobs, searches_);
    Turns turns(searches_, jobs);
    run_workers(searches_, [&](std::uint32_t i) { run_one(session, turns, i); });
    conclude(session);
  }

 private:
  /// Searches a program that only runs. It occupies its process, so workers are processes, each with its own search.
  static void run_again(Session& session) {
    session.crew.share = nullptr;  // the searches are independent
    depth_first(session, {.shuffle = true, .seed = Rng(session.options().seed, session.crew.worker).next()});
  }

  /// Fewer states first, then the smaller number.
  struct Place {
    std::uint64_t states = ~std::uint64_t{0};
    std::uint32_t search = 0;
    bool operator<(const Place& other) const { return states != other.states ? states < other.states : search < other.search; }
  };

  /// Returns the memory for the tables of one search. Beside them each search has a thread with its stack and its heap, and newly
  /// created tables.
  std::uint64_t share_of(std::uint64_t memory) const {
    constexpr std::uint64_t kBesideTables = 1 << 20;
    const std::uint64_t share = memory / searches_;
    return share > 4 * kBesideTables ? share - kBesideTables : share;
  }

  /// Returns whether a search that has not begun may still win: it sees one state at least. A step may take seconds, so that all
  /// the others would take it for nothing, one after the other.
  bool can_win(std::uint32_t i) {
    const std::scoped_lock lock(mutex_);
    return Place{1, i} < best_;
  }

  void run_one(Session& all, Turns& turns, std::uint32_t i) {
    SearchOptions options = all.options();
    options.jobs = 1;
    options.seed = Rng(all.options().seed, i).next();
    options.limits.memory = share_of(options.limits.memory);
    Session session(all.program(), options, nullptr, all.progress(), i);
    session.watch = [&] {
      const std::uint64_t states = session.totals().states;
      return !turns.go_on(states) || best_states_.load(std::memory_order_relaxed) <= states;
    };
    turns.begin(i);
    if (!exhausted_ && can_win(i)) depth_first(session, {.shuffle = true, .seed = options.seed});
    keep(session, turns, i);
    turns.end();  // the next one to begin knows what was found
  }

  void keep(Session& session, Turns& turns, std::uint32_t i) {
    const std::scoped_lock lock(mutex_);
    outcome_.bytes += session.outcome.bytes;
    outcome_.cut += session.outcome.cut;
    ++ended_[static_cast<std::size_t>(session.outcome.stopped_by)];
    if (!session.outcome.limit.empty()) limit_ = session.outcome.limit;
    if (!session.findings().empty()) {
      const Place here{session.totals().states, i};
      if (here < best_) best_ = here, finding_ = session.findings().front(), best_states_ = here.states;
    } else if (session.outcome.complete) {
      exhausted_ = true;
      outcome_.complete = true;
      outcome_.visits = session.outcome.visits;
      outcome_.totals = session.totals();
      turns.stop();
    }
  }

  void conclude(Session& session) {
    session.outcome = outcome_;
    session.outcome.sealed = session.program().shape().seals;
    session.outcome.lossy = session.options().store != StoreKind::kExact;
    if (finding_) {
      session.outcome.complete = false;
      session.outcome.notes.push_back("search " + std::to_string(best_.search + 1) + " of " + std::to_string(searches_) + " won after " +
                                      std::to_string(best_.states) + " states");
      session.add_finding(*finding_);
      return session.stop(StoppedBy::kFinding);
    }
    if (exhausted_) return;
    if (!limit_.empty()) return session.stop_at_limit(limit_);
    for (const StoppedBy why : {StoppedBy::kInterrupt, StoppedBy::kTime, StoppedBy::kMemory, StoppedBy::kStates})
      if (ended_[static_cast<std::size_t>(why)] > 0) return session.stop(why);
    session.stop(StoppedBy::kBound);
  }

  std::uint32_t searches_;
  std::mutex mutex_;  // guards the following members, except the atomics
  Place best_;
  std::optional<Finding> finding_;
  Outcome outcome_;
  std::uint64_t ended_[16] = {};
  std::string limit_;  // a limit of Tarry itself that a search reached
  std::atomic<std::uint64_t> best_states_{~std::uint64_t{0}};
  std::atomic<bool> exhausted_{false};
};

const Registration<Search> entry{{
    .name = "prss",
    .summary = "many independent randomized depth-first searches; the first finding wins",
    .paper = "Dwyer et al., ICSE 2007, figure 4",
    .params = {{"searches", 16, 1, 256, "how many searches (N); may exceed the cores"}},
    .kind = {.complete = true, .runs = true,
             .make = [](const ParamValues& values) { return std::make_unique<Prss>(static_cast<std::uint32_t>(values.at("searches"))); }},
}};

}  // namespace
}  // namespace tarry
