// One thing that is checked: a compiled model, one test of a P program, a program with threads. A front end makes it (core/target.h), the
// command line searches it and runs its findings again. The work is done in other processes, because the code under test may crash, hang
// or exit.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/registry.h"
#include "core/replayed.h"
#include "core/search.h"
#include "core/search_result.h"

namespace tarry {

/// How to search, whatever the front end.
struct SearchPlan {
  std::string search;                // a name of the registry
  std::string explorer;              // a name of the registry, or the file that `explorer_object` was made of
  std::optional<std::filesystem::path> explorer_object = {};  // an explorer of the user's own, compiled
  ParamValues params = {};           // of the search, as given
  SearchOptions engine = {};
  std::chrono::milliseconds step_timeout{10'000};
};

/// Called five times a second while a search runs.
using Tick = std::function<void(const Progress& progress, double seconds)>;

/// A fault of Tarry's: the work ended in an unexpected exception.
struct OurFault {
  std::string text;
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

/// Findings are run again for so long, all of them together; one of each kind always is.
inline constexpr std::chrono::seconds kConfirmingLimit{10};
/// After Ctrl-C.
inline constexpr std::chrono::milliseconds kInterruptedLimit{1'000};

struct RerunOptions {
  std::chrono::milliseconds step_timeout{10'000};
  std::optional<std::chrono::milliseconds> time = std::nullopt;  // for all of it; nothing: no limit
  Telling telling = {};
};

/// A program that is executed by itself, as a process.
struct Executable {
  std::filesystem::path file;
  std::vector<std::string> arguments;
  bool instrumented = false;  // accesses to memory are seen
};

/// What is known about a subject before it is searched.
struct SubjectFacts {
  std::uint64_t identity = 0;               // of everything that its behaviour depends on: a trace is refused where it differs
  std::string test = {};                    // its name among several of the target; may be empty
  std::vector<std::string> undecided = {};  // properties that a complete search leaves open, as the verdict names them: "liveness of spec 'Progress'"
  bool looks_ahead = false;                 // a replay may run into a crash of the search earlier, because it looks ahead in another order
  std::optional<Executable> executable = {};
};

class Subject {
 public:
  explicit Subject(SubjectFacts facts) : facts_(std::move(facts)) {}
  virtual ~Subject() = default;
  const SubjectFacts& facts() const { return facts_; }

  /// `tick` may be empty.
  virtual SearchEnd search(const SearchPlan& plan, const Tick& tick) const = 0;

  /// Takes the steps of the finding again. `expected`: fingerprints to compare with, may be empty.
  virtual RerunResult rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const = 0;

  /// Starts a debugger that follows the schedule and stops where it failed. Returns only if that cannot be done, with the reason.
  virtual Diagnostic debug(const Finding& finding, std::chrono::milliseconds step_timeout) const;

  /// Writes the front end's own files about a finding beside its trace, if its options ask for them. `rerun`: its confirming run, with Replay::record.
  /// What goes wrong becomes a note.
  virtual void write_beside(const Finding& /*finding*/, const RerunResult& /*rerun*/, const std::filesystem::path& /*trace*/, std::vector<std::string>& /*notes*/) const {}
  /// The same about the whole check, when it is over. Returns false if a file could not be written.
  virtual bool write_about(const std::vector<Finding>& /*findings*/, std::vector<std::string>& /*notes*/) const { return true; }

 private:
  SubjectFacts facts_;
};

using Subjects = std::vector<std::unique_ptr<Subject>>;

/// Does the rerun show the finding?
bool shows(const Rerun& rerun, const Finding& finding);

/// Returns why there is no rerun. Requires: there is none.
std::string why_not(const RerunResult& result);

}  // namespace tarry
