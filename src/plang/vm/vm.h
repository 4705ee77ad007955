// Runs the code of one machine or monitor at a time. One Vm per worker.
//
// The machine loop (machine_loop.cc) decides what to run, the interpreter (execute.cc) runs it, config.cc takes a machine apart into words and
// puts it together again. A step starts where the machine stopped and goes on to its next scheduling point.
//
// Scheduling points that only separate local actions are passed over (Points::kNeeded): what lies between two of them commutes with everything that other
// machines do, unless it touches a monitor after something of the same step was visible to others. A step that fails is taken again from point to
// point, so that it does not hide what others could have done before the failure. It keeps the values that led to the failure, though it may come to use
// only the first of them, or none: the move is the same in the search and in a replay.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tarry/model_abi.h>

#include "plang/vm/compact.h"
#include "plang/vm/renaming.h"
#include "plang/vm/step.h"
#include "plang/vm/value_heap.h"
#include "plang/vm/value_operations.h"
#include "plang/vm/world.h"

namespace tarry::plang {

class Vm {
 public:
  explicit Vm(World& world);

  /// A machine that has just been created.
  std::uint32_t fresh(std::uint32_t slot, std::uint32_t interface, Value payload);

  /// Could the machine take a step?
  bool can_run(std::uint32_t config, std::uint32_t inbox);
  /// Does its next step depend on whether its inbox is empty? (a state with "on null")
  bool minds_empty_inbox(std::uint32_t config) const;
  /// Would an idle machine that has nothing to do drop the event at its next look? Then it can as well be dropped on arrival.
  bool drops(std::uint32_t config, std::uint32_t message);

  enum class Missing { kAsk, kZero };  // a data choice that is not given: end with kNeedsValue, or take 0
  enum class Pace { kUsual, kSingle };  // kSingle: to the next point of the reference, whatever the world says
  /// Where a step starts.
  struct Start {
    std::uint32_t machines;  // how many have been created so far; counts only where World::numbered
    std::uint32_t config, inbox;
    bool exclusive;          // the machine stopped at a data choice
  };
  /// How it is taken.
  struct Way {
    std::span<const std::uint32_t> values = {};  // data choices
    Missing missing = Missing::kZero;
    std::vector<LogEntry>* log = nullptr;
    Pace pace = Pace::kUsual;
  };
  /// Requires: the machine can run.
  void step(const Start& start, const Way& way, StepResult& out);
  /// The step once for each combination of its data choices, in ascending order. It is forked where it chooses, not run from its start.
  std::span<const StepResult> steps(const Start& start);

  // Monitors: words of their configuration in, and out.
  struct MonitorResult {
    std::uint32_t config = 0;
    std::optional<Failure> failure;
    bool cooled = false;  // it entered a cold state, be it to leave it at once
  };
  MonitorResult start_monitor(std::uint32_t number, std::vector<LogEntry>* log = nullptr);
  MonitorResult observe(std::uint32_t number, std::uint32_t config, std::uint32_t message, std::vector<LogEntry>* log = nullptr);

  // Messages and inboxes.
  std::uint32_t message(std::uint32_t event, Value payload);
  std::uint32_t append(std::uint32_t inbox, std::uint32_t message);
  std::span<const std::uint32_t> inbox(std::uint32_t id) const;
  std::uint32_t event_of(std::uint32_t message) const { return static_cast<std::uint32_t>(pool().words(message)[0]); }
  Value payload_of(std::uint32_t message) const { return Value::from_bits(pool().words(message)[1]); }

  /// A configuration, to look at.
  struct View {
    std::uint32_t slot, interface, state;
    const char* doing;  // "not started", "running", "idle", "waiting", "halted"
    std::vector<std::uint64_t> fields;
    Place place;        // where it is in its code, if it is
    bool in_code;
    const ReceiveTable* waits_for;
    std::optional<std::uint32_t> holds;  // an event that was taken from the inbox and not handled yet
    Value held_payload;
  };
  View view(std::uint32_t config) const;
  std::uint32_t monitor_state(std::uint32_t config) const;
  std::vector<std::uint64_t> monitor_fields(std::uint32_t number, std::uint32_t config) const;

  // Who refers to whom. (references.cc)
  /// The machine's n-th child is no more: its number is free.
  std::uint32_t without_child(std::uint32_t config, std::uint32_t nth);
  /// Adds the slots of all machines that are referred to by a machine's variables and what it is about to do; by the events of an inbox; by a monitor's variables.
  void referred_by_machine(std::uint32_t config, std::vector<std::uint32_t>& slots) const;
  void referred_by_inbox(std::uint32_t box, std::vector<std::uint32_t>& slots) const;
  void referred_by_monitor(std::uint32_t number, std::uint32_t config, std::vector<std::uint32_t>& slots) const;
  // The same with other slots. (renaming.cc)
  std::uint32_t renamed_machine(std::uint32_t config, Renaming& renaming);
  std::uint32_t renamed_inbox(std::uint32_t box, Renaming& renaming);
  std::uint32_t renamed_monitor(std::uint32_t number, std::uint32_t config, Renaming& renaming);

  /// Is told of data choices as they are made, for the report of a crash; may be null.
  abi::Cursor* cursor = nullptr;

  const World& world() const { return world_; }
  Heap& heap() { return heap_; }
  const Pool& pool() const { return *world_.code.pool; }
  Pool& pool() { return *world_.code.pool; }

 private:
  enum class Stage : std::uint8_t { kFresh, kCode, kIdle, kBlocked, kDequeued, kNullCheck, kNullFire, kHalted };
  /// What to do when the frames are gone.
  enum class After : std::uint8_t { kNothing, kLoop, kWith, kEnter, kUnhandled };
  struct Frame {
    std::uint32_t function;
    std::uint32_t pc;
    std::uint32_t base;
    bool operator==(const Frame&) const = default;
  };
  /// How a piece of code ended, or why it stopped.
  enum class Flow : std::uint8_t { kReturned, kRaised, kGoto, kStopped };

  struct Machine {
    std::uint32_t slot = 0, interface = 0, state = 0, children = 0;
    std::vector<std::uint32_t> free_children;  // numbers below `children` that no machine has any more, ascending
    Stage stage = Stage::kFresh;
    After after = After::kNothing;
    bool passed = false;  // the point at the current instruction
    std::uint32_t event = 0;
    std::uint32_t target = 0, function = kNone;  // of a transition that is under way
    Value payload{};
    const CodeMachine* code = nullptr;
    std::vector<Value> fields, stack;
    std::vector<Frame> frames;
    bool is_monitor = false;
    bool operator==(const Machine&) const = default;
  };

  // config.cc
  /// What a configuration begins with.
  struct Head {
    Stage stage;
    After after;
    bool passed, under_way;
    std::uint32_t state, slot, interface, children;
    std::vector<std::uint32_t> free;
  };
  static Head head(Unpacker& from);
  void pack(const Head& head);
  void pack_under_way(std::uint64_t transition, Value payload);
  const ReceiveTable* waits_for(const Head& head, const CodeMachine& code, Unpacker from) const;
  void become_monitor(std::uint32_t number);
  void load(std::uint32_t config);
  std::uint32_t save();
  void load_monitor(std::uint32_t number, std::uint32_t config);
  std::uint32_t save_monitor();

  // machine_loop.cc: each returns when the machine stops.
  void begin(const Start& start, const Way& way, StepResult& out);
  template <class Run>
  void finish(std::uint32_t inbox, Run&& run);
  void to_first_point(const Start& start, StepResult& out, std::vector<LogEntry>* log);
  void drive();
  void go_on();
  void fork(std::uint32_t count);
  struct Fork;
  void take_up(Fork& f);
  void code_ended(Flow flow);
  void loop();
  void scan(bool was_idle);
  void handle(std::uint32_t event, Value payload, bool was_raised);
  void transition(std::uint32_t target, std::uint32_t function, Value argument);
  void with_step();
  void enter();
  void halt();
  void start(std::uint32_t function, Value argument, After after);
  bool stops_here(bool touches);
  bool frames_touch() const;
  bool reaction_touches(const Reaction& reaction) const;
  void stop(Stage stage);
  bool run_monitor(std::uint32_t event, Value payload);

  // execute.cc
  Flow execute();
  void call(std::uint32_t function);
  void call_foreign(const Instr& instr);
  bool choose(std::uint64_t count, std::uint32_t& chosen, bool always_fair = false);
  Value choose_element(Op op, Value collection, bool& stopped);
  Flow send();
  void announce();
  bool create(const Instr& instr);
  std::uint32_t next_child();
  Flow receive(const Instr& instr);
  std::string formatted(const Format& format);

  // change.cc
  void change(const Instr& instr);
  Value& walk(const Path& path, Value& root, std::span<const Value> operands, std::size_t parts);
  void change_seq(Op op, Value& seq, Value index, Value value);

  // Values. (operations.cc)
  Value index_of(Op op, Value collection, Value key);
  bool contains(Op op, Value key, Value collection);
  Value keys_or_values(Op op, Value map);
  Value named_item(const Instr& instr, Value tuple);
  Value arithmetic(Op op, Value a, Value b);
  bool less(Op op, Value a, Value b);
  std::uint32_t size_of(Value collection);
  std::int64_t integer(Value v);
  double real(Value v);
  bool truth(Value v);
  void need(Value v, Tag tag, const char* what);
  void check_type(Value v, std::uint32_t type, const char* what);

  // recurrence.cc
  /// Where a step is, beside what its machine holds.
  struct Turn {
    enum class At : std::uint8_t { kBetween, kCode, kEvent, kTransition, kMonitor };
    At at = At::kBetween;  // kBetween: not everything is known that decides how the step goes on
    std::uint64_t detail = 0;
    Value argument{};
    bool operator==(const Turn&) const = default;
  };
  /// Counts a call or a turn of a loop.
  void count_turn(const Turn& turn) {
    if (--fuel_ == 0) [[unlikely]] look_for_recurrence(turn);
  }
  /// In code. The code of a monitor is followed by what only its run knows, so its runs are told apart.
  void count_in_code() { count_turn({Turn::At::kCode, m_.is_monitor ? monitor_runs_ : 0, {}}); }
  void look_for_recurrence(const Turn& turn);

  [[noreturn]] void fail(const char* r_class, std::string message);
  [[noreturn]] void meet_limit(std::string which);
  Failure limit_failure(std::string which) const;
  Failure limit_failure(const HeapFull& full) const;
  Failure failure(const char* r_class, std::string message, Place place) const;
  Place place() const;
  std::string text(Value v, TextFor purpose = TextFor::kPrint) { return text_of(heap_, v, world_, purpose); }
  // For the log, if there is one.
  void note_event(Act act, std::uint32_t event, Value payload);
  void note_state(Act act);
  void push(Value v) { m_.stack.push_back(v); }
  Value pop() {
    const Value v = m_.stack.back();
    m_.stack.pop_back();
    return v;
  }
  std::string name_of_self() const;

  World& world_;
  Heap heap_;
  Machine m_;

  // The step that runs.
  std::vector<std::uint32_t> inbox_;
  bool inbox_changed_ = false;
  bool visible_ = false;     // others could have noticed something
  bool stopped_ = false;
  std::span<const std::uint32_t> given_;
  Missing missing_ = Missing::kAsk;
  Pace pace_ = Pace::kUsual;
  StepResult* out_ = nullptr;
  std::vector<LogEntry>* log_ = nullptr;
  std::uint64_t fuel_ = 0;
  std::uint64_t branching_ = 1;
  std::uint32_t created_before_ = 0, created_ = 0;  // machines
  std::uint32_t monitor_ = 0;
  Packer packer_;

  /// A step that stands at a data choice, to be gone on with once for each value.
  struct Fork {
    Machine machine;
    std::vector<std::uint32_t> inbox;
    StepResult result;
    Heap::Mark mark;
    bool inbox_changed, visible;
    std::uint64_t fuel, branching;
    std::uint32_t created;
    std::uint32_t next, count;  // values
  };
  bool forking_ = false;
  std::vector<Fork> forks_;     // the first `open_forks_` of them
  std::size_t open_forks_ = 0;
  std::vector<StepResult> results_;
  std::vector<std::uint32_t> prefix_;

  /// Everything that decides how a step goes on: the step never ends if it comes there again.
  struct Situation {
    Turn turn;
    Machine machine;
    std::vector<std::uint32_t> inbox;
    std::size_t effects = 0;
    std::uint64_t foreign_calls = 0;  // a foreign function can have a memory of its own
  };
  Situation remembered_;
  std::uint64_t turns_looked_at_ = 0, remember_next_ = 0;
  std::uint64_t foreign_calls_ = 0, monitor_runs_ = 0;

  static constexpr std::uint64_t kFuel = 5'000'000;        // calls and turns of loops in one step, before it is looked at more closely
  static constexpr std::uint64_t kMostTurnsLookedAt = 1 << 17;
  static constexpr std::size_t kMaxFrames = 100'000;
  static constexpr std::size_t kMaxChoices = 8;       // in one step; the next one is a step of its own
  static constexpr std::uint64_t kMaxBranching = 4096;
};

}  // namespace tarry::plang
