// An explorer as searches ask it. Explorers of the registry are taken at their word, because tests show that they are sound; an explorer from
// a file is checked on the way, because "verified" relies on it.
//
// Checked: each answer names a process that can run, each question is asked twice and has the same answer, also when it comes again
// later, and no function throws. The search that asks checks that the turns of a state cover its open processes, with `covers` or with the
// processes offered so far (explore/delay_bounding.h). The first fault is kept; the search then reports it, with the state where it
// happened, as a finding of kind `explorer`. After a fault the answers are valid ones, but mean nothing.
#pragma once

#include <tarry/explorer.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/search.h"

namespace tarry {

class AskedExplorer {
 public:
  explicit AskedExplorer(const Session& session) : AskedExplorer(session.make_explorer(session.options().seed), session.explorer_file) {}
  /// `unproven`: the name of an explorer from a file; empty for those of the registry.
  explicit AskedExplorer(std::unique_ptr<Explorer> explorer, std::string unproven = {}) : explorer_(std::move(explorer)), name_(std::move(unproven)) {}

  bool checked() const { return !name_.empty(); }
  bool faulty() const { return faulty_.load(std::memory_order_acquire); }
  /// The first fault, as a finding in words. Requires: faulty().
  StepText fault(const std::function<std::string(ProcessId)>& name) const;

  Memo initial(const ProcessSet& alive) const { return checked() ? checked_initial(alive) : explorer_->initial(alive); }
  ProcessId next(const Memo& memo, const ProcessSet& open) const { return checked() ? checked_next(memo, open) : explorer_->next(memo, open); }
  Memo delay(const Memo& memo, const ProcessSet& open) const { return checked() ? checked_delay(memo, open) : explorer_->delay(memo, open); }
  Memo step(const Memo& memo, const Step& step) const { return checked() ? checked_step(memo, step) : explorer_->step(memo, step); }

  /// Finds a fault if as many turns as there are open processes do not offer each of them.
  void check_coverage(const Memo& memo, const ProcessSet& open) const;
  /// The explorer offered `twice` a second time in one state, and `missing`, which can run, not at all.
  void offered_twice(ProcessId twice, ProcessId missing) const;

 private:
  Memo checked_initial(const ProcessSet& alive) const;
  ProcessId checked_next(const Memo& memo, const ProcessSet& open) const;
  Memo checked_delay(const Memo& memo, const ProcessSet& open) const;
  Memo checked_step(const Memo& memo, const Step& step) const;
  template <class Answer, class Ask>
  Answer ask_twice(const char* function, std::uint64_t question, const Ask& ask) const;
  void blame(std::string what, ProcessId first = kNobody, std::string then = {}, ProcessId second = kNobody, std::string rest = {}) const;

  static constexpr ProcessId kNobody{~std::uint32_t{0}};
  static constexpr std::size_t kRemembered = 1 << 16;

  std::unique_ptr<Explorer> explorer_;
  std::string name_;
  mutable std::atomic<bool> faulty_{false};
  mutable std::mutex mutex_;  // guards what follows
  mutable std::unordered_map<std::uint64_t, std::uint64_t> answers_;  // hashes of questions and of their answers, the first kRemembered
  struct Blame {
    std::string what, then, rest;
    ProcessId first = kNobody, second = kNobody;
  };
  mutable Blame blame_;
};

}  // namespace tarry
