// Small thread programs that can only be run, for tests of the searches by re-execution and of fair scheduling.
//
// 2 to 4 threads of a few instructions over shared variables and locks; each instruction is a step. They implement Execution and tell
// the happens-before order as CHESS does: an event is a hash of the last events of its thread and of its object, an order the sum of
// its events. Their states can also be had directly, so that plain enumeration can say what a search must find.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/execution.h"
#include "core/registry.h"
#include "core/search.h"

namespace tarry::test {

enum class ThreadOp : std::uint8_t {
  kStore,    // variable = value
  kAdd,      // variable = (variable + value) mod 4
  kLoad,     // register = variable
  kPut,      // variable = register
  kLock,     // waits for it
  kUnlock,   // if it is ours; goes to target, if there is one; yields, if there is a value
  kTryLock,  // goes to target if it is taken
  kYield,    // goes to target
  kAwait,    // goes to target unless variable == value
  kAssert,   // fails unless variable == value
  kStart,    // thread `object` is born
  kChoose,   // register = one of `value` values
};

struct ThreadInstruction {
  ThreadOp op;
  std::uint8_t object = 0;
  std::uint8_t value = 0;
  std::uint8_t target = 0;
};

using Code = std::vector<ThreadInstruction>;
using Cells = std::vector<std::uint8_t>;  // program counters, registers, variables, owners of locks + 1, who is born

/// A program as plain data, and what it does.
struct Threads {
  std::vector<Code> code;
  std::uint32_t variables = 2, locks = 2;
  std::uint32_t born_later = 0;  // so many of the last threads have to be started

  Cells initial() const;
  bool alive(const Cells& state, std::uint32_t thread) const;
  bool enabled(const Cells& state, std::uint32_t thread) const;
  const ThreadInstruction& pending(const Cells& state, std::uint32_t thread) const { return code[thread][state[thread]]; }
  std::uint64_t enabled_set(const Cells& state) const;
  std::uint64_t alive_set(const Cells& state) const;
  /// Ways to take the step: values of its data choice, or 1.
  std::uint32_t ways(const Cells& state, std::uint32_t thread) const;

  struct Effect {
    Cells after;
    bool yielded = false, failed = false;
    int object = -1;  // variables first, then locks, then threads
  };
  Effect step(const Cells& state, std::uint32_t thread, std::uint32_t value) const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(code.size()); }
  std::string text() const;

 private:
  std::size_t reg(std::uint32_t t) const { return size() + t; }
  std::size_t var(std::uint32_t v) const { return 2 * size() + v; }
  std::size_t lock(std::uint32_t l) const { return 2 * size() + variables + l; }
  std::size_t born(std::uint32_t t) const { return 2 * size() + variables + locks + t; }
};

/// What random programs may have in them.
struct Ingredients {
  bool loops = false;        // that yield
  bool selfish = false;      // loops that do not
  bool asserts = false;
  bool choices = false;
  bool births = false;
  std::uint32_t least = 2, most = 4;  // instructions of a thread
};
Threads random_threads(std::uint64_t seed, const Ingredients& with);

/// What executions went through.
struct Seen {
  std::mutex mutex;
  std::set<Cells> states, finals;
  std::vector<std::vector<Move>> schedules;  // of executions that came to an end
  std::uint64_t executions = 0, abandoned = 0;
};

class ThreadProgram final : public Program {
 public:
  ThreadProgram(const Threads& what, Seen& record) : threads(what), seen(record) {}

  const Shape& shape() const override { return shape_; }
  bool captures() const override { return false; }
  std::unique_ptr<StateSpace> open() const override { return nullptr; }
  std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const override;
  std::unique_ptr<Narrator> narrator() const override;

  const Threads& threads;
  Seen& seen;
  bool orders = true;               // tells the happens-before order
  bool leaves_out_single = false;   // asks only where there is a choice
  std::uint64_t coarse_runs = 0;    // in so many first executions stores are no points; then they are
  std::uint64_t begins_anew = 0;    // each execution is given up after so many steps and begun once more
  std::uint64_t notes_at = 0;       // in this execution it reports something that ends no search
  bool tells_all = false;           // of that every worker hears, in its next execution
  mutable std::atomic<std::uint64_t> runs{0};

 private:
  Shape shape_{.words = 0, .bits = 0, .processes = 64, .seals = false};
};

struct Ran {
  Outcome outcome;
  std::vector<Finding> findings;
  Progress::Totals totals;
};
Ran run_threads(const ThreadProgram& program, const std::string& search, SearchOptions options = {}, const std::string& explorer = "round-robin",
                const ParamValues& params = {}, Crew crew = {});

// What a search must find, by plain enumeration.

/// Algorithm 1 of Fair Stateless Model Checking, line by line.
struct PlainFair {
  std::uint32_t every = 1;
  std::set<std::pair<int, int>> p;
  std::map<int, std::set<int>> e, d, s;  // only for threads with a window
  std::map<int, std::uint32_t> yields;
  auto operator<=>(const PlainFair&) const = default;

  std::uint64_t schedulable(std::uint64_t enabled) const;
  void stepped(int thread, std::uint64_t enabled_before, std::uint64_t enabled_after, std::uint64_t alive_after, bool yielded);
};

struct Truth {
  std::set<Cells> states, finals;
  bool fails = false, deadlocks = false;
  bool too_many = false;
  std::uint64_t executions = 0;  // maximal ones; only if `acyclic`
  bool acyclic = true;
};
/// fair: every how many yields count, 0 is off. preemptions: at most so many.
Truth truth_of(const Threads& threads, std::uint32_t fair = 0, std::optional<std::uint32_t> preemptions = {}, std::size_t limit = 20'000);

}  // namespace tarry::test
