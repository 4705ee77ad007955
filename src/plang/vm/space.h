// The states of a P program, for the engine. One PSpace per worker.
//
// A step is looked up before it is run: it depends only on the configuration and inbox of its machine. What it does to others (events, new
// machines, monitors) is carried out here, on the words of the state, most of it by look-up too.
//
// Local steps come first. A step that sends nothing, tells no monitor, has no data choice, does not fail and does not depend on whether the inbox is empty
// commutes with all steps of the others: events that arrive meanwhile are behind those that it takes. So where a machine has such a step, only that is
// explored (an ample set of one process). It consumes events or starts a machine, so there is no cycle of local steps. There could be a chain without end:
// machines that make machines that make machines. The others would never have their turn. So a local step that makes machines comes first only
// where its machine is not far down the tree of creators, and where there are not many machines (may_go_first). That depends on nothing but the
// state, as all of this has to. With Points::kAll everything is explored.
#pragma once

#include <memory>
#include <vector>

#include "core/program.h"
#include "plang/vm/cache.h"
#include "plang/vm/layout.h"
#include "plang/vm/ledger.h"
#include "plang/vm/vm.h"

namespace tarry::plang {

class PSpace final : public StateSpace {
 public:
  PSpace(World& world, Layout layout, Bounds bounds = {});
  ~PSpace() override;
  PSpace(const PSpace&) = delete;
  PSpace& operator=(const PSpace&) = delete;

  StepText initial(Word* words) override;
  void expand(StateView state, abi::Expansion& out) override;
  void survey(StateView state, Survey& out) override;
  void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override;
  const abi::Cursor& cursor() const override { return *cursor_; }
  Ledger* ledger() override { return &ledger_; }
  void enabled(StateView state, std::span<std::uint64_t> out) override;

  /// Takes over the steps that another space of the world remembered when it ended, if there is one.
  void take_over();

  /// Steps of the reference in the last `take`: decisions and choices.
  std::uint32_t counted() const { return counted_; }
  /// What monitors saw in the last `take`, in order. Only if a ledger minds how hot they are.
  struct Heard {
    std::uint32_t monitor;
    std::uint32_t steps;  // of the reference, counted up to here
    std::uint32_t word;   // its configuration afterwards
    bool cooled;          // it entered a cold state on the way
  };
  std::span<const Heard> heard() const { return heard_; }
  /// Machines that the last step made, in order: their slots.
  std::span<const std::uint32_t> created() const { return created_; }
  /// Machines that have another slot after the last step, in order: old and new one. Those that it made are among them.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> renamed() const { return renamed_; }

  // For descriptions of states (narrator.cc).
  struct Applied {
    bool failed = false;
    bool by_monitor = false;  // a monitor failed, not the machine
    std::uint32_t steps = 0;
  };
  struct MachineWords {
    std::uint32_t slot, config, inbox;
  };
  template <class Function>
  void for_each_machine(StateView state, Function&& f) {
    for (std::uint32_t s = 0; s < layout_.slots(); ++s)
      if (const Word* const at = &state[layout_.slot(s)]; *at != 0) f(MachineWords{s, at[0], at[1]});
    Rest::for_each(vm_.pool(), state[layout_.rest()], [&](const Rest::Machine& m) { f(MachineWords{m.slot, m.config, m.inbox}); });
  }
  MachineWords machine(StateView state, std::uint32_t slot);
  /// The machines of both states, in order of their slots, without most of those that are the same in both.
  std::pair<std::vector<MachineWords>, std::vector<MachineWords>> differing(StateView a, StateView b);
  /// One step, carried out, with what happens in it.
  Applied step_with_log(StateView state, const MachineWords& m, std::span<const std::uint32_t> values, Vm::Missing missing, StepResult& out,
                        Word* next, std::vector<LogEntry>& log);
  bool can_run(std::uint32_t config, std::uint32_t inbox);
  Vm& vm() { return vm_; }
  const Layout& layout() const { return layout_; }

  /// Carries a step out: writes the next state to `out`. What fails on the way is left in `failure`, with the log if there is one.
  Applied apply(StateView state, std::uint32_t slot, const StepCache::Outcome& step, std::span<const Effect> effects, Word* out, std::vector<LogEntry>* log = nullptr);
  const Failure& failure() const { return failure_; }
  /// For states in which no machine can run and none waits: the number of a spec that was left hot, if any; World::kFormula: the formula does not hold.
  std::optional<std::uint32_t> hot_at_end(StateView state);

 private:
  enum class Listing { kAll, kFirst };  // kFirst: enough to know whether it is local; data choices are not gone through
  void remember(const StepResult& result);
  void add_outcome(std::uint32_t config, const StepResult& result, StepCache::Entry& entry);
  StepCache::Entry steps_of(const MachineWords& m, bool exclusive, Listing listing, abi::Cursor& cursor);
  bool may_crash_late(bool passed, std::span<const Effect> effects) const;
  /// As `apply`; but a step that passed over points and fails by a monitor is taken to its first point only.
  Applied carry_out(StateView state, const MachineWords& m, const StepCache::Outcome& o, std::span<const Effect> effects,
                    std::span<const std::uint32_t> values, Word* out);
  void add_successors(StateView state, const MachineWords& m, bool exclusive, abi::Expansion& out);
  std::uint32_t second_key(std::uint32_t inbox);
  std::uint32_t machines_in(StateView state);
  void count_machines(StateView state);
  /// What the machines of a chunk can do, one bit for each.
  struct ChunkSurvey {
    std::uint64_t open, alive, idle;
  };
  ChunkSurvey survey_of(Rest::Chunk chunk);
  /// Calls f(machine) for each machine that can run, and blocked(n) for the others that are blocked. Thousands of machines that cannot run cost little.
  template <class Function, class Blocked>
  void for_each_open(StateView state, Function&& f, Blocked&& blocked);
  /// Returns the machine that must run next (slot + 1; 0: none): a machine at a data choice in the middle of a step, or one whose next step
  /// is local.
  std::uint32_t goes_first(StateView state);
  bool is_local(std::uint32_t config, const StepResult& result) const;
  void note_local(std::uint32_t config, const StepResult& result, StepCache::Entry& entry) const;
  /// Requires: a local step.
  bool may_go_first(StateView state, std::uint32_t slot, const StepCache::Entry& step);
  bool is_deep(std::uint32_t slot);
  std::uint32_t append(std::uint32_t inbox, std::uint32_t message);
  bool enqueue(std::uint32_t slot, std::uint32_t& config, std::uint32_t& inbox, std::uint32_t message);
  bool tell_monitors(Word* out, const Effect& told, std::vector<LogEntry>* log);
  void tell_formula(Word* out, std::uint32_t event);
  std::span<const std::uint32_t> states_of_specs(const Word* state);
  bool ignores(std::uint32_t slot);

  // references.cc
  /// Where references to machines are kept.
  struct Holder {
    enum class Kind : std::uint8_t { kMachine, kInbox, kMonitor };
    Kind kind;
    std::uint32_t monitor = 0;
    std::uint64_t key() const { return static_cast<std::uint64_t>(kind) | std::uint64_t{monitor} << 2; }
  };
  /// The slots that it refers to. Valid until the next call.
  std::span<const std::uint32_t> referred(Holder holder, std::uint32_t word);
  bool lets_go(StateView before, std::uint32_t slot, StateView after);
  void put(Word* state, const MachineWords& m);
  void forget_the_dead(Word* state);
  void take_out(Word* state, std::uint32_t slot);
  // adoption.cc
  std::vector<std::uint32_t> dead_creators(StateView state);
  SlotNames slots_after_adoption(StateView before, StateView state, std::uint32_t dead);
  bool rename(Word* state, const SlotNames& names);
  /// Lets machines far down a chain of creators that have halted move up. `before`: the state before the step.
  void shorten_chains(StateView before, Word* state);

  World& world_;
  Layout layout_;
  Vm vm_;
  StepCache steps_;
  bool met_limit_ = false;  // what failed by a limit of ours need not fail when the step is taken again
  SmallCache appended_, can_run_, observed_;
  KeyTable<ChunkSurvey> surveys_;  // by id of the chunk
  Rest rest_;
  StepResult result_;
  Failure failure_;
  std::vector<std::int8_t> ignores_;  // by slot: -1 not known
  std::vector<std::int8_t> is_deep_;  // the same
  abi::Cursor own_cursor_{};
  const abi::Cursor* cursor_ = &own_cursor_;
  std::uint32_t counted_ = 1;
  bool notes_heard_;
  std::vector<Heard> heard_;
  abi::Marks marks_{};  // of the last step
  std::vector<std::uint32_t> created_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> renamed_;
  std::vector<std::uint32_t> spec_states_;
  KeyTable<std::uint32_t> referred_;                       // to a number in `references_`
  std::vector<std::vector<std::uint32_t>> references_;
  std::uint32_t known_ = 0;     // machines, when the last step began
  std::uint32_t machines_ = 0;  // of the state that is looked at; kept up to date only where World::numbered
  PLedger ledger_;
};

}  // namespace tarry::plang
