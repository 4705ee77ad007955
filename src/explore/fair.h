// Fair scheduling: a wrapper that keeps any policy from starving a process for ever, and lets it do everything else.
//
// Processes that yield say that they cannot make progress. A process t that yields, and since its last yield has kept another one, u,
// waiting (u could run all the time, or t disabled it, and u was never run), is put behind u: it runs again only when u cannot, or after
// u has run. Nothing is restricted while no process yields, so no state is lost that is reachable without yields (theorem 5). Every endless
// execution that is generated is fair if all its processes keep yielding (theorem 1), so an execution that does not end is worth a
// report: a livelock, or a process that goes on without yielding (the good-samaritan rule).
//
// Paper: Musuvathi, Qadeer. Fair Stateless Model Checking. PLDI 2008, algorithm 1. Its names: ES is who can run, P the priority
// relation, and for the window of a process since its last yield S who was run, E who could run all the time, D whom it disabled.
// - The printed initial values mean "has no window yet": only processes with a window are looked at, and none costs nothing.
// - A process that is born later enters E(u) with u's next yield, not before. Numbers of processes are not reused within an execution.
// - With `every` = k only each k-th yield of a process counts; the others do not close its window. The theorems then hold for
//   yield counts below k.
// - Fairness cuts schedules: a poll that gives up after four tries never does with k = 1. So the choices that P removes are counted
//   (Removed). A search that is complete and in which none was removed has explored everything; else k is raised, and what is left is
//   said with the verdict (explore/reexecution.h).
// - A process that ended has no window, so that the same situation is the same state of this scheduler.
// - Processes that take one lock, try the next, and give the first back if they cannot have it (std::lock) may do so in step for ever, all of
//   them being run. Giving back counts as a yield here, if the process stands as it did when it gave back before. If it goes on by waiting for the
//   lock that it did not get (Contest::kGivesWay), then with a yield that counts it is put behind all others that contend, until they have got what
//   they want: B. A process that begins with the same lock again is not, so figure 1 of the paper is a livelock.
//
// Invariants: P and B together have no cycle, so a process of ES is schedulable if ES is not empty (theorem 3); (t, u) in P implies u not in S(t)
// since that edge came.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/execution.h"

namespace tarry {

/// P, E, D and S, as they change along an execution.
class Fairness {
 public:
  explicit Fairness(std::uint32_t every) : every_(every) {}

  /// From the next execution on.
  void count_every(std::uint32_t every) { every_ = every; }
  std::uint32_t every() const { return every_; }

  /// `longs`: words of a set of processes, the same throughout an execution.
  void begin(std::uint32_t longs);
  void stepped(const Step& step) {
    if (any_window_ || any_contest_ || step.yielded || step.contest != Contest::kNone) update(step);
  }

  /// Returns whether a process is behind another.
  bool restricts() const { return any_edge_; }
  /// T = ES \ pre(P, ES).
  void schedulable(std::span<const std::uint64_t> open, std::uint64_t* out) const;

  /// All of it, as a number: equal states, equal futures.
  Signature signature() const;

 private:
  enum Kind : std::uint32_t { kE, kD, kS, kP, kB, kKinds };
  std::uint64_t* set(Kind kind, std::uint32_t process) { return sets_.data() + (std::size_t{process} * kKinds + kind) * longs_; }
  const std::uint64_t* set(Kind kind, std::uint32_t process) const { return sets_.data() + (std::size_t{process} * kKinds + kind) * longs_; }
  void update(const Step& step);
  void close_window(const Step& step, std::uint32_t process);
  void remove_edges(Kind kind, std::uint32_t onto);
  void give_way(std::uint32_t process);
  bool is_behind(std::uint32_t process, std::uint32_t other) const;
  void forget(std::uint32_t process);

  std::uint32_t every_;
  std::uint32_t longs_ = 0;
  bool any_window_ = false, any_edge_ = false;
  bool any_contest_ = false;  // some process has contended
  bool counted_ = false;  // some yield
  std::vector<std::uint64_t> sets_;      // kKinds for each process
  std::vector<std::uint64_t> windows_;   // who has one
  std::vector<std::uint64_t> behind_;    // who has an edge in P or B
  std::vector<std::uint64_t> contends_;  // and has not got what it wants
  std::vector<std::uint64_t> alive_;
  std::vector<std::uint32_t> yields_;    // of each process, since the last one that counted
};

/// An execution that went on for longer than it should, and what goes round in it.
struct Endless {
  StepText text;                // kind "livelock" or "good-samaritan"
  std::uint64_t from = 0, to = 0;  // the steps [from, to), from 0, are what repeats, or else the second half of the execution
  std::uint64_t times = 0;      // so often, to the end; 0 if nothing repeats exactly
};

/// Choices that the priority relation has taken away.
struct Removed {
  std::uint64_t choices = 0;
  std::uint64_t of_bounded = 0;  // of them, those of processes that stood at each yield otherwise than before: their loops may come to an end
};

/// What was done in a step, as far as it tells a repetition.
struct StepMark {
  std::uint32_t process;
  std::uint32_t place;
  bool yielded, blocked;
  std::uint64_t digest;
  friend bool operator==(const StepMark&, const StepMark&) = default;
};

class FairPolicy final : public Policy {
 public:
  explicit FairPolicy(std::uint32_t every) : fairness_(every), restricted_(1) {}

  /// Whom to ask from the next execution on.
  void wrap(Policy& inner) { inner_ = &inner; }

  void begin(const Survey& first) override;
  std::uint32_t pick(const ChoicePoint& point) override;
  void stepped(const Step& step) override;

  /// By what steps read and how processes stand after them, where the program tells; else it is believed.
  bool compares_steps() const override { return true; }
  bool goes_round() const override;

  const Fairness& fairness() const { return fairness_; }
  /// Since `count_every`.
  const Removed& removed() const { return removed_; }
  /// From the next execution on: another k, and nothing was removed.
  void count_every(std::uint32_t every) {
    fairness_.count_every(every);
    removed_ = {};
  }

  /// About the execution that just ended, at a bound that it should not have reached. Nothing: it may only be long.
  std::optional<Endless> endless(const std::function<std::string(ProcessId)>& name) const;

 private:
  void stepped_behind(const Step& step);

  void count_removed(const Survey& all);
  void note_open(const Step& step);
  bool starves(std::size_t from, std::span<const StepMark> period) const;

  Fairness fairness_;
  Removed removed_;
  std::vector<std::uint64_t> recurring_;       // processes that stood at their last yield as at an earlier one
  Policy* inner_ = nullptr;
  Survey restricted_;
  std::vector<std::uint64_t> before_, after_;  // who was schedulable around a step
  bool restricted_now_ = false;                // before_ holds it
  std::vector<StepMark> marks_;                // of every step so far
  std::vector<std::uint64_t> open_;        // who can run
  std::vector<std::uint32_t> open_since_;  // by process that can run: without a break since so many steps were taken
};

}  // namespace tarry
