// The portfolio: several searches at once, because no single one wins in all cases. The default.
//
// It starts with a short breadth-first search, which decides small programs, always in the same way. Then one part looks for a
// proof: breadth-first search again, whose counterexamples are the shortest, or `fair-cycle` if there is liveness to decide. The
// other part looks for bugs: the searches that register for it (explore/hunters.h) take turns. Each has a budget
// of states or samples that grows fourfold from round to round. The portfolio ends when a member finds a bug or has explored
// everything.
// Programs that can only be run have their own plan: explore/running_portfolio.h.
//
// Papers: Desai et al., MSR-TR-2015-28, table 2, and FSE 2015, table 1; Dwyer et al., ICSE 2007, table 2: in each of them every
// column wins somewhere.
#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/hunters.h"
#include "explore/running_portfolio.h"

namespace tarry {
namespace {

constexpr const char* kLive = "fair-cycle";  // decides liveness, and is also breadth-first

class Portfolio final : public Search {
 public:
  void run(Session& session) override {
    if (by_running(session)) return running_portfolio(session);
    if (session.options().limits.samples) session.outcome.notes.push_back("--samples bounds each sampling member of the portfolio");
    liveness_ = !session.program().properties().empty();
    const SearchOptions& o = session.options();
    if (liveness_ && o.store == StoreKind::kExact && o.when_full == WhenFull::kStop && o.cache == CacheKey::kProgram) prover_ = kLive;
    look(session);
    // With one job the two parts share a core. With more, one core looks for bugs and the others prove.
    const std::uint32_t provers = std::max<std::uint32_t>(1, session.options().jobs - 1);
    if (!over(session)) run_workers(2, [&](std::uint32_t part) { part == 0 ? hunt(session, provers) : prove(session, provers); });
    conclude(session);
  }

 private:
  void look(Session& all) {
    SearchOptions options = all.options();
    options.jobs = 1;
    options.limits.states = 10'000;
    run_member(all, member(prover_), options, 0);
    const std::scoped_lock lock(mutex_);
    bound_reached_ = proof_.stopped_by == StoppedBy::kBound || proof_.stopped_by == StoppedBy::kLimit;
  }

  void prove(Session& all, std::uint32_t jobs) {
    SearchOptions options = all.options();
    options.jobs = jobs;
    options.limits.memory = options.limits.memory / 4 * 3;
    run_member(all, member(prover_), options, 0);
    const std::scoped_lock lock(mutex_);
    // A bound of the user also ends the search for bugs. If memory ran out, only the search for bugs is left.
    bound_reached_ = proof_.stopped_by == StoppedBy::kBound || proof_.stopped_by == StoppedBy::kLimit;
  }

  void hunt(Session& all, std::uint32_t first_worker) {
    std::uint64_t quota = 20'000;
    for (std::uint64_t round = 0; !over(all); ++round, quota *= 4) {
      for (const Member& hunter : hunters_) {
        if (over(all) || is_safe()) return;
        SearchOptions options = all.options();
        options.jobs = 1;
        options.seed = round == 0 ? all.options().seed : Rng(all.options().seed, round).next();
        options.limits.memory /= 4;
        options.limits.states = quota;
        options.limits.samples = std::min(all.options().limits.samples.value_or(~std::uint64_t{0}), quota / 100);
        options.choice_cost = hunter.choice_cost.value_or(options.choice_cost);
        run_member(all, hunter, options, first_worker);
      }
      rounds_ = round + 1;
    }
  }

  /// Returns whether there can be no safety bug any more.
  bool is_safe() {
    const std::scoped_lock lock(mutex_);
    return safe_.has_value();
  }

  bool over(Session& all) {
    if (all.poll()) return true;
    const std::scoped_lock lock(mutex_);
    return decided_ || bound_reached_;
  }

  /// Runs one search. Keeps its result if it decides.
  void run_member(Session& all, const Member& member, const SearchOptions& options, std::uint32_t first_worker) {
    Session session(all.program(), options, member.explorer_maker(), all.progress(), first_worker);
    session.watch = [&] { return over(all); };
    member.run(session);
    const std::scoped_lock lock(mutex_);
    bytes_ = std::max(bytes_, session.outcome.bytes);
    session.outcome.totals = session.totals();
    session.outcome.winner_search = member.name();
    session.outcome.winner_explorer = member.explorer;
    if (first_worker == 0) proof_ = session.outcome;
    else if (!session.outcome.limit.empty()) limit_met_ = session.outcome.limit;
    if (decided_ || (session.findings().empty() && !session.outcome.complete)) return;
    if (session.findings().empty() && liveness_ && !session.outcome.live && prover_ == kLive) {  // safe; liveness is still open
      safe_ = session.outcome;
      return;
    }
    decided_ = true;
    winner_ = session.outcome;
    findings_ = session.findings();
  }

  void conclude(Session& session) {
    Outcome& outcome = session.outcome;
    const std::vector<std::string> notes = outcome.notes;
    if (decided_) {
      outcome = winner_;
      for (const Finding& finding : findings_) session.add_finding(finding);
      if (!findings_.empty()) session.stop(StoppedBy::kFinding);
    } else if (safe_) {
      outcome = *safe_;
    } else {
      const StoppedBy asked = outcome.stopped_by;
      outcome = proof_;
      outcome.stopped_by = asked != StoppedBy::kNothing ? asked : proof_.stopped_by;
      outcome.complete = false;
      if (!limit_met_.empty() && outcome.limit.empty()) outcome.notes.push_back("hunting members of the portfolio met a limit of Tarry's: " + limit_met_);
      outcome.notes.push_back("the hunting members of the portfolio went through " + std::to_string(rounds_) + (rounds_ == 1 ? " round" : " rounds"));
    }
    outcome.bytes = bytes_;
    outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  }

  bool liveness_ = false;  // the program has liveness properties
  std::string prover_ = "bfs";
  const std::vector<Member> hunters_ = hunters_of(&Made<Search>::hunts_states);
  std::mutex mutex_;  // guards everything below
  bool decided_ = false;
  bool bound_reached_ = false;
  std::optional<Outcome> safe_;  // of a member that explored everything and does not decide liveness
  Outcome winner_, proof_;  // of the member that decided, and of the member that looks for a proof
  std::vector<Finding> findings_;
  std::string limit_met_;  // by a member that looks for bugs
  std::uint64_t bytes_ = 0;
  std::uint64_t rounds_ = 0;
};

const Registration<Search> entry{{
    .name = "portfolio",
    .summary = "several searches and explorers at once; the default",
    .paper = "Desai et al., MSR-TR-2015-28 and FSE 2015; Dwyer et al., ICSE 2007",
    .kind = {.complete = true, .runs = true, .limits = {"max-delays", "max-preemptions", "samples", "cache", "choice-cost", "fairness", "choices"}, .make = [](const ParamValues&) { return std::make_unique<Portfolio>(); }},
}};

}  // namespace
}  // namespace tarry
