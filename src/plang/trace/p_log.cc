#include "plang/trace/p_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tarry::plang {
namespace {

/// "'a'", "'a' or 'b'", "'a', 'b' or 'c'".
std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
  return out.empty() ? "'<missing>'" : out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

PJson temperature(const State& state) {
  if (state.temperature == Temperature::kWarm) return nullptr;
  return state.temperature == Temperature::kHot;
}

PRecord made_record(const char* tag, const char* type, std::string words, PJson details) {
  details.emplace("log", words);
  return {tag, type, std::move(words), std::move(details)};
}

}  // namespace

PJson json_of(const Heap& heap, Value value, const World& world) {
  const auto text = [&](Value v) { return shown(text_of(heap, v, world)); };
  switch (value.tag()) {
    case Tag::kNull: return nullptr;
    case Tag::kBool: return value.truth();
    case Tag::kInt:
    case Tag::kBigInt: return heap.integer_of(value);
    case Tag::kFloat: return heap.real_of(value);
    case Tag::kString: return std::string(heap.text(value));
    case Tag::kSeq:
    case Tag::kSet: {
      PJson out = PJson::array();
      for (const Value item : heap.items(value))
        if (!item.is(Tag::kHole)) out.push_back(json_of(heap, item, world));
      return out;
    }
    case Tag::kMap: {
      PJson out = PJson::object();
      const auto items = heap.items(value);
      for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (!items[i].is(Tag::kHole)) out[text(items[i])] = json_of(heap, items[i + 1], world);
      return out;
    }
    case Tag::kTuple:
    case Tag::kNamedTuple: {
      PJson out = PJson::object();
      std::size_t i = 0;
      for (const Value item : heap.items(value)) {
        const std::string key = value.is(Tag::kTuple) ? fmt::format("{}", i) : world.shape(heap.object(value)->extra)[i];
        out[key] = json_of(heap, item, world);
        ++i;
      }
      return out;
    }
    default: return text(value);
  }
}

PLog::PLog(const PProgram& program) : world_(program.world()), heap_(*world_.code.pool) {
  put("TestLog", "", fmt::format("Running test '{}'.", world_.test.name), {});
}

void PLog::put(const char* tag, const char* type, std::string words, PJson details) {
  records_.push_back(made_record(tag, type, std::move(words), std::move(details)));
}

/// Of a machine: it has done one more thing.
void PLog::put(const LogEntry& entry, const char* tag, const char* type, std::string words, PJson details) {
  Clock& clock = clocks_[entry.who];
  ++clock[name(entry.who)];
  details["clock"] = clock;
  put(tag, type, std::move(words), std::move(details));
}

std::string PLog::event_text(const LogEntry& entry) const {
  const std::string& event = world_.event(entry.event);
  if (entry.payload.is_null()) return event;
  return fmt::format("{} with payload ({})", event, shown(text_of(heap_, entry.payload, world_, TextFor::kTrace)));
}

/// P has a string where there is none.
PJson PLog::payload(const LogEntry& entry) const {
  return entry.payload.is_null() ? PJson("null") : json_of(heap_, entry.payload, world_);
}

void PLog::add_start(const std::vector<LogEntry>& log) {
  std::set<std::uint32_t> seen;
  for (const LogEntry& entry : log) {
    if (entry.of_monitor && seen.insert(entry.who).second) {
      const std::string& monitor = world_.monitor(entry.who).source->name.text;
      put("CreateLog", "CreateMonitor", fmt::format("{} was created.", monitor), {{"monitor", monitor}});
    }
    add_entry(entry);
  }
  LogEntry main;
  put(main, "CreateLog", "CreateStateMachine", fmt::format("{} was created by task '0'.", name(0)), {{"id", name(0)}});
}

void PLog::add(const FollowedStep& step) {
  if (const auto sent = pending_.find(step.slot); sent != pending_.end()) {  // what it sent before is there now
    if (!halted_.contains(sent->second.target)) inboxes_[sent->second.target].push_back(std::move(sent->second));
    pending_.erase(sent);
  }
  for (const LogEntry& entry : step.log) add_entry(entry);
}

void PLog::add_entry(const LogEntry& entry) {
  if (entry.of_monitor) add_of_monitor(entry);
  else add_of_machine(entry);
}

void PLog::add_of_monitor(const LogEntry& e) {
  const std::string& monitor = world_.monitor(e.who).source->name.text;
  const std::string& state = e.state->name.text;
  const PJson base{{"monitor", monitor}, {"state", state}};
  PJson details = base;
  if (e.act == Act::kObserve && !std::exchange(raised_, false)) {
    details["event"] = world_.event(e.event);
    details["payload"] = payload(e);
    put("MonitorLog", "MonitorProcessEvent",
        fmt::format("{} is processing event '{}' in state '{}'.", monitor, event_text(e), state), details);
  } else if (e.act == Act::kRaise) {
    raised_ = true;
    details["event"] = world_.event(e.event);
    details["payload"] = payload(e);
    put("MonitorLog", "MonitorRaiseEvent",
        fmt::format("Monitor '{}' raised event '{}' in state '{}'.", monitor, event_text(e), state), details);
  } else if (e.act == Act::kEnter || e.act == Act::kExit) {
    const char* const heat = e.state->temperature == Temperature::kHot    ? "hot "
                             : e.state->temperature == Temperature::kCold ? "cold "
                                                                          : "";
    details["isEntry"] = e.act == Act::kEnter;
    if (const PJson hot = temperature(*e.state); !hot.is_null()) details["isInHotState"] = hot;
    put("MonitorLog", "MonitorStateTransition",
        fmt::format("{} {} {}state '{}'.", monitor, e.act == Act::kEnter ? "enters" : "exits", heat, state), details);
  } else if (e.act == Act::kPrint) {
    put("PrintLog", "Print", shown(e.text), {});
  }
}

void PLog::add_of_machine(const LogEntry& e) {
  const std::string id = name(e.who), event = event_text(e);
  const std::string& state = e.state->name.text;
  const PJson base{{"id", id}, {"state", state}};
  const auto with_event = [&] {
    PJson details = base;
    details["event"] = world_.event(e.event);
    details["payload"] = payload(e);
    return details;
  };
  switch (e.act) {
    case Act::kCreate:
      clocks_[e.other] = clocks_[e.who];
      put(e, "CreateLog", "CreateStateMachine", fmt::format("{} was created by {}.", name(e.other), id),
          {{"id", name(e.other)}, {"creatorName", id}, {"creatorType", world_.machine_in(e.who).source->name.text}});
      break;
    case Act::kSend: add_send(e); break;
    case Act::kDequeue:
      take(e.who, e);
      put(e, "DequeueLog", "DequeueEvent", fmt::format("'{}' dequeued event '{}' in state '{}'.", id, event, state),
          with_event());
      add_transition(e);
      break;
    case Act::kReceive: {
      take(e.who, e);
      PJson details = with_event();
      details["wasBlocked"] = e.flag;
      put(e, "ReceiveLog", "ReceiveEvent",
          fmt::format("'{}' dequeued event '{}'{} in state '{}'.", id, event, e.flag ? " and unblocked" : "", state), details);
      break;
    }
    case Act::kWait: add_wait(e); break;
    case Act::kEnter:
    case Act::kExit: {
      PJson details = base;
      details["isEntry"] = e.act == Act::kEnter;
      put(e, "StateLog", "StateTransition",
          fmt::format("{} {} state '{}'.", id, e.act == Act::kEnter ? "enters" : "exits", state), details);
      break;
    }
    case Act::kRaise:
      put(e, "RaiseLog", "RaiseEvent", fmt::format("'{}' raised event '{}' in state '{}'.", id, event, state), with_event());
      add_transition(e);
      break;
    case Act::kGoto: add_goto(e, e.text); break;
    case Act::kAnnounce:
      put(e, "AnnounceLog", "Announce", fmt::format("'{}' announced event '{}'.", id, event), with_event());
      break;
    case Act::kDefault:
      put(e, "DefaultLog", "DefaultEventHandler", fmt::format("{} is executing the default handler in state '{}'.", id, state),
          base);
      add_transition(e);
      break;
    case Act::kChoose:
      put("RandomLog", "",
          fmt::format("{} nondeterministically chose '{}'.", id,
                      !e.flag         ? e.text
                      : e.text == "1" ? "True"
                                      : "False"),
          {});
      break;
    case Act::kPrint: put("PrintLog", "Print", shown(e.text), {}); break;
    case Act::kHalt:
      halted_.insert(e.who);
      inboxes_.erase(e.who);
      put(e, "HaltLog", "Halt", fmt::format("{} halted with {} events in its inbox.", id, e.text),
          {{"id", id}, {"haltInboxSize", std::stoull(e.text)}});
      break;
    case Act::kUnhandled:
      put(e, "PopLog", "PopStateUnhandledEvent",
          fmt::format("{} popped state {} due to unhandled event '{}'.", id, state, world_.event(e.event)), with_event());
      break;
    default: break;
  }
}

void PLog::add_send(const LogEntry& e) {
  const std::string id = name(e.who), target = name(e.other);
  const std::string& state = e.state->name.text;
  const bool gone = halted_.contains(e.other);
  put(e, "SendLog", "SendEvent",
      fmt::format("'{}' in state '{}' sent event '{}' to '{}'{}.", id, state, event_text(e), target,
                  gone ? " which has halted" : ""),
      {{"sender", id},
       {"state", state},
       {"event", world_.event(e.event)},
       {"target", target},
       {"isTargetHalted", gone},
       {"payload", payload(e)}});
  pending_[e.who] = {e.other, e.event, e.payload.bits(), clocks_[e.who]};
}

void PLog::add_wait(const LogEntry& e) {
  const std::vector<std::string> events = words_of(e.text);
  const std::string id = name(e.who);
  const std::string& state = e.state->name.text;
  PJson details{{"id", id}, {"state", state}};
  if (events.size() == 1) details["eventType"] = events[0];
  else details["eventTypes"] = events;
  put(e, "ReceiveLog", events.size() == 1 ? "WaitEvent" : "WaitMultipleEvents",
      fmt::format("{} is waiting to dequeue an event of type {} in state '{}'.", id, alternatives(events), state), details);
}

void PLog::add_goto(const LogEntry& e, const std::string& target) {
  const std::string id = name(e.who);
  const std::string& state = e.state->name.text;
  put(e, "GotoLog", "GotoState", fmt::format("{} is transitioning from state '{}' to state '{}'.", id, state, target),
      {{"id", id}, {"startState", state}, {"endState", target}});
}

/// If the event leads to another state.
void PLog::add_transition(const LogEntry& e) {
  const Handler* const handler = e.event < e.state->table.size() ? e.state->table[e.event] : nullptr;
  if (handler != nullptr && handler->kind == Handler::Kind::kGoto) add_goto(e, handler->target->name.text);
}

/// What the sender of the event knew is known here from now on.
void PLog::take(std::uint32_t slot, const LogEntry& e) {
  auto& inbox = inboxes_[slot];
  const auto sent = std::find_if(inbox.begin(), inbox.end(),
                                 [&](const Sent& s) { return s.event == e.event && s.payload == e.payload.bits(); });
  if (sent == inbox.end()) return;
  Clock& clock = clocks_[slot];
  for (const auto& [machine, count] : sent->clock) clock[machine] = std::max(clock[machine], count);
  inbox.erase(sent);
}

std::vector<PRecord> end_records(const StepText& ending, const std::string& strategy, std::uint64_t steps) {
  std::vector<PRecord> out;
  const auto put = [&](const char* tag, const char* type, std::string words, PJson details) { out.push_back(made_record(tag, type, std::move(words), std::move(details))); };
  if (!ending.kind.empty()) {
    const std::string words = ending.location.empty() ? ending.message : fmt::format("{} {}", ending.location, ending.message);
    put("ErrorLog", "AssertionFailure", words, {{"error", words}});
    put("StrategyLog", "StrategyDescription", fmt::format("Found bug using '{}' strategy.", strategy), {{"strategy", strategy}});
  }
  put("StrategyLog", "", "Testing statistics:", {});
  put("StrategyLog", "", fmt::format("Found {} bug{}.", ending.kind.empty() ? 0 : 1, ending.kind.empty() ? "s" : ""), {});
  put("StrategyLog", "", "Scheduling statistics:", {});
  put("StrategyLog", "", fmt::format("Number of scheduling points in this schedule: {}.", steps), {});
  return out;
}

}  // namespace tarry::plang
