#include "explore/running_portfolio.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "explore/dpor/trace_walk.h"
#include "explore/hunters.h"
#include "explore/preemption_bounding.h"
#include "explore/reexecution.h"

namespace tarry {
namespace {

constexpr std::uint64_t kFirstLook = 1000;  // executions of each proof before the first hunter runs
constexpr std::uint64_t kFirstQuota = 100;  // samples of each hunter in the first round
constexpr std::uint64_t kLastQuota = 1 << 20;

/// A way to prove the program, from turn to turn.
class Proof {
 public:
  Proof(Session& all, std::uint64_t memory) : options_(with_memory(all.options(), memory)), session_(all.program(), options_, nullptr, all.progress(), all.first_worker()), budget_(memory) {}
  virtual ~Proof() = default;
  Proof(const Proof&) = delete;
  Proof& operator=(const Proof&) = delete;

  virtual const char* search() const = 0;
  /// Goes on for so many executions. Nothing happens if it is not open.
  virtual void go_on(std::uint64_t executions) = 0;
  virtual void start_over() = 0;
  /// Fills the outcome in.
  virtual void conclude() = 0;
  /// It has come to an end that ends all. Not if only its memory was spent.
  virtual bool decides() const = 0;

  bool open() const { return open_; }
  bool has_found() const { return session_.outcome.stopped_by == StoppedBy::kFinding; }
  Session& session() { return session_; }
  std::uint64_t point_changes() const { return session_.point_changes; }
  std::uint64_t steps_taken() const { return session_.totals().transitions; }  // also by other searches
  std::span<const Finding> findings() const {
    const std::span<const Finding> all = session_.findings();
    return overruled ? all.first(all.size() - 1) : all;
  }

  std::uint64_t known_changes = 0;  // of points, by other searches
  bool overruled = false;           // the finding that ended it is not told

 protected:
  SearchOptions options_;
  Session session_;
  MemoryBudget budget_;
  bool open_ = true;

 private:
  static SearchOptions with_memory(SearchOptions options, std::uint64_t memory) {
    options.limits.memory = memory;
    return options;
  }
};

class Bounding final : public Proof {
 public:
  /// `crew`: those that share the proof.
  Bounding(Session& all, std::uint64_t memory, const Crew& crew) : Proof(all, memory) {
    session_.crew = crew;
    walk_.emplace(session_, preemptions_, BoundedPlan{.last = options_.limits.max_preemptions}, budget_);
  }
  const char* search() const override { return "preemption-bounded"; }
  void go_on(std::uint64_t executions) override { open_ = open_ && walk_->go_on(executions); }
  void start_over() override { walk_->start_over(); }
  void conclude() override { walk_->conclude(); }
  bool decides() const override { return !open_ && session_.outcome.stopped_by != StoppedBy::kMemory; }
  bool is_cut_by_fairness() const { return walk_->is_cut_by_fairness(); }

 private:
  PreemptionBounding preemptions_;
  std::optional<TreeWalk> walk_;
};

class Reduction final : public Proof {
 public:
  Reduction(Session& all, std::uint64_t memory) : Proof(all, memory) {
    // A bound of the user is one of preemptions, without a cache all executions are asked for, and with a K of the user only fair ones.
    const SearchOptions& asked = all.options();
    open_ = (asked.fair == 0 || asked.raise_fair) && !asked.limits.max_preemptions && !asked.limits.max_delays && asked.cache != CacheKey::kNone && TraceWalk::possible(session_);
    if (open_) walk_.emplace(session_, TraceWalk::Method::kOptimal, kPlans, budget_);
  }
  const char* search() const override { return "dpor"; }
  void go_on(std::uint64_t executions) override {
    constexpr std::uint64_t kStride = 16;
    const std::uint64_t last = steps_taken() + std::min(most_steps, ~std::uint64_t{0} >> 1);
    for (std::uint64_t done = 0; open_ && done < executions && steps_taken() < last; done += kStride) open_ = walk_->go_on(std::min(kStride, executions - done)) && walk_->can_prove();
  }
  /// A first look. It is no longer where executions are long: to find the races of one takes longer than to run it.
  void look() {
    constexpr std::uint64_t kStride = 16, kSteps = 500'000;
    for (std::uint64_t done = 0; open_ && done < kFirstLook && walk_->steps() < kSteps; done += kStride) go_on(kStride);
  }
  void start_over() override { if (walk_) walk_->start_over(); }
  void conclude() override { if (walk_) walk_->conclude(); }
  bool decides() const override { return walk_ && (has_found() || is_complete()); }
  bool is_complete() const { return !open_ && walk_ && walk_->is_complete(); }
  void give_up() { open_ = false; }

  std::uint64_t most_steps = ~std::uint64_t{0};  // in one turn

 private:
  static constexpr std::uint64_t kPlans = 4'000'000;
  std::optional<TraceWalk> walk_;
};

class RunningPortfolio {
 public:
  explicit RunningPortfolio(Session& all) : all_(all) {}

  void run() {
    const Crew& crew = all_.crew;
    if (crew.share == nullptr || crew.workers == 1) in_turns();
    else if (crew.worker + 1 < crew.workers) share_the_proof();
    else beside_the_proof();
    all_.outcome.samples = samples_;
    if (!decided_ && !all_.outcome.complete && rounds_ > 0) all_.outcome.notes.push_back("the hunting members of the portfolio went through " + std::to_string(rounds_) + (rounds_ == 1 ? " round" : " rounds"));
  }

 private:
  // ---------------------------------------------------------------- one worker

  void in_turns() {
    Reduction reduction(all_, all_.options().limits.memory / 4);
    Bounding bounding(all_, all_.options().limits.memory / 2, all_.crew);
    watch(reduction);
    watch(bounding);
    if (!look(reduction, bounding)) take_turns(reduction, bounding);
    collect(reduction.findings());  // what it found came first
    collect(bounding.findings());
  }

  /// True: the program is decided.
  bool look(Reduction& reduction, Bounding& bounding) {
    reduction.look();
    if (reduction.is_complete()) return take_over(reduction), true;
    go_on(bounding, kFirstLook, reduction);
    if (reduction.has_found() && !bounding.has_found()) return take_over(reduction), true;
    reduction.overruled = reduction.has_found();  // what bounding found is easier to read
    if (bounding.decides()) return take_over(bounding), true;
    return false;
  }

  void take_turns(Reduction& reduction, Bounding& bounding) {
    for (std::uint64_t quota = kFirstQuota; !all_.poll(); quota = std::min(quota * 2, kLastQuota)) {
      if (hunt(quota)) return;
      const std::uint64_t before = bounding.steps_taken();
      go_on(bounding, quota * hunters_.size(), reduction);
      if (bounding.decides()) break;
      // Executions of reduction are not fair: where threads yield in loops they may be long, and their number without end.
      if (bounding.is_cut_by_fairness()) reduction.give_up();
      reduction.most_steps = bounding.steps_taken() - before;
      go_on(reduction, quota * hunters_.size(), bounding);
      if (reduction.decides()) return take_over(reduction);
    }
    take_over(bounding);
  }

  /// A walk notices new points of its own executions. It is told of those that came by the hunters or the other proof.
  void go_on(Proof& proof, std::uint64_t executions, const Proof& other) {
    if (!proof.open()) return;
    const std::uint64_t elsewhere = hunters_changes_ + other.point_changes();
    if (std::exchange(proof.known_changes, elsewhere) != elsewhere) proof.start_over();
    proof.go_on(executions);
  }

  // ---------------------------------------------------------------- several workers

  void share_the_proof() {
    WorkShare& share = *all_.crew.share;
    Bounding bounding(all_, all_.options().limits.memory / 4 * 3, all_.crew);
    bounding.session().watch = [&] { return all_.poll() || share.reduction() == WorkShare::Reduction::kProved; };
    while (bounding.open()) bounding.go_on(kLastQuota);
    if (!bounding.has_found() && bounding.decides()) wait_for_look(share);
    if (share.reduction() != WorkShare::Reduction::kProved || bounding.has_found()) {
      take_over(bounding);
    } else {
      share.leave();
      proved_elsewhere();
    }
    collect(bounding.findings());
  }

  /// A worker that dies ends no look, so this ends after a while in any case.
  void wait_for_look(const WorkShare& share) {
    constexpr auto kLongest = std::chrono::seconds(5);
    const auto from = std::chrono::steady_clock::now();
    while (share.reduction() == WorkShare::Reduction::kLooks && !all_.poll() && std::chrono::steady_clock::now() - from < kLongest) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  void beside_the_proof() {
    using State = WorkShare::Reduction;
    WorkShare& share = *all_.crew.share;
    share.leave();
    Reduction reduction(all_, all_.options().limits.memory / 4);
    reduction.session().watch = [this] { return all_.poll(); };
    reduction.look();
    if (reduction.has_found()) {
      tell_what_is_easier_to_read(reduction);
    } else if (!conclude_reduction(reduction)) {
      share.set_reduction(State::kUndecided);
      reduction.session().watch = [this] { return over(); };
      hunt_and_reduce(reduction);
    }
    collect(reduction.findings());
  }

  /// A look by bounding, by this worker alone, as `look` has it.
  void tell_what_is_easier_to_read(Reduction& reduction) {
    Bounding bounding(all_, all_.options().limits.memory / 4, Crew{});
    watch(bounding);
    bounding.go_on(kFirstLook);
    reduction.overruled = bounding.has_found();
    take_over(reduction.overruled ? static_cast<Proof&>(bounding) : reduction);
    collect(reduction.findings());
    collect(bounding.findings());
  }

  void hunt_and_reduce(Reduction& reduction) {
    WorkShare& share = *all_.crew.share;
    std::uint64_t known = hunters_changes_;
    for (std::uint64_t quota = kFirstQuota; !over(); quota = std::min(quota * 2, kLastQuota)) {
      if (hunt(quota)) return;
      if (std::exchange(known, hunters_changes_) != hunters_changes_ && reduction.open()) reduction.start_over();
      reduction.go_on(quota * hunters_.size());
      if (conclude_reduction(reduction)) return;
    }
    all_.outcome.bound = "preemptions";
    all_.outcome.complete = all_.stopping() ? share.proved_fair() && all_.outcome.stopped_by != StoppedBy::kFinding : share.finished() == WorkShare::Finished::kAll;
    if (all_.stopping() && !all_.outcome.complete) return;
    if (all_.outcome.complete) all_.outcome.totals = Progress::Totals{};  // the proof is that of the others
    else all_.stop(StoppedBy::kBound);
  }

  /// True: it has decided.
  bool conclude_reduction(Reduction& reduction) {
    if (!reduction.decides()) return false;
    if (reduction.is_complete()) all_.crew.share->set_reduction(WorkShare::Reduction::kProved);
    take_over(reduction);
    return true;
  }

  /// The totals are those of the worker that proved it.
  void proved_elsewhere() {
    all_.outcome = {};
    all_.outcome.complete = true;
    all_.outcome.totals = Progress::Totals{};
    decided_ = true;
  }

  // ---------------------------------------------------------------- all

  void watch(Proof& proof) {
    proof.session().watch = [this] { return all_.poll(); };
  }

  /// Each hunter once. True: found something.
  bool hunt(std::uint64_t quota) {
    for (const Member& hunter : hunters_) {
      if (over()) return false;
      SearchOptions options = all_.options();
      options.seed = rounds_ == 0 ? all_.options().seed : Rng(all_.options().seed, rounds_).next();
      options.limits.memory /= 4;
      if (options.raise_fair) options.fair = fair_of_hunters();
      options.limits.samples = std::min(all_.options().limits.samples.value_or(quota), quota);
      options.choice_cost = hunter.choice_cost.value_or(options.choice_cost);
      Session session(all_.program(), options, hunter.explorer_maker(), all_.progress(), all_.first_worker());
      session.watch = [this] { return over(); };
      hunter.run(session);
      hunters_changes_ += session.point_changes;
      samples_ += session.totals().executions;
      if (session.outcome.stopped_by == StoppedBy::kFinding) decide(session, hunter.name(), hunter.explorer);
      collect(session.findings());
      if (decided_) return true;
    }
    ++rounds_;
    return false;
  }

  /// What can only be reached by yielding often is not to be missed until the proof comes to it: from round to round more yields are left to threads.
  std::uint32_t fair_of_hunters() const { return all_.options().fair << (rounds_ % 4 * 2); }

  bool over() { return all_.poll() || (all_.crew.share != nullptr && all_.crew.workers > 1 && all_.crew.share->finished() != WorkShare::Finished::kNo); }

  void take_over(Proof& proof) {
    proof.conclude();
    decide(proof.session(), proof.search(), {});
  }

  /// Also findings that end no search, such as races.
  void collect(std::span<const Finding> findings) {
    for (const Finding& finding : findings)
      if (std::none_of(all_.findings().begin(), all_.findings().end(), [&](const Finding& other) { return same_finding(other, finding); })) all_.add_finding(finding);
  }

  void decide(Session& member, const std::string& search, const std::string& explorer) {
    const StoppedBy asked = all_.outcome.stopped_by;
    decided_ = member.outcome.stopped_by == StoppedBy::kFinding || member.outcome.complete;
    all_.outcome = member.outcome;
    if (all_.stopping()) all_.outcome.stopped_by = asked;
    all_.outcome.complete = member.outcome.complete && (!all_.stopping() || member.outcome.fair != 0);  // where a proof for fair schedules was there before
    if (decided_) {
      all_.outcome.winner_search = search;
      all_.outcome.winner_explorer = explorer;
    }
    if (!all_.stopping() && member.outcome.stopped_by != StoppedBy::kNothing) all_.stop(member.outcome.stopped_by);
  }

  Session& all_;
  const std::vector<Member> hunters_ = hunters_of(&Made<Search>::hunts_executions);
  std::uint64_t hunters_changes_ = 0;  // how often points were added by hunters
  std::uint64_t rounds_ = 0;
  std::uint64_t samples_ = 0;  // of all hunters
  bool decided_ = false;
};

}  // namespace

void running_portfolio(Session& session) { RunningPortfolio(session).run(); }

}  // namespace tarry
