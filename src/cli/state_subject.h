// A subject whose states are values: it is loaded, searched and replayed in children of this process.
#pragma once

#include <memory>

#include "cli/subject.h"
#include "core/program.h"

namespace tarry::cli {

struct Shared;  // crash_record.h

class StateSubject : public Subject {
 public:
  enum class Purpose { kSearch, kReplay };
  /// For the child. The user's code runs from here on.
  virtual Result<std::unique_ptr<Program>> load(Purpose purpose) const = 0;

  /// For the parent, when the child that loaded it for `purpose` left a crash on record: makes the record's numbers of processes those of a replay, and
  /// the name of the one that ran known. False if that cannot be done.
  virtual bool complete_crash(Shared& /*shared*/, Purpose /*purpose*/) const { return true; }

  /// A step that never ends is found by proof, so that one which takes longer than --step-timeout is only slow.
  virtual bool proves_endless_steps() const { return false; }

  SearchEnd search(const CheckOptions& options, const std::optional<std::filesystem::path>& explorer) const final;
  RerunResult rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const final;
  const StateSubject* state_subject() const final { return this; }
};

}  // namespace tarry::cli
