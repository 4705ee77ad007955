// One execution: the start of 4.1, the scheduling points and steps of 4.3, and what machines do to each other (4.5 to 4.7).
#include "tests/support/p_reference/execution.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "tests/support/fewer.h"
#include "tests/support/p_reference/text.h"

namespace tarry::plang::reference {

void fail(const char* r_class, Place place, std::string message) { throw Failure{r_class, std::move(message), place}; }

Instance::Instance(const Machine& machine) : definition(&machine), current(machine.start) {
  for (const auto& field : machine.fields) fields.push_back(default_of(*field->type));
}

bool Instance::handles_as(const Event& event, Handler::Kind kind) const {
  const Handler* found = handler(event);
  return found != nullptr && found->kind == kind;
}

bool MonitorInstance::observes(const Event& event, const Interface& sender) const {
  const auto& watched = attachment->interfaces;
  return definition->observe_set->contains(event.index) && std::find(watched.begin(), watched.end(), &sender) != watched.end();
}

Execution::Execution(const CheckedProgram& program, const TestCase& test, Chooser& chooser, std::uint64_t max_steps, StepHook* hook,
                     AtBound at_bound)
    : program_(program), test_(test), chooser_(chooser), max_steps_(max_steps), hook_(hook), at_bound_(at_bound) {}

RunResult Execution::run() {
  try {
    start();
    schedule();
    if (result_.end == RunResult::kTerminated) finish();
  } catch (const Failure& failure) {
    result_.end = RunResult::kFailed;
    result_.r_class = failure.r_class;
    result_.message = failure.message;
    result_.place = failure.place;
  } catch (const BoundReached&) {
    result_.end = RunResult::kCut;
  }
  stop_everyone();
  return std::move(result_);
}

// ------------------------------------------------------------------------------------------------------ start, end, steps

void Execution::start() {
  for (const AttachedMonitor& attached : test_.monitors) {
    if (attached.monitor->start == nullptr) {
      fail("R20", attached.monitor->name.place, "monitor '" + attached.monitor->name.text + "' has no start state");
    }
    monitors_.push_back(std::make_unique<MonitorInstance>(attached));
    start_monitor(*this, *monitors_.back());
  }
  decide({0});  // the root task creates the main machine
  add_machine(*test_.main, {Null{}}, nullptr);
}

void Execution::schedule() {
  while (result_.end == RunResult::kTerminated) {
    if (hook_ != nullptr) hook_->state(state_text());
    std::vector<std::uint32_t> enabled;
    for (const auto& machine : machines_) {
      if (machine->enabled()) enabled.push_back(machine->id);
    }
    if (enabled.empty()) return;
    MachineInstance& next = *machines_[decide(enabled) - 1];
    next.status = Status::kRunning;
    fuel_ = 0;
    next.code->resume();
  }
}

/// No machine is enabled.
void Execution::finish() {
  for (const auto& machine : machines_) {
    if (machine->status == Status::kBlocked)
      fail("R08", machine->waiting->place, "deadlock: '" + name(*machine) + "' waits for ever");
  }
  for (const auto& monitor : monitors_) {
    const State& state = *monitor->current;
    if (monitor->definition->kind == Machine::Kind::kSpec && state.temperature == Temperature::kHot) {
      fail("R09", state.name.place, "'" + name(*monitor) + "' is in its hot state '" + state.name.text + "' at the end");
    }
  }
}

void Execution::stop_everyone() {
  over_ = true;
  for (const auto& machine : machines_) {
    if (machine->code->started() && !machine->code->ended()) machine->code->resume();
  }
}

void Execution::test_bound() const {
  if (result_.steps < max_steps_) return;
  if (at_bound_ == AtBound::kFail) fail("R22", {}, "the bound of " + std::to_string(max_steps_) + " steps is reached");
  throw BoundReached{};
}

void Execution::count_step(Decision::Kind kind, std::uint64_t value) {
  ++result_.steps;
  result_.decisions.push_back({kind, value});
}

std::uint32_t Execution::decide(const std::vector<std::uint32_t>& enabled) {
  test_bound();
  const std::uint32_t id = chooser_.machine(enabled);
  TARRY_ASSERT(std::find(enabled.begin(), enabled.end(), id) != enabled.end());
  count_step(Decision::kMachine, id);
  return id;
}

bool Execution::choose_boolean() {
  test_bound();
  const bool value = chooser_.boolean();
  count_step(Decision::kBool, value ? 1 : 0);
  fuel_ = 0;
  return value;
}

std::uint64_t Execution::choose_below(std::uint64_t n) {
  test_bound();
  const std::uint64_t value = chooser_.integer(n);
  TARRY_ASSERT(value < n);
  count_step(Decision::kInt, value);
  fuel_ = 0;
  return value;
}

void Execution::burn_fuel(Place place) {
  // Under AddressSanitizer what a thrown `raise` leaves of its frames makes every further call slower.
  constexpr std::uint64_t kMost = test::fewer(1'000'000u);
  if (++fuel_ > kMost) fail("R23", place, std::to_string(kMost) + " statements without a scheduling point");
}

void Execution::point(MachineInstance& machine) {
  machine.code->stop();
  if (over_) throw Cancelled{};
}

// ----------------------------------------------------------------------------------------------------- creating, running

MachineInstance& Execution::add_machine(const Interface& interface, Value payload, MachineInstance* creator) {
  machines_.push_back(std::make_unique<MachineInstance>(*test_.bindings[interface.index]));
  MachineInstance& machine = *machines_.back();
  machine.id = static_cast<std::uint32_t>(machines_.size());
  if (creator != nullptr) machine.path = creator->path;
  machine.path.push_back(creator == nullptr ? 0 : creator->children++);
  machine.interface = &interface;
  machine.constructor_payload = std::move(payload);
  machine.code = std::make_unique<Coroutine>([this, &machine] { run_code(machine); });
  log("create " + name(machine) + (creator == nullptr ? "" : " by " + name(*creator)));
  return machine;
}

void Execution::run_code(MachineInstance& machine) {
  try {
    live(*this, machine);
  } catch (const Failure& failure) {
    result_.end = RunResult::kFailed;
    result_.r_class = failure.r_class;
    result_.message = failure.message;
    result_.place = failure.place;
  } catch (const BoundReached&) {
    result_.end = RunResult::kCut;
  } catch (const Cancelled&) {
  }
}

Value Execution::create(MachineInstance& creator, const Interface& named, Value payload, Place place) {
  const Interface* created = test_.links[creator.interface->index][named.index];
  if (created == nullptr || test_.bindings[created->index] == nullptr) {
    fail("R21", place, "'" + name(creator) + "' cannot create '" + named.name.text + "'");
  }
  point(creator);
  const MachineInstance& machine = add_machine(*created, std::move(payload), &creator);
  return {Reference{machine.id, created->receive_set}};
}

// -------------------------------------------------------------------------------------------------------------- messages

void Execution::send(MachineInstance& sender, const Value& target, const Value& event, Value payload, Place place) {
  if (event.is_null()) fail("R04", place, "null is sent");
  if (target.is_null()) fail("R05", place, "the target is null");
  const Message message{*event.get<const Event*>(), std::move(payload)};
  const Reference& reference = *target.get<Reference>();
  const std::string& event_name = message.event->name.text;
  if (!sender.definition->send_set->contains(message.event->index)) {
    fail("R06", place, "'" + name(sender) + "' may not send '" + event_name + "'");
  }
  if (!reference.permissions->contains(message.event->index)) {
    fail("R07", place, "the reference does not permit '" + event_name + "'");
  }
  MachineInstance& receiver = *machines_[reference.id - 1];
  log("send " + name(sender) + " " + name(receiver) + " " + event_name + " " + text(message.payload));
  observe(sender, message);
  point(sender);
  enqueue(receiver, message);
}

void Execution::announce(MachineInstance& sender, const Value& event, const Value& payload, Place place) {
  if (event.is_null()) fail("R04", place, "null is announced");
  const Message message{*event.get<const Event*>(), payload};
  log("announce " + name(sender) + " " + message.event->name.text + " " + text(payload));
  observe(sender, message);
}

void Execution::observe(const MachineInstance& sender, const Message& message) {
  for (const auto& monitor : monitors_) {
    if (monitor->observes(*message.event, *sender.interface)) monitor_event(*this, *monitor, message);
  }
}

namespace {

bool waits_for(const Stmt& receive, const Event& event) {
  if (event.index == kHaltEvent) return true;
  return std::any_of(receive.cases.begin(), receive.cases.end(),
                     [&](const ReceiveCase& c) { return std::find(c.events.begin(), c.events.end(), &event) != c.events.end(); });
}

}  // namespace

void Execution::enqueue(MachineInstance& target, Message message) {
  if (target.status == Status::kHalted) return;
  if (target.status == Status::kBlocked && waits_for(*target.waiting, *message.event)) {
    target.handed = std::move(message);
    target.status = Status::kRunning;
    return;
  }
  target.inbox.push_back(std::move(message));
  if (target.status != Status::kIdle) return;
  const bool work = std::any_of(target.inbox.begin(), target.inbox.end(), [&](const Message& m) {
    return !target.handles_as(*m.event, Handler::Kind::kIgnore) && !target.handles_as(*m.event, Handler::Kind::kDefer);
  });
  if (work) target.status = Status::kRunning;
}

Message Execution::receive(MachineInstance& machine, const Stmt& receive) {
  const auto found =
      std::find_if(machine.inbox.begin(), machine.inbox.end(), [&](const Message& m) { return waits_for(receive, *m.event); });
  if (found != machine.inbox.end()) {
    Message message = std::move(*found);
    machine.inbox.erase(found);
    point(machine);
    log("receive " + name(machine) + " " + message.event->name.text);
    return message;
  }
  machine.status = Status::kBlocked;
  machine.waiting = &receive;
  point(machine);
  Message message = std::move(*machine.handed);
  machine.handed.reset();
  machine.waiting = nullptr;
  log("receive " + name(machine) + " " + message.event->name.text);
  return message;
}

// ----------------------------------------------------------------------------------------------------------------- texts

Value Execution::param(const Variable& param) const {
  const std::optional<std::int64_t>& given = test_.params[param.index];
  if (!given) return default_of(*param.type);
  if (param.type->kind == TypeKind::kBool) return {*given != 0};
  return {*given};
}

std::string Execution::name(const Instance& instance) const {
  if (instance.definition->is_monitor()) return instance.definition->name.text;
  const auto& machine = static_cast<const MachineInstance&>(instance);
  return machine.interface->name.text + "(" + std::to_string(machine.id) + ")";
}

std::string Execution::text(const Value& value) const {
  return printed(value, [this](std::uint32_t id) { return name(*machines_[id - 1]); });
}

namespace {

std::string path_text(const MachineInstance& machine) {
  std::string out;
  for (const std::uint32_t n : machine.path) out += (out.empty() ? "" : ".") + std::to_string(n);
  return out;
}

const char* status_text(Status status) {
  switch (status) {
    case Status::kNew: return "new";
    case Status::kRunning: return "running";
    case Status::kIdle: return "idle";
    case Status::kBlocked: return "blocked";
    case Status::kHalted: return "halted";
  }
  return "";
}

std::string fields_text(const Instance& instance, const NameOfMachine& name) {
  std::string out;
  for (std::size_t i = 0; i < instance.fields.size(); ++i) {
    out += (i == 0 ? "" : ", ") + instance.definition->fields[i]->name.text + "=" + canonical(instance.fields[i], name);
  }
  return "{" + out + "}";
}

std::string inbox_text(const MachineInstance& machine, const NameOfMachine& name) {
  std::string out;
  for (const Message& message : machine.inbox) {
    out += (out.empty() ? "" : ", ") + message.event->name.text;
    if (!message.payload.is_null()) out += "(" + canonical(message.payload, name) + ")";
  }
  return "[" + out + "]";
}

}  // namespace

std::string Execution::state_text() const {
  const NameOfMachine name = [this](std::uint32_t id) { return "@" + path_text(*machines_[id - 1]); };
  std::vector<const MachineInstance*> sorted;
  for (const auto& machine : machines_) sorted.push_back(machine.get());
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->path < b->path; });
  std::string out;
  for (const MachineInstance* machine : sorted) {
    out += path_text(*machine) + " " + machine->definition->name.text + " " + status_text(machine->status);
    if (machine->status != Status::kHalted) {
      out += " " + machine->current->name.text + " " + fields_text(*machine, name) + " " + inbox_text(*machine, name);
    }
    out += "\n";
  }
  for (const auto& monitor : monitors_) {
    out += "monitor " + monitor->definition->name.text + " " + monitor->current->name.text + " " + fields_text(*monitor, name) +
           "\n";
  }
  return out;
}

RunResult run(const CheckedProgram& program, const TestCase& test, Chooser& chooser, std::uint64_t max_steps, StepHook* hook,
              AtBound at_bound) {
  return Execution(program, test, chooser, max_steps, hook, at_bound).run();
}

}  // namespace tarry::plang::reference
