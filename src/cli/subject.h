// What is checked: a compiled model, or one test of a P program. Made and owned by the parent, loaded in its children.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/program.h"

namespace tarry::cli {

struct Shared;  // crash_record.h

class Subject {
 public:
  virtual ~Subject() = default;

  /// Of everything that its behaviour depends on: a trace is refused where it differs.
  virtual std::uint64_t identity() const = 0;
  /// Of the test among several of the target; may be empty.
  virtual const std::string& test() const = 0;

  enum class Purpose { kSearch, kReplay };
  /// For the child. The user's code runs from here on.
  virtual Result<std::unique_ptr<Program>> load(Purpose purpose) const = 0;

  /// For the parent, when the child that loaded it for `purpose` left a crash on record: makes the record's numbers of processes those of a replay, and
  /// the name of the one that ran known. False if that cannot be done.
  virtual bool complete_crash(Shared& /*shared*/, Purpose /*purpose*/) const { return true; }

  /// A replay may run into a crash of the search earlier, because it looks ahead in another order.
  virtual bool looks_ahead() const { return false; }
};

using Subjects = std::vector<std::unique_ptr<Subject>>;

}  // namespace tarry::cli
