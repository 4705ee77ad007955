#include "explore/running_portfolio.h"

#include <algorithm>
#include <array>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/preemption_bounding.h"
#include "explore/reexecution.h"

namespace tarry {
namespace {

struct Hunter {
  const char* search;
  const char* explorer;  // nullptr: takes none
};
constexpr std::array kHunters = {Hunter{"lockstep", nullptr}, Hunter{"pct", nullptr}, Hunter{"ss", "round-robin"}, Hunter{"random-walk", nullptr}, Hunter{"ss", "run-to-completion"}};
constexpr std::uint64_t kFirstLook = 1000;  // executions of the proof before anybody hunts
constexpr std::uint64_t kFirstQuota = 100;  // samples of each hunter in the first round
constexpr std::uint64_t kLastQuota = 1 << 20;

class RunningPortfolio {
 public:
  explicit RunningPortfolio(Session& all) : all_(all) {}

  void run() {
    const Crew& crew = all_.crew;
    if (crew.share == nullptr || crew.workers == 1) in_turns();
    else if (crew.worker + 1 < crew.workers) prove();
    else only_hunt();
    all_.outcome.samples = samples_;
    if (!decided_ && !all_.outcome.complete && rounds_ > 0) all_.outcome.notes.push_back("the hunting members of the portfolio went through " + std::to_string(rounds_) + (rounds_ == 1 ? " round" : " rounds"));
  }

 private:
  /// What the proof needs, from turn to turn.
  struct Proof {
    Proof(Session& all, SearchOptions given)
        : options(std::move(given)), session(all.program(), options, nullptr, all.progress(), all.first_worker()), budget(options.limits.memory) {
      session.crew = all.crew;
      session.watch = [&all] { return all.poll(); };
      walk.emplace(session, preemptions, TreePlan{.last = options.limits.max_preemptions}, budget);
    }
    SearchOptions options;
    Session session;
    MemoryBudget budget;
    PreemptionBounding preemptions;
    std::optional<TreeWalk> walk;
  };

  SearchOptions options_for_proof() const {
    SearchOptions options = all_.options();
    options.limits.memory = options.limits.memory / 4 * 3;
    return options;
  }

  void prove() {
    Proof proof(all_, options_for_proof());
    while (proof.walk->go_on(kLastQuota)) {
    }
    take_over(proof);
  }

  void in_turns() {
    Proof proof(all_, options_for_proof());
    std::uint64_t quota = kFirstQuota;
    bool proving = proof.walk->go_on(kFirstLook);
    if (!proving && ends(proof)) return take_over(proof);
    while (!all_.poll()) {
      const std::uint64_t changes = all_.point_changes;
      if (hunt(quota)) return collect(proof.session);
      if (all_.point_changes != changes && proving) proof.walk->start_over();
      proving = proving && proof.walk->go_on(quota * kHunters.size());
      if (!proving && ends(proof)) break;
      quota = std::min(quota * 2, kLastQuota);
    }
    take_over(proof);
  }

  void only_hunt() {
    WorkShare& share = *all_.crew.share;
    share.leave();
    for (std::uint64_t quota = kFirstQuota; !all_.poll() && share.finished() == WorkShare::Finished::kNo; quota = std::min(quota * 2, kLastQuota))
      if (hunt(quota)) return;
    all_.outcome.bound = "preemptions";
    all_.outcome.complete = all_.stopping() ? share.proved_fair() && all_.outcome.stopped_by != StoppedBy::kFinding : share.finished() == WorkShare::Finished::kAll;
    if (all_.stopping() && !all_.outcome.complete) return;
    if (all_.outcome.complete) all_.outcome.totals = Progress::Totals{};  // the proof is that of the others
    else all_.stop(StoppedBy::kBound);
  }

  /// The proof has come to an end that ends all. Not if only its memory was spent.
  static bool ends(const Proof& proof) { return proof.session.outcome.stopped_by != StoppedBy::kMemory; }

  /// Each hunter once. True: found something.
  bool hunt(std::uint64_t quota) {
    for (const Hunter& hunter : kHunters) {
      if (over()) return false;
      SearchOptions options = all_.options();
      options.seed = rounds_ == 0 ? all_.options().seed : Rng(all_.options().seed, rounds_).next();
      options.limits.memory /= 4;
      if (options.raise_fair) options.fair = fair_of_hunters();
      options.limits.samples = std::min(all_.options().limits.samples.value_or(quota), quota);
      ExplorerMaker explorer;
      if (hunter.explorer != nullptr) explorer = Registry<Explorer>::find(hunter.explorer)->kind.make;
      const Entry<Search>* entry = Registry<Search>::find(hunter.search);
      Session session(all_.program(), options, std::move(explorer), all_.progress(), all_.first_worker());
      session.watch = [this] { return over(); };
      entry->kind.make(with_defaults(entry->params, {}))->run(session);
      all_.point_changes += session.point_changes;
      samples_ += session.totals().executions;
      if (session.outcome.stopped_by == StoppedBy::kFinding) return decide(session, hunter.search, hunter.explorer), true;
      collect(session);
    }
    ++rounds_;
    return false;
  }

  /// What can only be reached by yielding often is not to be missed until the proof comes to it: from round to round more yields are left to threads.
  std::uint32_t fair_of_hunters() const { return all_.options().fair << (rounds_ % 4 * 2); }

  bool over() { return all_.poll() || (all_.crew.share != nullptr && all_.crew.workers > 1 && all_.crew.share->finished() != WorkShare::Finished::kNo); }

  void take_over(Proof& proof) {
    proof.walk->conclude();
    decide(proof.session, "preemption-bounded", nullptr);
  }

  /// Also findings that end no search, such as races.
  void collect(const Session& member) {
    for (const Finding& finding : member.findings()) all_.add_finding(finding);
  }

  void decide(Session& member, const char* search, const char* explorer) {
    const StoppedBy asked = all_.outcome.stopped_by;
    decided_ = member.outcome.stopped_by == StoppedBy::kFinding || member.outcome.complete;
    all_.outcome = member.outcome;
    if (all_.stopping()) all_.outcome.stopped_by = asked;
    all_.outcome.complete = member.outcome.complete && (!all_.stopping() || member.outcome.fair != 0);  // where a proof for fair schedules was there before
    if (decided_) {
      all_.outcome.winner_search = search;
      all_.outcome.winner_explorer = explorer == nullptr ? "" : explorer;
    }
    collect(member);
    if (!all_.stopping() && member.outcome.stopped_by != StoppedBy::kNothing) all_.stop(member.outcome.stopped_by);
  }

  Session& all_;
  std::uint64_t rounds_ = 0;
  std::uint64_t samples_ = 0;  // of all hunters
  bool decided_ = false;
};

}  // namespace

void running_portfolio(Session& session) { RunningPortfolio(session).run(); }

}  // namespace tarry
