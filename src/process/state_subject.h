// A subject whose states are values: it is loaded, searched and replayed in children of this process. A front end derives from it and says
// how its program is loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/subject.h"
#include "core/target.h"

namespace tarry::process {

struct Shared;  // crash_record.h

/// What a front end says about programs of its kind.
struct StateFacts {
  bool proves_endless_steps = false;    // a step that never ends is found by proof, so that one which takes longer than --step-timeout is only slow
  std::vector<std::string> notes = {};  // that every verdict comes with
};

class StateSubject : public Subject {
 public:
  StateSubject(SubjectFacts facts, StateFacts state_facts) : Subject(std::move(facts)), state_facts_(std::move(state_facts)) {}
  const StateFacts& state_facts() const { return state_facts_; }

  enum class Purpose { kSearch, kReplay };
  /// For the child. The user's code runs from here on.
  virtual Result<std::unique_ptr<Program>> load(Purpose purpose) const = 0;

  /// For the parent, when the child that loaded it for `purpose` left a crash on record: changes the record's process numbers to those of a replay, and
  /// adds the name of the process that ran. Returns false if that cannot be done.
  virtual bool complete_crash(Shared& /*shared*/, Purpose /*purpose*/) const { return true; }

  SearchEnd search(const SearchPlan& plan, const Tick& tick) const final;
  RerunResult rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const final;

 private:
  StateFacts state_facts_;
};

/// Returns what is wrong with the shared options for programs whose states are values. For Target::settle.
std::optional<Diagnostic> settle_for_states(const TargetRequest& request);
/// The same for programs that are one test: refuses --testcase, too.
std::optional<Diagnostic> settle_for_one_test(const TargetRequest& request);

}  // namespace tarry::process
