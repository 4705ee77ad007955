// One test of a program, ready to run: what all workers that explore it share.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "plang/code/bytecode.h"
#include "plang/vm/formula_watch.h"

namespace tarry::plang {

/// Which of the reference's scheduling points a search stops at.
enum class Points {
  kNeeded,  // sends, states with "on null", blocking; and others where a monitor could tell the difference
  kAll,
};

/// Who is who: a machine is the n-th one that its creator made, through an interface. So it is the same machine in whatever order
/// independent machines are created. Once it has halted and nothing refers to it, its number may be given to another (references.cc). (Where the program can see that order: the n-th of all, without a creator.) Each gets a slot of the state; the
/// slots are handed out as machines are first seen.
class Identities {
 public:
  /// A value has 16 bits for a machine (value.h), and so have the memos of explorers. One less, so that the number of machines that can run has 16 bits, too.
  static constexpr std::uint32_t kMost = 65'535;
  /// Numbers from here on are of machines that were adopted, not created (adoption.cc).
  static constexpr std::uint32_t kAdopted = std::uint32_t{1} << 31;
  struct Identity {
    std::uint32_t parent;  // slot, or kNone
    std::uint32_t nth;
    std::uint32_t interface;
  };

  /// A copy that outlives the process, in memory that it shares with its parent: the schedule of a crash is told in these numbers.
  struct Mirror {
    std::atomic<std::uint32_t> size{0};
    Identity identities[kMost];
  };

  explicit Identities(std::uint32_t main_interface, Mirror* mirror = nullptr);
  /// From now on there are at most so many.
  void limit(std::uint32_t most) { most_ = most; }
  std::uint32_t limit() const { return most_; }
  /// kNone if there are too many. Any thread.
  std::uint32_t slot(std::uint32_t parent, std::uint32_t nth, std::uint32_t interface);
  /// The same, but kNone if it has not been seen yet.
  std::uint32_t find(std::uint32_t parent, std::uint32_t nth, std::uint32_t interface) const;
  Identity identity(std::uint32_t slot) const;
  /// Takes back the slots from `first` on. Requires: nothing refers to them.
  void forget(std::uint32_t first);
  std::uint32_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> slots_;
  std::vector<Identity> identities_;
  std::uint32_t most_ = kMost;
  Mirror* mirror_;
};

class Foreign;    // foreign_functions.h
class StepCache;  // cache.h

/// Is it a spec with a hot state?
bool may_be_hot(const Machine& monitor);

class World final : public Names {
 public:
  World(Code& code, const TestCase& test, Points points, const Foreign* foreign = nullptr, Identities::Mirror* mirror = nullptr,
        const FormulaWatch* formula = nullptr);

  Code& code;
  const TestCase& test;
  const Points points;
  const Foreign* const foreign;  // may be null
  const FormulaWatch* const formula;  // may be null
  Identities identities;
  /// The program can see in which order machines were created: then they are identified by that, not by who created them.
  const bool numbered;
  std::vector<Value> params;
  std::vector<std::uint32_t> machine_of;  // by interface: number of the machine, or kNone
  /// By interface and event: the monitors (numbers in test.monitors) that observe it; the last may be the formula, kFormula.
  static constexpr std::uint32_t kFormula = kNone;
  std::vector<std::vector<std::vector<std::uint32_t>>> observers;
  /// By interface: does any monitor observe an event of these?
  bool touches(std::uint32_t interface, const std::vector<std::uint64_t>& tells) const;
  std::uint32_t monitors() const { return static_cast<std::uint32_t>(test.monitors.size()); }
  const CodeMachine& monitor(std::uint32_t number) const { return code.machines[test.monitors[number].monitor->index]; }
  const CodeMachine& machine_in(std::uint32_t slot) const { return code.machines[machine_of[identities.identity(slot).interface]]; }
  bool has_hot_states = false;  // some spec has
  /// The liveness properties: specs with hot states, in order, as many as there are bits for. Each monitor's bit among them; 0: it is none.
  std::vector<std::uint32_t> properties, property_of;
  /// The formula's properties are behind them.
  std::uint32_t first_of_formula() const { return static_cast<std::uint32_t>(properties.size()); }
  std::uint32_t ends_badly() const { return std::uint32_t{1} << (first_of_formula() + formula->properties() - 1); }
  bool observes_anything() const { return monitors() > 0 || formula != nullptr; }
  /// Returns whether a machine may get the identity of a halted machine that nothing refers to. Not where numbers are shown: those are never used twice. Nor
  /// with foreign functions: it is unknown what they keep.
  bool reuses_identities() const { return !numbered && !follows_one_execution && foreign == nullptr; }
  /// Slots are handed out in the order of creation in the one execution that is followed; so nothing else may be tried out, or it is taken back.
  bool follows_one_execution = false;
  /// A machine with so many creators above it is deep: more than those of programs that end usually have.
  std::uint32_t deep = 8;

  /// Keeps the steps that a worker has remembered when it ends, for one that begins later (`left`; null: there are none). One worker's are kept. Any thread.
  void leave(std::shared_ptr<StepCache> steps);
  std::shared_ptr<StepCache> left();

  // Names. A machine's number is a character that `shown` replaces: only an execution knows in which order machines were made.
  std::string machine(std::uint32_t slot) const override;
  const std::string& event(std::uint32_t number) const override;
  const std::vector<std::string>& shape(std::uint32_t number) const override { return code.shapes[number]; }
  std::string foreign_value(std::uint32_t type, std::string_view bytes) const override;

 private:
  std::vector<std::vector<std::uint64_t>> observed_;  // by interface: events
  std::mutex mutex_;                                  // guards left_
  std::shared_ptr<StepCache> left_;
};

/// Text for people: the numbers of machines filled in. Requires: slots are in the order of creation, as in a replay.
std::string shown(std::string_view text);

}  // namespace tarry::plang
