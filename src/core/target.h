// Front ends: from what the user names to subjects that can be checked.
//
// A front end registers itself from a file of its own, before main: `const FrontEndRegistration entry{{.name = "graph", …}};`. The command
// line asks every front end whether the target is its own, adds the options that they declare to its parser, and knows nothing else about
// them. One command makes one Target of each front end: an object that holds the front end's own options and loads what was named.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/option.h"
#include "core/subject.h"

namespace tarry {

/// An event of a run without control.
struct RecordedEvent {
  std::uint32_t thread = 0;
  std::uint32_t kind = 0;   // enforce::Kind
  std::int64_t value = 0;   // of an input
  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};
using RecordedRun = std::vector<RecordedEvent>;

/// Asks for a record of the correct executions (tarry verify).
struct Admissible {
  std::filesystem::path spool;      // where to
  std::uint64_t most = 0;           // ends the search when there are so many; 0: no limit
  std::vector<RecordedRun> recorded = {};  // runs that are followed before the search begins
  bool only_recorded = false;       // there is no search
  std::vector<std::string> points;  // accesses that are choice points from the start, as Finding::points has them
};

/// What to check, and how: the options that all front ends share.
struct TargetRequest : SearchPlan {
  std::string target;                      // as the user named it
  std::vector<std::string> more_targets;   // further files of the same program
  std::vector<std::string> defines;        // -D: "N=4"
  std::vector<std::string> arguments;      // behind "--": of the program itself
  std::optional<std::string> test_prefix;  // --testcase: every test whose name starts with it
  std::optional<std::string> test;         // exactly this one: of a trace
  GivenOptions given;                      // what was given beside target, defines and arguments
  std::string depth_option = "--max-depth";  // the option that the bound of steps comes from
  bool leaves_input_alone = false;         // our standard input is not for the program: a debugger needs it
  std::optional<Admissible> admissible;

  std::vector<std::string> files() const;
};

/// A schedule of another tool that was followed.
struct FollowedSchedule {
  std::string test;
  Rerun rerun;
  std::uint64_t diverged_line = 0;  // of the schedule, where the program goes another way; 0: it does not
  std::string divergence = {};
  std::uint64_t unused_line = 0;    // from which on the schedule was not needed; 0: all of it was
};
using FollowResult = std::variant<FollowedSchedule, Diagnostic, OurFault, GivenUp>;

/// One use of a front end.
class Target {
 public:
  virtual ~Target() = default;

  /// The front end's own options. Their setters change this object, which outlives them.
  virtual Options options() { return {}; }

  /// Checks the options that were given, own and shared ones, against each other and settles those that follow from others. Returns what is
  /// wrong with them. Called once, before `load`.
  virtual std::optional<Diagnostic> settle(TargetRequest& request) = 0;

  /// Compiles and loads what was named. Returns the tests that are asked for, at least one.
  virtual Result<Subjects> load(const TargetRequest& request) = 0;

  /// Returns the names of all tests, for --list-tests.
  virtual Result<std::vector<std::string>> tests(const TargetRequest& request);

  /// Follows a schedule of another tool: see FrontEnd::schedules. The request names the program, if the user did, and nothing else.
  virtual FollowResult follow(const TargetRequest& request, const std::filesystem::path& schedule);
};

/// Returns the error for an option about tests (--testcase, --list-tests) and a target that is one test by itself.
Diagnostic is_one_test(const std::string& option, const std::string& target);

/// How sure a front end is that a file is its own. The surest one gets it.
enum class Claim { kNo, kUnlessAnother, kYes };

struct FrontEnd {
  std::string name;     // "threads"; a trace stores it
  std::string plural;   // "programs with threads": what its options are for, in messages
  std::string targets;  // what the user can name, for the help: "a P program (.pproj, folder, .p)"
  int rank = 100;       // help shows the options of front ends in this order
  std::function<Claim(const std::string& file)> claims;
  std::function<std::unique_ptr<Target>()> make;
  bool verifies = false;                      // load honours TargetRequest::admissible
  std::string schedules = {};                 // the ending of schedule files of another tool that it can follow; empty: none
  std::function<bool(const std::filesystem::path& folder)> is_project = {};  // is there a program in the folder that needs no name? May be empty
};

/// All front ends, by rank.
const std::vector<FrontEnd>& front_ends();
/// Returns the one of this name, or nullptr.
const FrontEnd* find_front_end(const std::string& name);
/// Returns the front end that the file belongs to, or nullptr. The decision is made here, once for each command.
const FrontEnd* front_end_of(const std::string& file);

/// A file-scope constant that adds a front end.
class FrontEndRegistration {
 public:
  explicit FrontEndRegistration(FrontEnd front_end);
};

}  // namespace tarry
