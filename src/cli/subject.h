// What is checked: a compiled model, one test of a P program, a program with threads. Made and owned by the parent; what it does is done
// in other processes, because the code under test may crash, hang or exit.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/search.h"
#include "trace/replay.h"

namespace tarry::cli {

struct CheckOptions;  // check_options.h
class StateSubject;   // state_subject.h

/// Ours: the work ended in an exception that nobody expected.
struct OurFault {
  std::string text;
};

struct SearchResult {
  Outcome outcome;
  std::vector<Finding> findings;
  std::string explorer;       // its name
  bool weak_atomics = false;  // ran, and were taken to be sequentially consistent
  std::map<std::string, std::uint64_t> outputs = {};  // what executions wrote, with how often, if that was asked for
  std::set<std::string> covered = {};  // what the program said that it came to (tarry::cover)
  std::uint64_t orders = 0;   // different happens-before orders of executions, where they are told
  std::vector<std::string> assumes = {};  // what the verdict rests on beside the schedules, behind "verified for"
  Checks checks = {};         // that the verdict rests on
  std::vector<std::string> properties = {};  // liveness properties of the program, by name
};

/// What a search took.
struct Effort {
  Progress::Totals totals;
  int interrupted_by = 0;     // the signal that asked us to stop
  std::uint64_t peak_rss = 0;
  double seconds = 0;
};

struct Searched {
  SearchResult result;
  Effort effort;
};
using SearchEnd = std::variant<Searched, Diagnostic, OurFault>;

/// A schedule run again: what it shows, crashes and endless steps included.
struct Rerun {
  Replay replay;           // what can be told of the steps; fingerprints of those that came to an end
  StepText ending;         // of the replay or, if it did not come back, of the crash; kind is empty if all went well
  std::uint64_t steps = 0; // taken, the last one included even if it did not end
  bool crashed = false;    // it did not come back
  std::string unrepeatable = {};  // why the same schedule may lead to another execution, though nothing is wrong with the program; empty: it may not
  std::vector<Choice> schedule;  // of these steps: one more than was asked for if a look at who could run next was fatal
};

/// The rerun was given up: by a signal, or because it took longer than it was allowed to.
struct GivenUp {
  std::string why;
  int interrupted_by = 0;  // 0: the time was over
};
using RerunResult = std::variant<Rerun, Diagnostic, OurFault, GivenUp>;

struct RerunOptions {
  std::chrono::milliseconds step_timeout{10'000};
  std::optional<std::chrono::milliseconds> time = std::nullopt;  // for all of it; nothing: no limit
  Telling telling = {};
};

class Subject {
 public:
  virtual ~Subject() = default;

  /// Of everything that its behaviour depends on: a trace is refused where it differs.
  virtual std::uint64_t identity() const = 0;
  /// Of the test among several of the target; may be empty.
  virtual const std::string& test() const = 0;

  /// `explorer`: an object of the user's own, instead of the one that the options name.
  virtual SearchEnd search(const CheckOptions& options, const std::optional<std::filesystem::path>& explorer) const = 0;

  /// Takes the steps of the finding again. `expected`: fingerprints to compare with, may be empty.
  virtual RerunResult rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const = 0;

  /// Properties that a complete search leaves open, as the verdict names them: "liveness of spec 'Progress'". Empty: none.
  virtual std::vector<std::string> undecided() const { return {}; }

  /// A replay may run into a crash of the search earlier, because it looks ahead in another order.
  virtual bool looks_ahead() const { return false; }

  /// Itself, if its states are values.
  virtual const StateSubject* state_subject() const { return nullptr; }
};

using Subjects = std::vector<std::unique_ptr<Subject>>;

/// Does the rerun show the finding?
bool shows(const Rerun& rerun, const Finding& finding);

}  // namespace tarry::cli
