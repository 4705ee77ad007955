// Most is in the log of a step. What a machine does with events that it leaves alone is not: that is read off its inbox, which is
// followed through the step event by event, as the machine looks through it.
#include "plang/trace/coverage.h"

#include <algorithm>
#include <deque>

#include "base/rng.h"
#include "plang/vm/follow.h"
#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

class Gatherer {
 public:
  Gatherer(const World& world, Coverage& out)
      : world_(world), out_(out), place_(world.code.program->machines.size(), ~std::size_t{0}) {
    std::vector<const Machine*> machines;
    for (const Machine* machine : world.code.program->machines)
      if (std::find(world.test.bindings.begin(), world.test.bindings.end(), machine) != world.test.bindings.end())
        machines.push_back(machine);
    for (const AttachedMonitor& attached : world.test.monitors) {
      machines.push_back(attached.monitor);
      if (attached.monitor->kind == Machine::Kind::kScenario) out.scenarios.push_back({attached.monitor, 0, 0});
    }
    for (const Machine* machine : machines) {
      place_[machine->index] = out.machines.size();
      out.machines.push_back({machine, 0, std::vector<StateUse>(machine->states.size())});
    }
  }

  void begin() {
    where_.clear();
    monitors_.assign(world_.monitors(), {});
    use_of(*world_.machine_in(0).source).created++;
    for (std::uint32_t m = 0; m < world_.monitors(); ++m) use_of(*world_.monitor(m).source).created++;
  }

  void end() {
    for (std::uint32_t m = 0; m < world_.monitors(); ++m)
      for (ScenarioUse& scenario : out_.scenarios) {
        if (scenario.source != world_.monitor(m).source) continue;
        scenario.satisfied += monitors_[m].satisfied ? 1 : 0;
        scenario.most_states = std::max<std::uint64_t>(scenario.most_states, monitors_[m].visited.size());
      }
  }

  void add(const LogEntry& e) {
    StateUse& state = use_of(*e.state);
    EventUse& event = state.events[e.event];
    switch (e.act) {
      case Act::kCreate: use_of(*world_.machine_in(e.other).source).created++; break;
      case Act::kSend: event.sent++; break;
      case Act::kAnnounce: event.announced++; break;
      case Act::kRaise:
        event.raised++;
        if (!e.of_monitor) handled(*e.state, e.event);
        break;
      case Act::kDequeue:
      case Act::kDefault: event.handled++; break;
      case Act::kObserve:
        if (e.of_monitor) monitors_[e.who].observed = true;
        handled(*e.state, e.event);
        break;
      case Act::kReceive: event.received++; break;
      case Act::kEnter: entered(e); break;
      default: break;
    }
  }

  /// What a state does with an event that comes up: a raised one, or one that a monitor is told of.
  void handled(const State& state, std::uint32_t event) {
    const Handler* const handler = state.table[event];
    if (handler == nullptr) return;
    EventUse& use = use_of(state).events[event];
    if (handler->kind == Handler::Kind::kIgnore) use.ignored++;
    else if (handler->kind == Handler::Kind::kDefer) use.deferred++;
    else use.handled++;
  }

  /// An event in the inbox that the machine has looked at, or need not look at.
  void left_alone(const State& state, std::uint32_t event) {
    const Handler* const handler = state.table[event];
    if (handler != nullptr && (handler->kind == Handler::Kind::kDefer || handler->kind == Handler::Kind::kIgnore))
      handled(state, event);
  }

 private:
  struct MonitorRun {
    bool observed = false, satisfied = false;
    std::set<std::uint32_t> visited;
  };

  MachineUse& use_of(const Machine& machine) { return out_.machines[place_[machine.index]]; }
  StateUse& use_of(const State& state) { return use_of(*state.machine).states[state.index]; }

  void entered(const LogEntry& e) {
    StateUse& state = use_of(*e.state);
    state.entered++;
    const State*& before = where_[{e.of_monitor, e.who}];
    if (before != nullptr) {
      state.previous.insert(before->index);
      use_of(*before).next.insert(e.state->index);
    }
    before = e.state;
    if (!e.of_monitor) return;
    MonitorRun& run = monitors_[e.who];
    run.visited.insert(e.state->index);
    run.satisfied |= run.observed && e.state->temperature == Temperature::kCold;
  }

  const World& world_;
  Coverage& out_;
  std::vector<std::size_t> place_;                                // by index of the machine: in out_.machines
  std::map<std::pair<bool, std::uint32_t>, const State*> where_;  // of each machine and monitor of the execution
  std::vector<MonitorRun> monitors_;
};

/// One execution after the other.
class Runner {
 public:
  Runner(const PProgram& program, Gatherer& gatherer)
      : world_(program.world()),
        layout_(program.layout()),
        space_(program.world(), layout_),
        gatherer_(gatherer),
        state_(layout_.words()),
        next_(layout_.words()) {}

  /// Gives the number of its steps.
  std::uint64_t run(Rng rng, std::uint64_t most, const std::function<void()>& beat) {
    gatherer_.begin();
    std::vector<LogEntry> log;
    for (std::uint32_t m = 0; m < layout_.monitors(); ++m) space_.vm().start_monitor(m, &log);
    for (const LogEntry& entry : log) gatherer_.add(entry);
    std::uint64_t steps = 0;
    if (space_.initial(state_.data()).kind.empty())
      while (steps < most && step(rng)) {
        ++steps;
        beat();
      }
    gatherer_.end();
    return steps + 1;
  }

 private:
  /// False: the execution is over.
  bool step(Rng& rng) {
    std::vector<PSpace::MachineWords> open;
    const std::uint32_t only = state_[layout_.exclusive()];
    space_.for_each_machine(state_, [&](const PSpace::MachineWords& m) {
      if ((only == 0 || only == m.slot + 1) && space_.can_run(m.config, m.inbox)) open.push_back(m);
    });
    if (open.empty()) return false;
    const PSpace::MachineWords m = open[rng.below(open.size())];
    std::vector<std::uint32_t> values;
    std::vector<LogEntry> log;
    StepResult result;
    PSpace::Applied applied;
    for (;; values.push_back(static_cast<std::uint32_t>(rng.below(result.arity)))) {
      applied = space_.step_with_log(state_, m, values, Vm::Missing::kAsk, result, next_.data(), log);
      if (result.end != StepResult::End::kNeedsValue) break;
    }
    if (!applied.failed) look_through_inbox(m, result, log);
    for (const LogEntry& entry : log) gatherer_.add(entry);
    for (const Effect& effect : result.effects)
      if (effect.kind == Effect::Kind::kEnqueue) look_at_arrival(effect);
    std::swap(state_, next_);
    return !applied.failed;
  }

  const State& state_of(std::uint32_t slot, std::uint32_t config) {
    return *world_.machine_in(slot).states[space_.vm().view(config).state].source;
  }

  /// An idle machine leaves alone what it is not interested in, and is not even woken.
  void look_at_arrival(const Effect& effect) {
    const auto target = space_.machine(state_, effect.a);
    if (standing(target.config) == Standing::kIdle)
      gatherer_.left_alone(state_of(effect.a, target.config), space_.vm().event_of(effect.b));
  }

  void look_through_inbox(const PSpace::MachineWords& m, const StepResult& result, const std::vector<LogEntry>& log) {
    Vm& vm = space_.vm();
    std::deque<std::uint32_t> inbox;
    for (const std::uint32_t item : vm.inbox(m.inbox)) inbox.push_back(item);
    for (const Effect& effect : result.effects)
      if (effect.kind == Effect::Kind::kSelf) inbox.push_back(effect.b);
    bool held = vm.view(m.config).holds.has_value();  // taken from the inbox in an earlier step
    for (const LogEntry& e : log) {
      if (e.of_monitor || (e.act != Act::kDequeue && e.act != Act::kReceive)) continue;
      if (e.act == Act::kDequeue && std::exchange(held, false)) continue;
      const auto found = std::find_if(inbox.begin(), inbox.end(), [&](std::uint32_t id) {
        return vm.event_of(id) == e.event && vm.payload_of(id) == e.payload;
      });
      if (found == inbox.end()) continue;
      if (e.act == Act::kDequeue)  // everything before it was left alone
        for (auto at = inbox.begin(); at != found; ++at) gatherer_.left_alone(*e.state, vm.event_of(*at));
      inbox.erase(found);
    }
    if (standing(result.config) != Standing::kIdle) return;
    const State& state = state_of(m.slot, result.config);
    for (const std::uint32_t id : inbox) gatherer_.left_alone(state, vm.event_of(id));
  }

  const World& world_;
  Layout layout_;
  PSpace space_;
  Gatherer& gatherer_;
  std::vector<Word> state_, next_;
};

}  // namespace

Coverage cover(const PProgram& program, const CoverageOptions& options, const std::vector<Finding>& findings,
               const std::function<void()>& beat) {
  Coverage out;
  out.test = program.world().test.name;
  out.seed = options.seed;
  out.findings = findings.size();
  Gatherer gatherer(program.world(), out);
  Runner runner(program, gatherer);
  for (std::uint64_t steps = 0; out.executions < options.executions && steps < options.steps_in_all; ++out.executions)
    steps += runner.run(Rng(options.seed, out.executions), options.steps_each, beat);
  for (const Finding& finding : findings) {
    gatherer.begin();
    const auto add = [&](const std::vector<LogEntry>& log) {
      for (const LogEntry& entry : log) gatherer.add(entry);
    };
    follow(
        program, finding.schedule, [&](const FollowedStep& step) { beat(), add(step.log); }, add);
    gatherer.end();
  }
  return out;
}

std::vector<HandlerUse> handlers_of(const MachineUse& machine) {
  std::vector<HandlerUse> out;
  for (const auto& state : machine.source->states)
    for (std::uint32_t event = 0; event < state->table.size(); ++event) {
      const Handler* const handler = state->table[event];
      if (handler == nullptr) continue;
      const auto& events = machine.states[state->index].events;
      const auto use = events.find(event);
      std::uint64_t count = 0;
      if (use != events.end())
        count = handler->kind == Handler::Kind::kDefer    ? use->second.deferred
                : handler->kind == Handler::Kind::kIgnore ? use->second.ignored
                                                          : use->second.handled;
      out.push_back({state.get(), handler, event, count});
    }
  return out;
}

}  // namespace tarry::plang
