// Inside of the reference interpreter: one execution, its machines and monitors, and what their code can ask of it.
//
// Code runs on the coroutine of its machine; monitors run on that of the machine whose event they see. Four exceptions end code
// early; none of them leaves its coroutine.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/p_reference/coroutine.h"
#include "tests/support/p_reference/interpreter.h"
#include "tests/support/p_reference/values.h"

namespace tarry::plang::reference {

struct Message {
  const Event* event;
  Value payload;
};

/// What a handler ended with: `raise event` or `goto target`.
struct Request {
  const Event* event;   // null: a goto
  const State* target;  // null: a raise
  Value payload;
};

struct Unwind {
  Request request;
};
struct Failure {
  std::string r_class;
  std::string message;
  Place place;
};
struct BoundReached {};
struct Cancelled {};  // the execution is over

[[noreturn]] void fail(const char* r_class, Place place, std::string message);

/// A machine or a monitor.
struct Instance {
  explicit Instance(const Machine& machine);
  /// What the current state does with the event; null: nothing said.
  const Handler* handler(const Event& event) const { return current->table[event.index]; }
  bool handles_as(const Event& event, Handler::Kind kind) const;

  const Machine* definition;
  const State* current;
  Values fields;
};

struct MonitorInstance : Instance {
  explicit MonitorInstance(const AttachedMonitor& attached) : Instance(*attached.monitor), attachment(&attached) {}
  bool observes(const Event& event, const Interface& sender) const;

  const AttachedMonitor* attachment;
};

enum class Status : std::uint8_t { kNew, kRunning, kIdle, kBlocked, kHalted };

struct MachineInstance : Instance {
  explicit MachineInstance(const Machine& machine) : Instance(machine) {}
  bool enabled() const { return status == Status::kNew || status == Status::kRunning; }

  std::uint32_t id = 0;
  std::vector<std::uint32_t> path;
  std::uint32_t children = 0;
  const Interface* interface = nullptr;  // that it was created through
  Value constructor_payload;
  Status status = Status::kNew;
  std::deque<Message> inbox;
  std::optional<Request> raised;
  const Stmt* waiting = nullptr;  // kBlocked: its receive
  std::optional<Message> handed;  // to the one that was blocked
  std::unique_ptr<Coroutine> code;
};

class Execution {
 public:
  Execution(const CheckedProgram& program, const TestCase& test, Chooser& chooser, std::uint64_t max_steps, StepHook* hook,
            AtBound at_bound);
  RunResult run();

  // For the code of machines. `place` is where failures are told to be.
  Value create(MachineInstance& creator, const Interface& named, Value payload, Place place);
  void send(MachineInstance& sender, const Value& target, const Value& event, Value payload, Place place);
  void announce(MachineInstance& sender, const Value& event, const Value& payload, Place place);
  Message receive(MachineInstance& machine, const Stmt& receive);
  bool choose_boolean();
  std::uint64_t choose_below(std::uint64_t n);
  /// A scheduling point: returns when the machine is chosen again.
  void point(MachineInstance& machine);

  // For the code of monitors too.
  Value param(const Variable& param) const;
  std::string text(const Value& value) const;
  void log(std::string line) { result_.log.push_back(std::move(line)); }
  std::string name(const Instance& instance) const;
  const CheckedProgram& program() const { return program_; }
  /// Counts a statement. Code that takes very many of them without a scheduling point or choice fails.
  void burn_fuel(Place place);

 private:
  void start();
  void schedule();
  void finish();
  void stop_everyone();
  MachineInstance& add_machine(const Interface& interface, Value payload, MachineInstance* creator);
  void run_code(MachineInstance& machine);
  void enqueue(MachineInstance& target, Message message);
  void observe(const MachineInstance& sender, const Message& message);
  std::uint32_t decide(const std::vector<std::uint32_t>& enabled);
  void count_step(Decision::Kind kind, std::uint64_t value);
  void test_bound() const;
  std::string state_text() const;

  const CheckedProgram& program_;
  const TestCase& test_;
  Chooser& chooser_;
  std::uint64_t max_steps_;
  StepHook* hook_;
  AtBound at_bound_;
  RunResult result_;
  bool over_ = false;
  std::uint64_t fuel_ = 0;
  std::vector<std::unique_ptr<MachineInstance>> machines_;  // by id - 1
  std::vector<std::unique_ptr<MonitorInstance>> monitors_;
};

/// The loop of 4.2: all that a machine does in its life.
void live(Execution& execution, MachineInstance& machine);

/// 4.9: runs the entry of the start state, and what follows from it.
void start_monitor(Execution& execution, MonitorInstance& monitor);
void monitor_event(Execution& execution, MonitorInstance& monitor, const Message& message);

}  // namespace tarry::plang::reference
