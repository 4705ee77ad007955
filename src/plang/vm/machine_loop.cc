// The life of a machine (docs/p.md): entry, then event after event, raises and transitions in between.
//
// Nothing here recurses: each part leaves a frame to run, or stops the machine, or leaves nothing, which means "look for the next event".
#include <fmt/format.h>

#include "base/units.h"
#include "core/program.h"
#include "plang/vm/vm.h"

namespace tarry::plang {
namespace {

/// Thrown out of a step that fails; caught where the step began.
struct Failed {
  Failure failure;
};

/// Returns whether the step failed after points at which others could have run: then it is repeated to its first point only. A limit of Tarry's ends the
/// search anyway.
bool goes_too_far(const StepResult& result) {
  return result.end == StepResult::End::kFailed && result.passed > 0 && result.failure.kind != kLimitKind;
}

}  // namespace

void Vm::begin(const Start& start, const Way& way, StepResult& out) {
  heap_.reset();
  out.end = StepResult::End::kMoved;
  out.exclusive = false;
  out.effects.clear();
  out.values.clear();
  out.arities.clear();
  out.steps = start.exclusive ? 0 : 1;
  out.passed = out.fair = 0;
  out_ = &out;
  log_ = way.log;
  given_ = way.values;
  missing_ = way.missing;
  pace_ = way.pace;
  visible_ = stopped_ = inbox_changed_ = forking_ = false;
  fuel_ = kFuel;
  turns_looked_at_ = 0;
  branching_ = 1;
  created_before_ = start.machines;
  created_ = 0;
  const auto messages = inbox(start.inbox);
  inbox_.assign(messages.begin(), messages.end());
}

/// Runs it; what comes of it is in the result.
template <class Run>
void Vm::finish(std::uint32_t box, Run&& run) {
  StepResult& out = *out_;
  try {
    run();
    if (out.end != StepResult::End::kMoved) return;
    out.config = save();
    out.inbox = !inbox_changed_ ? box : inbox_.empty() ? 0 : pool().intern_list(inbox_);
  } catch (const Failed& f) {
    out.end = StepResult::End::kFailed;
    out.failure = f.failure;
  } catch (const HeapFull& full) {
    out.end = StepResult::End::kFailed;
    out.failure = limit_failure(full);
  }
}

void Vm::step(const Start& start, const Way& way, StepResult& out) {
  const std::size_t logged = way.log == nullptr ? 0 : way.log->size();
  const std::uint32_t known = world_.identities.size();
  begin(start, way, out);
  finish(start.inbox, [&] {
    load(start.config);
    drive();
  });
  if (!goes_too_far(out)) return;
  if (way.log != nullptr) way.log->resize(logged);
  if (world_.follows_one_execution) world_.identities.forget(known);
  to_first_point(start, out, way.log);
}

/// Once more, to the first point that it passed over; the values that it was taken with stay those of the result.
void Vm::to_first_point(const Start& start, StepResult& out, std::vector<LogEntry>* log) {
  const std::vector<std::uint32_t> values = out.values, arities = out.arities;
  const std::uint32_t fair = out.fair;
  step(start, {.values = values, .log = log, .pace = Pace::kSingle}, out);
  out.values = values;
  out.arities = arities;
  out.fair = fair;
}

std::span<const StepResult> Vm::steps(const Start& start) {
  std::size_t count = 0;
  const auto room = [&]() -> StepResult& {
    if (count == results_.size()) results_.emplace_back();
    return results_[count++];
  };
  begin(start, {}, room());
  forking_ = true;
  open_forks_ = 0;
  finish(start.inbox, [&] {
    load(start.config);
    drive();
  });
  while (open_forks_ > 0) {
    Fork& last = forks_[open_forks_ - 1];
    if (last.next == last.count) {
      --open_forks_;
      continue;
    }
    room();
    out_ = &results_[count - 1];
    finish(start.inbox, [&] {
      take_up(last);
      go_on();
    });
  }
  forking_ = false;
  for (std::size_t i = 0; i < count; ++i)
    if (goes_too_far(results_[i])) to_first_point(start, results_[i], nullptr);
  return {results_.data(), count};
}

/// The machine stands at a choice among so many values. It goes on with the first one; the others are taken up later.
void Vm::fork(std::uint32_t count) {
  for (const Value v : m_.fields) Heap::share(v);
  for (const Value v : m_.stack) Heap::share(v);
  Heap::share(m_.payload);
  if (open_forks_ == forks_.size()) forks_.emplace_back();
  Fork& f = forks_[open_forks_++];
  f.machine = m_;
  f.inbox = inbox_;
  f.result = *out_;
  f.mark = heap_.mark();
  f.inbox_changed = inbox_changed_;
  f.visible = visible_;
  f.fuel = fuel_;
  f.branching = branching_;
  f.created = created_;
  f.next = 1;
  f.count = count;
}

/// Goes back to the choice, and gives it the next value.
void Vm::take_up(Fork& f) {
  m_ = f.machine;
  inbox_ = f.inbox;
  *out_ = f.result;
  heap_.rewind(f.mark);
  inbox_changed_ = f.inbox_changed;
  visible_ = f.visible;
  fuel_ = f.fuel;
  turns_looked_at_ = 0;  // what was remembered may be of another branch
  branching_ = f.branching;
  created_ = f.created;
  stopped_ = false;
  prefix_.assign(f.result.values.begin(), f.result.values.end());
  prefix_.push_back(f.next++);
  given_ = prefix_;
}

void Vm::drive() {
  const Stage stage = m_.stage;
  m_.stage = Stage::kCode;
  switch (stage) {
    case Stage::kFresh: {
      const Value argument = m_.payload;
      m_.payload = Value::null();
      m_.target = m_.state;
      note_state(Act::kEnter);
      start(m_.code->states[m_.state].entry, argument, After::kLoop);
      break;
    }
    case Stage::kBlocked: m_.passed = true; break;
    case Stage::kIdle: scan(true); break;
    case Stage::kDequeued: {
      const bool raised = m_.passed;
      m_.passed = false;
      handle(m_.event, m_.payload, raised);
      break;
    }
    case Stage::kNullCheck: scan(false); break;
    case Stage::kNullFire: handle(kNullEvent, Value::null(), false); break;
    default: break;
  }
  go_on();
}

void Vm::go_on() {
  while (!stopped_) {
    if (m_.frames.empty()) loop();
    else code_ended(execute());
  }
}

void Vm::stop(Stage stage) {
  m_.stage = stage;
  stopped_ = true;
}

/// At a point that only separates local actions. It is needed if something of this step was visible and what comes touches a monitor.
bool Vm::stops_here(bool touches) {
  if (world_.points == Points::kAll || pace_ == Pace::kSingle || (visible_ && touches)) return true;
  ++out_->steps;
  ++out_->passed;
  note_state(Act::kPoint);
  return false;
}

bool Vm::frames_touch() const {
  if (!world_.observes_anything()) return false;
  for (const Frame& f : m_.frames)
    if (world_.touches(m_.interface, world_.code.functions[f.function].tells)) return true;
  return false;
}

/// May what is done with an event in this state touch a monitor?
bool Vm::reaction_touches(const Reaction& reaction) const {
  if (!world_.observes_anything()) return false;
  const auto tells = [&](std::uint32_t function) {
    return function != kNone && world_.touches(m_.interface, world_.code.functions[function].tells);
  };
  return tells(reaction.function) || (reaction.kind != Reaction::Kind::kDo && tells(m_.code->states[m_.state].exit)) ||
         (reaction.kind == Reaction::Kind::kGoto && tells(m_.code->states[reaction.target].entry));
}

void Vm::start(std::uint32_t function, Value argument, After after) {
  m_.after = after;
  if (function == kNone) return code_ended(Flow::kReturned);
  count_turn({});
  const CodeFunction& f = world_.code.functions[function];
  m_.frames.push_back({function, 0, static_cast<std::uint32_t>(m_.stack.size())});
  if (f.params > 0) {
    check_type(argument, f.param_type, "the payload");
    push(argument);
  }
  m_.stack.insert(m_.stack.end(), f.locals.begin(), f.locals.end());
}

void Vm::code_ended(Flow flow) {
  if (flow == Flow::kStopped) return;
  m_.frames.clear();
  m_.stack.clear();
  const After after = m_.after;
  m_.after = After::kNothing;
  if (flow == Flow::kRaised) return handle(m_.event, m_.payload, true);
  if (flow == Flow::kGoto) return transition(m_.target, kNone, m_.payload);
  switch (after) {
    case After::kWith: return with_step();
    case After::kEnter: return enter();
    case After::kUnhandled:
      if (m_.event == kHaltEvent) return halt();
      throw Failed{failure("R02", fmt::format("'{}' cannot handle event '{}' in state '{}'", name_of_self(), world_.event(m_.event),
                                              m_.code->states[m_.state].source->name.text),
                           m_.code->states[m_.state].source->name.place)};
    default: return;
  }
}

void Vm::loop() {
  if (!m_.code->states[m_.state].has_null) return scan(false);
  stop(Stage::kNullCheck);
}

void Vm::scan(bool was_idle) {
  const CodeState& state = m_.code->states[m_.state];
  for (std::size_t i = 0; i < inbox_.size();) {
    const std::uint32_t event = event_of(inbox_[i]);
    const Reaction& reaction = state.reactions[event];
    if (reaction.kind == Reaction::Kind::kDefer) {
      ++i;
      continue;
    }
    const std::uint32_t found = inbox_[i];
    inbox_.erase(inbox_.begin() + static_cast<std::ptrdiff_t>(i));
    inbox_changed_ = true;
    if (reaction.kind == Reaction::Kind::kIgnore) continue;
    if (was_idle || !stops_here(reaction_touches(reaction))) return handle(event, payload_of(found), false);
    m_.event = event;
    m_.payload = payload_of(found);
    m_.target = 0;
    m_.function = kNone;
    return stop(Stage::kDequeued);
  }
  if (!state.has_null) return stop(Stage::kIdle);
  visible_ = true;  // it has seen that nothing is there: what it does now may be after what others send from here on, which that look may not be
  const Reaction& reaction = state.reactions[kNullEvent];
  if (stops_here(reaction_touches(reaction))) return stop(Stage::kNullFire);
  handle(kNullEvent, Value::null(), false);
}

void Vm::handle(std::uint32_t event, Value payload, bool was_raised) {
  count_turn({Turn::At::kEvent, std::uint64_t{event} << 1 | (was_raised ? 1 : 0), payload});
  const CodeState& state = m_.code->states[m_.state];
  const Reaction& reaction = state.reactions[event];
  if (!was_raised) note_event(event == kNullEvent ? Act::kDefault : Act::kDequeue, event, payload);
  switch (reaction.kind) {
    case Reaction::Kind::kDefer:   // raised: lost
    case Reaction::Kind::kIgnore: return;
    case Reaction::Kind::kDo: return start(reaction.function, payload, After::kLoop);
    case Reaction::Kind::kGoto: return transition(reaction.target, reaction.function, payload);
    case Reaction::Kind::kUnhandled: break;
  }
  m_.event = event;
  m_.payload = payload;
  m_.target = 0;
  m_.function = kNone;
  note_event(Act::kUnhandled, event, payload);
  start(state.exit, Value::null(), After::kUnhandled);
}

void Vm::transition(std::uint32_t target, std::uint32_t function, Value argument) {
  count_turn({Turn::At::kTransition, std::uint64_t{target} << 32 | function, argument});
  const CodeState& state = m_.code->states[m_.state];
  m_.event = 0;
  m_.target = target;
  m_.function = function;
  m_.payload = argument;
  note_state(Act::kExit);
  start(state.exit, Value::null(), After::kWith);
}

void Vm::with_step() { start(m_.function, m_.payload, After::kEnter); }

void Vm::enter() {
  m_.state = m_.target;
  const CodeState& state = m_.code->states[m_.state];
  const Value argument = m_.payload;
  m_.payload = Value::null();
  note_state(Act::kEnter);
  start(state.entry, argument, After::kLoop);
}

void Vm::halt() {
  if (log_ != nullptr) {
    note_state(Act::kHalt);
    log_->back().text = fmt::format("{}", inbox_.size());
  }
  inbox_.clear();
  inbox_changed_ = true;
  stop(Stage::kHalted);
}

// Monitors run at once, in one piece.

Vm::MonitorResult Vm::start_monitor(std::uint32_t number, std::vector<LogEntry>* log) {
  heap_.reset();
  const CodeMachine& code = world_.monitor(number);
  StepResult ignored;
  out_ = &ignored;
  log_ = log;
  fuel_ = kFuel;
  turns_looked_at_ = 0;
  try {
    if (code.start == kNone)
      throw Failed{failure("R20", fmt::format("spec '{}' has no start state", code.source->name.text), code.source->name.place)};
    become_monitor(number);
    m_.state = code.start;
    m_.fields = code.fields;
    m_.target = code.start;
    m_.payload = Value::null();
    run_monitor(kNullEvent, Value::null());
    return {save_monitor(), std::nullopt};
  } catch (const Failed& f) {
    return {0, f.failure};
  } catch (const HeapFull& full) {
    return {0, limit_failure(full)};
  }
}

Vm::MonitorResult Vm::observe(std::uint32_t number, std::uint32_t config, std::uint32_t message, std::vector<LogEntry>* log) {
  heap_.reset();
  StepResult ignored;
  out_ = &ignored;
  log_ = log;
  fuel_ = kFuel;
  turns_looked_at_ = 0;
  try {
    load_monitor(number, config);
    const bool cooled = run_monitor(event_of(message), payload_of(message));
    return {save_monitor(), std::nullopt, cooled};
  } catch (const Failed& f) {
    return {config, f.failure};
  } catch (const HeapFull& full) {
    return {config, limit_failure(full)};
  }
}

/// Handles one event, and every event raised on the way. The null event: the entry of the start state. Returns whether a cold state was entered.
bool Vm::run_monitor(std::uint32_t event, Value payload) {
  bool cooled = false;
  const auto run = [&](std::uint32_t function, Value argument) {
    if (function == kNone) return Flow::kReturned;
    count_turn({});
    ++monitor_runs_;
    m_.frames.clear();
    m_.stack.clear();
    start(function, argument, After::kNothing);
    return execute();
  };
  const auto entering = [&](Value argument) {
    const CodeState& state = m_.code->states[m_.state];
    note_state(Act::kEnter);
    return run(state.entry, argument);
  };
  const auto go = [&](std::uint32_t target, std::uint32_t function, Value argument) {
    const CodeState& state = m_.code->states[m_.state];
    note_state(Act::kExit);
    run(state.exit, Value::null());
    run(function, argument);
    m_.state = target;
    cooled = cooled || m_.code->states[target].temperature == Temperature::kCold;
    return entering(argument);
  };
  m_.event = event;
  m_.payload = payload;
  Flow flow = event == kNullEvent ? entering(payload) : Flow::kRaised;
  while (true) {
    count_turn({Turn::At::kMonitor, static_cast<std::uint64_t>(flow), {}});
    if (flow == Flow::kGoto) {
      flow = go(m_.target, kNone, m_.payload);
      continue;
    }
    if (flow != Flow::kRaised) break;
    const CodeState& state = m_.code->states[m_.state];
    const Reaction& reaction = state.reactions[m_.event];
    note_event(Act::kObserve, m_.event, m_.payload);
    if (reaction.kind == Reaction::Kind::kUnhandled)
      throw Failed{failure("R03", fmt::format("spec '{}' cannot handle event '{}' in state '{}'", m_.code->source->name.text,
                                              world_.event(m_.event), state.source->name.text),
                           state.source->name.place)};
    if (reaction.kind == Reaction::Kind::kDo) flow = run(reaction.function, m_.payload);
    else if (reaction.kind == Reaction::Kind::kGoto) flow = go(reaction.target, reaction.function, m_.payload);
    else break;
  }
  m_.frames.clear();
  m_.stack.clear();
  return cooled;
}

// Failing.

void Vm::fail(const char* r_class, std::string message) {
  throw Failed{failure(r_class, std::move(message), place())};
}

void Vm::meet_limit(std::string which) { throw Failed{limit_failure(std::move(which))}; }

/// A limit of ours: no bug of the program.
Failure Vm::limit_failure(std::string which) const { return {"", kLimitKind, std::move(which), place()}; }

Failure Vm::limit_failure(const HeapFull& full) const {
  switch (full.why) {
    case HeapFull::Why::kStep: return limit_failure(fmt::format("a step of '{}' needs more than 1 GiB for its values", name_of_self()));
    case HeapFull::Why::kMemory: return limit_failure(fmt::format("the values of '{}' need more memory than --memory leaves", name_of_self()));
    case HeapFull::Why::kNesting: break;
  }
  return limit_failure(fmt::format("values of '{}' are nested more than {} deep", name_of_self(), with_separators(kMaxValueDepth)));
}

Failure Vm::failure(const char* r_class, std::string message, Place place) const {
  const std::string_view id = r_class;
  FindingKind kind = "runtime-error";
  if (id == "R01") kind = m_.is_monitor ? FindingKind("spec") : FindingKind("assertion");
  else if (id == "R02") kind = "unhandled-event";
  else if (id == "R03") kind = "spec";
  return {r_class, kind, std::move(message), place};
}

Place Vm::place() const {
  if (m_.frames.empty()) return m_.code == nullptr ? Place{} : m_.code->source->name.place;
  const Frame& top = m_.frames.back();
  const CodeFunction& f = world_.code.functions[top.function];
  return top.pc < f.places.size() ? f.places[top.pc] : f.source->name.place;
}

std::string Vm::name_of_self() const { return m_.is_monitor ? m_.code->source->name.text : world_.machine(m_.slot); }

void Vm::note_event(Act act, std::uint32_t event, Value payload) {
  if (log_ == nullptr) return;
  const State* const state = m_.code->states[m_.state].source;
  constexpr std::size_t kMostLogged = 100'000;  // in one step: a machine that raises events without end must not fill the memory
  if (log_->size() >= kMostLogged) log_->pop_back();
  LogEntry entry;
  entry.act = act;
  entry.of_monitor = m_.is_monitor;
  entry.who = m_.is_monitor ? monitor_ : m_.slot;
  entry.event = event;
  entry.payload = heap_.intern(payload);
  entry.state = state;
  entry.place = m_.frames.empty() ? state->name.place : place();
  log_->push_back(std::move(entry));
}

void Vm::note_state(Act act) { note_event(act, 0, Value::null()); }

}  // namespace tarry::plang
