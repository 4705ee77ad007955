// Programs whose states are values: C++ models and P programs.
//
// A Program can be opened many times; each worker has a StateSpace of its own. The engine sees states as short sequences of
// words and never looks inside. The structs that are filled in are those of <tarry/model_abi.h>, so that a compiled model can
// fill them directly.
#pragma once

#include <tarry/explorer.h>
#include <tarry/model_abi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/happening.h"

namespace tarry {

struct Choice;
struct Finding;
class Execution;
class Session;

using Word = std::uint32_t;
using StateView = std::span<const Word>;

/// Two nodes of a state's folding that become one: words of the state have the numbers from 0 on, pairs the next ones, in order.
struct Fold {
  std::uint32_t left, right;
};

/// What every state of a program looks like.
struct Shape {
  std::uint32_t words;      // of a state
  std::uint32_t bits;       // of it that carry information
  std::uint32_t processes;  // at most
  bool seals;               // the program may seal
  /// How the store should fold states of more than two words: a tree over them, `words` - 1 pairs, the root last. Empty: neighbours first.
  std::vector<Fold> folds = {};
  /// A process that can run can do so until it runs. Then weak fairness is strong fairness.
  bool stays_enabled = false;
};

/// Room for all successors of a state, reused from call to call.
class Expansion : public abi::Expansion {
 public:
  explicit Expansion(std::uint32_t words);
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  StateView state(std::uint32_t i) const { return {words + static_cast<std::size_t>(i) * width_, width_}; }
  std::span<const std::uint32_t> values_of(const abi::Successor& s) const { return {values + s.first_value, s.value_count}; }
  bool deadlock() const { return count == 0 && blocked > 0; }

  /// How many successors there is room for, at most.
  std::uint32_t most() const { return most_; }

 private:
  static void more(abi::Expansion* self);

  std::uint32_t width_;
  std::uint32_t most_;
  std::vector<Word> word_room_;
  std::vector<abi::Successor> successor_room_;
  std::vector<std::uint32_t> value_room_;
};

/// What every process could do in a state.
class Survey {
 public:
  explicit Survey(std::uint32_t processes);

  ProcessSet open() const { return part(0); }
  ProcessSet alive() const { return part(1); }
  ProcessSet idle() const { return part(2); }
  /// The owner of the seal can run. A seal whose owner cannot run holds nobody back.
  bool sealed() const { return sealed_by != 0 && open().contains(owner()); }
  ProcessId owner() const { return ProcessId{sealed_by - 1}; }
  /// Nobody can run, and somebody waits who must not wait for ever.
  bool deadlock() const;

  /// Open, alive and idle in one piece.
  std::span<std::uint64_t> bits() { return bits_; }
  std::span<const std::uint64_t> bits() const { return bits_; }
  std::uint32_t longs() const { return longs_; }
  std::uint32_t sealed_by = 0;

 private:
  ProcessSet part(std::uint32_t i) const { return ProcessSet({bits_.data() + i * longs_, longs_}); }
  std::uint32_t longs_;
  std::vector<std::uint64_t> bits_;
};

/// One step taken, with room for its successor.
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

/// Why a step failed, and what it was, in words.
struct StepText {
  std::string label;
  std::string kind;      // of the finding, empty if the step is all right
  std::string message;
  std::string location;  // file:line
  std::vector<Happening> happenings = {};  // in order; programs without events have none
  std::vector<std::string> who = {};       // whose fault it is: a process, an observer, all that wait
  std::vector<std::string> choices = {};   // file:line of its data choices among more than one value, in order; empty: not known
  bool cut_short = false;                  // it failed in its middle: the state after it is not one of the program
};

/// A liveness property. Bit i of the marks of a transition is about property i. It is violated by an infinite fair execution that shows it hot infinitely
/// often and cold only finitely often, or by an execution that ends with it owed.
struct Property {
  std::string name;  // as messages have it: "spec 'Progress'"
  std::string owed;  // what goes wrong when it is violated, as a clause: "spec 'Progress' stays hot"
};

/// Kind of a step that could not be taken because of a limit of Tarry's own. It is no finding: the search ends there, and says so. The message says
/// which: "more than 4,096 machines".
inline constexpr const char* kLimitKind = "limit";

/// What adds up over one execution and is no part of its states: steps as the program itself counts them, how long something has been owed.
class Ledger {
 public:
  virtual ~Ledger() = default;
  virtual void begin(StateView first) = 0;
  /// After a step that was taken last by the same StateSpace. Says what went wrong by it, if anything (kind is empty if not).
  virtual StepText add(StateView before, StateView after) = 0;
  /// The program's own bound is reached: the execution is cut here.
  virtual bool over() const = 0;
};

/// A program's states, walked.
class StateSpace {
 public:
  virtual ~StateSpace() = default;

  /// Writes the first state to `words`; says what is wrong with it, if anything (kind is empty if not).
  virtual StepText initial(Word* words) = 0;

  /// Every way on from a state. Ensures: successors in ascending order of (process, values); sealed, and the owner can run: only the owner's.
  virtual void expand(StateView state, abi::Expansion& out) = 0;

  /// Who could run if there were no seal: Survey::sealed says who alone may. Explorers learn of both.
  virtual void survey(StateView state, Survey& out) = 0;

  /// One step of one process with the given data choices.
  virtual void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) = 0;

  /// What the process is doing right now, for the report of a crash.
  virtual const abi::Cursor& cursor() const = 0;

  /// Who can run in the whole program, as bits: neither seals, nor exclusive steps, nor "local steps first" hide anybody. For fairness.
  virtual void enabled(StateView state, std::span<std::uint64_t> out);

  /// Bit i: an execution that ends in this state leaves property i unmet. Programs whose last step fails then (P) have none.
  virtual std::uint32_t owed(StateView /*state*/) { return 0; }

  /// For whoever follows one execution; nullptr where nothing adds up.
  virtual Ledger* ledger() { return nullptr; }
};

/// Tells people about states and steps. Slow.
class Narrator {
 public:
  virtual ~Narrator() = default;
  using Fields = std::vector<std::pair<std::string, std::string>>;

  virtual Fields fields(StateView state) = 0;
  /// Returns fields of two states, in the same order: at least those that differ. Nothing: compare all of them.
  virtual std::optional<std::pair<Fields, Fields>> differing(StateView /*before*/, StateView /*after*/) { return std::nullopt; }
  virtual StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) = 0;
  virtual std::string process_name(ProcessId process) = 0;
};

/// What a verdict rests on, in words, beside what every program is checked for (deadlocks, crashes, exceptions). Both empty: not known.
struct Checks {
  std::vector<std::string> made;     // "invariant", "end check", "spec 'Safety'"
  std::vector<std::string> missing;  // what a reader may think is there and is not: "no spec is attached to this test"
};

class Program {
 public:
  virtual ~Program() = default;
  virtual const Shape& shape() const = 0;

  /// False: it can only be run, from its start; then open() is null and execution() is not.
  virtual bool captures() const { return true; }
  virtual std::unique_ptr<StateSpace> open() const = 0;
  /// For worker number `worker`. Surveys may have room for more processes from one run to the next.
  virtual std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const;
  virtual std::unique_ptr<Narrator> narrator() const = 0;

  /// Makes a finding of a search fit for a trace: whoever follows its schedule from a fresh start finds the same processes under the same
  /// numbers. Programs that number processes as they meet them have something to do here.
  virtual void make_portable(Finding& /*finding*/) const {}

  /// Its liveness properties, at most abi::kMaxProperties. Empty: there is nothing to decide.
  virtual std::vector<Property> properties() const { return {}; }

  /// Does a portable schedule come back, in its end, to the state that step `loop` (from 1) is taken in, though the words of the two states differ?
  virtual bool closes(const std::vector<Choice>& /*schedule*/, std::uint64_t /*loop*/) const { return false; }

  /// Memory that it holds for the states of a search, beside what the search itself stores.
  virtual std::uint64_t bytes() const { return 0; }
  /// Why one schedule may lead to different executions though the program is right: what it depends on is not controlled. Empty: it may not. Asked when that was seen.
  virtual std::string why_unrepeatable() const { return ""; }
  /// What a verdict about it does not cover, unless its liveness is decided.
  virtual std::vector<std::string> caveats() const { return {}; }
  /// What it was checked for. Asked after the search, so that a check that no state reached can be told.
  virtual Checks checks() const { return {}; }
};

/// The step from one state to the next, put together for an explorer.
Step step_between(ProcessId process, const Survey& before, const Survey& after, const abi::Taken& taken);

/// The messages of a violated liveness property: in an execution that goes on for ever, and in one that ends.
std::string endless_message(const Property& property);
std::string ended_message(const Property& property);

/// The message of a deadlock: who waits.
std::string deadlock_message(const Survey& survey, Narrator& narrator);

}  // namespace tarry
