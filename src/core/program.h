// Programs whose states are values: C++ models and P programs.
//
// A Program can be opened many times; each worker has its own StateSpace. The engine sees states as short sequences of words and
// never looks inside. The structs are those of <tarry/model_abi.h>, so a compiled model can fill them directly.
#pragma once

#include <tarry/explorer.h>
#include <tarry/model_abi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/finding_kind.h"
#include "core/happening.h"

namespace tarry {

struct Choice;
struct Finding;
class Execution;
class Session;

using Word = std::uint32_t;
using StateView = std::span<const Word>;

/// Two nodes of a folded state that become one pair. The words of the state have the numbers from 0 on; pairs have the next
/// numbers, in order.
struct Fold {
  std::uint32_t left, right;
};

/// The layout of all states of a program.
struct Shape {
  std::uint32_t words;      // words of a state
  std::uint32_t bits;       // bits of a state that carry information
  std::uint32_t processes;  // the largest number of processes
  bool seals;               // the program may seal
  /// The tree by which the store folds states of more than two words: `words` - 1 pairs, the root last. Empty: neighbours first.
  std::vector<Fold> folds = {};
  /// A process that can run can do so until it runs. Then weak fairness is strong fairness.
  bool stays_enabled = false;
};

/// Room for all successors of a state. It is reused from call to call.
class Expansion : public abi::Expansion {
 public:
  enum class Ends { kGoOn, kStop };

  explicit Expansion(std::uint32_t words);
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  static constexpr std::uint32_t kLongestStretch = 16;

  /// Asked every `stretch` successors. `bytes`: the successors are to take so much from now on; 0: they take no more than before. kStop ends the
  /// expansion there.
  using GoOn = std::function<Ends(std::uint64_t bytes)>;
  GoOn go_on;
  /// Call before the state space fills it. Steps that are slow need a short stretch: a caller that watches them wants a sign of life from each.
  void begin(std::uint32_t longest) {
    stretch_ = longest;
    capacity = std::min(static_cast<std::uint32_t>(successor_room_.size()), stretch_);
  }

  StateView state(std::uint32_t i) const { return {words + static_cast<std::size_t>(i) * width_, width_}; }
  std::span<const std::uint32_t> values_of(const abi::Successor& s) const { return {values + s.first_value, s.value_count}; }
  bool deadlock() const { return count == 0 && blocked > 0; }

  /// Returns the largest number of successors that fit.
  std::uint32_t most() const { return most_; }

 private:
  static constexpr std::uint32_t kFirstRoom = 64;
  static void more(abi::Expansion* self);
  bool may_go_on(std::uint64_t bytes);

  std::uint32_t width_;
  std::uint32_t most_;
  std::uint32_t stretch_ = kLongestStretch;
  std::vector<Word> word_room_;
  std::vector<abi::Successor> successor_room_;
  std::vector<std::uint32_t> value_room_;
};

/// What every process can do in a state. Its sets have room for all processes of the program, or only for those up to the last one that is alive in the state: programs
/// with very many processes say how many those are (fit), so that surveys of small states are small.
class Survey {
 public:
  explicit Survey(std::uint32_t processes);
  /// Clears the survey, and makes room for so many processes.
  void fit(std::uint32_t processes);
  /// Takes over bits() of another survey, of whatever size.
  void assign(std::span<const std::uint64_t> bits);

  ProcessSet open() const { return part(0); }
  ProcessSet alive() const { return part(1); }
  ProcessSet idle() const { return part(2); }
  /// Returns whether a seal is in force. A seal whose owner cannot run holds no process back.
  bool sealed() const { return sealed_by != 0 && open().contains(owner()); }
  ProcessId owner() const { return ProcessId{sealed_by - 1}; }
  /// Returns whether no process can run and at least one is blocked.
  bool deadlock() const;

  /// Returns open, alive and idle in one piece.
  std::span<std::uint64_t> bits() { return bits_; }
  std::span<const std::uint64_t> bits() const { return bits_; }
  std::uint32_t longs() const { return longs_; }
  std::uint32_t sealed_by = 0;

 private:
  ProcessSet part(std::uint32_t i) const { return ProcessSet({bits_.data() + i * longs_, longs_}); }
  std::uint32_t longs_;
  std::vector<std::uint64_t> bits_;
};

/// The result of one step, with room for its successor.
class Taken : public abi::Taken {
 public:
  explicit Taken(std::uint32_t width);
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  StateView state() const { return {words, width_}; }
  bool failed() const { return (flags & abi::kFailed) != 0; }

 private:
  std::uint32_t width_;
  std::vector<Word> room_;
};

/// A step in words, and why it failed.
struct StepText {
  std::string label;
  FindingKind kind;      // of the finding; empty if the step did not fail
  std::string message;
  std::string location;  // file:line
  std::vector<Happening> happenings = {};  // in order; programs without events have none
  std::vector<std::string> who = {};       // the culprits: a process, an observer, or all waiting processes
  std::vector<std::string> choices = {};   // file:line of its data choices among several values, in order; empty: not known
  bool cut_short = false;                  // the step failed in the middle: the state after it is not a program state
  FailureId failure = FailureId::kNone;
};

/// A liveness property. Bit i of the marks of a transition is about property i. An infinite fair execution violates the property
/// if it shows it hot infinitely often and cold only finitely often. A finite execution violates it if it ends with the property
/// owed.
struct Property {
  std::string name;  // as in messages: "spec 'Progress'"
  std::string owed;  // what is wrong in a violation, as a clause: "spec 'Progress' stays hot"
};

/// Counters that accumulate along one execution and are no part of its states: steps as the program counts them, how long an
/// obligation has been open.
class Ledger {
 public:
  virtual ~Ledger() = default;
  virtual void begin(StateView first) = 0;
  /// Adds a step that was just taken by the same StateSpace. Returns what went wrong (kind is empty if nothing did).
  virtual StepText add(StateView before, StateView after) = 0;
  /// Returns whether the program's own bound is reached. The execution is cut here.
  virtual bool over() const = 0;
};

/// Walks the states of a program.
class StateSpace {
 public:
  virtual ~StateSpace() = default;

  /// Writes the initial state to `words`. Returns what is wrong with it (kind is empty if nothing is).
  virtual StepText initial(Word* words) = 0;

  /// Computes all successors of a state. Ensures: they are in ascending order of (process, values). In a sealed state only the
  /// owner's are listed.
  virtual void expand(StateView state, abi::Expansion& out) = 0;

  /// Computes which processes could run without seals. Survey::sealed says whether only the owner may run. Explorers see both.
  virtual void survey(StateView state, Survey& out) = 0;

  /// Takes one step of one process with the given data choices.
  virtual void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) = 0;

  /// Returns the step that runs now, for the report of a crash.
  virtual const abi::Cursor& cursor() const = 0;

  /// Computes which processes can run in the whole program, as bits. Seals, exclusive steps and local-steps-first hide none. Used
  /// for fairness. Requires: `out` has room for all processes of the state (Program::processes_met).
  virtual void enabled(StateView state, std::span<std::uint64_t> out);

  /// Returns the properties that an execution leaves unmet if it ends in this state, as bits. Programs whose last step fails in
  /// this case (P) return 0.
  virtual std::uint32_t owed(StateView /*state*/) { return 0; }

  /// Returns counters that accumulate along one execution, or nullptr if the program has none.
  virtual Ledger* ledger() { return nullptr; }

  /// Makes the expansions that `expand` itself needs ask whether to go on, too (Expansion::go_on). For programs around other programs.
  virtual void ask_while_expanding(const Expansion::GoOn& /*go_on*/) {}
};

/// Describes states and steps for people. Slow.
class Narrator {
 public:
  virtual ~Narrator() = default;
  using Fields = std::vector<std::pair<std::string, std::string>>;

  virtual Fields fields(StateView state) = 0;
  /// Returns fields of two states, in the same order; at least those that differ. Nothing: the caller compares all fields.
  virtual std::optional<std::pair<Fields, Fields>> differing(StateView /*before*/, StateView /*after*/) { return std::nullopt; }
  virtual StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) = 0;
  virtual std::string process_name(ProcessId process) = 0;

  /// Returns the front end's own record of the steps explained so far, for Subject::write_beside. Empty: it keeps none. Called at
  /// the end of a replay that explained every step.
  virtual std::string record() { return ""; }
};

/// The basis of a verdict, in words, beside the checks of every program (deadlocks, crashes, exceptions). Both empty: not known.
struct Checks {
  std::vector<std::string> made;     // "invariant", "end check", "spec 'Safety'"
  std::vector<std::string> missing;  // checks that a reader may expect but that are missing: "no spec is attached to this test"
};

class Program {
 public:
  virtual ~Program() = default;
  virtual const Shape& shape() const = 0;
  /// Returns how many processes there are in all states that have been made so far: at most as many as the shape says.
  virtual std::uint32_t processes_met() const { return shape().processes; }

  /// Returns false if the program can only be run from its start; then open() is null and execution() is not.
  virtual bool captures() const { return true; }
  virtual std::unique_ptr<StateSpace> open() const = 0;
  /// Returns an execution for worker number `worker`. Surveys may have room for more processes from one run to the next.
  virtual std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const;
  virtual std::unique_ptr<Narrator> narrator() const = 0;

  /// Makes a finding of a search fit for a trace: a rerun of its schedule from the start must see the same processes under the
  /// same numbers. Needed for programs that number processes in the order in which a search meets them.
  virtual void make_portable(Finding& /*finding*/) const {}

  /// Returns the liveness properties, at most abi::kMaxProperties. Empty: there is nothing to decide.
  virtual std::vector<Property> properties() const { return {}; }

  /// Returns whether a portable schedule ends in the state in which step `loop` (from 1) is taken, although the words of the two
  /// states differ.
  virtual bool closes(const std::vector<Choice>& /*schedule*/, std::uint64_t /*loop*/) const { return false; }

  /// Returns the memory that the program holds for the states of a search, beside the search's own tables.
  virtual std::uint64_t bytes() const { return 0; }
  /// Returns why one schedule may lead to different executions of a correct program: it depends on something that is not
  /// controlled. Empty: it may not. Called after a difference was seen.
  virtual std::string why_unrepeatable() const { return ""; }
  /// Returns what a verdict does not cover, unless the liveness of the program is decided.
  virtual std::vector<std::string> caveats() const { return {}; }
  /// Returns the checks. Called after the search, so that it can report a check that no state reached.
  virtual Checks checks() const { return {}; }
};

/// Builds the step between two states, for an explorer.
Step step_between(ProcessId process, const Survey& before, const Survey& after, const abi::Taken& taken);

/// Return the messages of a violated liveness property: in an infinite execution, and in one that ends.
std::string endless_message(const Property& property);
std::string ended_message(const Property& property);

/// Returns the message of a deadlock, with the processes that wait.
std::string deadlock_message(const Survey& survey, Narrator& narrator);

}  // namespace tarry
