#include "plang/vm/narrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "plang/vm/failure_text.h"
#include "plang/vm/follow.h"
#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

class PNarrator final : public Narrator {
 public:
  PNarrator(World& world, Layout layout, std::unique_ptr<StepListener> listener)
      : world_(world), space_(world, layout), scratch_(layout.words()), listener_(std::move(listener)) {}

  Fields fields(StateView state) override {
    Fields out;
    space_.for_each_machine(state, [&](const PSpace::MachineWords& m) { machine_fields(m, out); });
    for (std::uint32_t n = 0; n < space_.layout().monitors(); ++n) monitor_fields(n, state[space_.layout().monitor(n)], out);
    return out;
  }

  /// A step changes few machines: words that are equal in both states stand for equal fields.
  std::optional<std::pair<Fields, Fields>> differing(StateView before, StateView after) override {
    const auto [old_ones, new_ones] = space_.differing(before, after);
    std::optional<std::pair<Fields, Fields>> out(std::in_place);
    auto old_one = old_ones.begin();
    for (const PSpace::MachineWords& m : new_ones) {  // no machine of a replay is ever lost
      const bool was_there = old_one != old_ones.end() && old_one->slot == m.slot;
      if (!was_there || old_one->config != m.config || old_one->inbox != m.inbox) {
        if (was_there) machine_fields(*old_one, out->first);
        machine_fields(m, out->second);
      }
      if (was_there) ++old_one;
    }
    for (std::uint32_t n = 0; n < space_.layout().monitors(); ++n) {
      const std::uint32_t at = space_.layout().monitor(n);
      if (before[at] == after[at]) continue;
      monitor_fields(n, before[at], out->first);
      monitor_fields(n, after[at], out->second);
    }
    return out;
  }

  StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
    const PSpace::MachineWords m = space_.machine(state, index(process));
    std::vector<LogEntry> log;
    StepResult result;
    const auto applied = space_.step_with_log(state, m, values, Vm::Missing::kZero, result, scratch_.data(), log);
    const bool failed = result.end == StepResult::End::kFailed;
    StepText text;
    if (failed && !applied.by_monitor) text = text_of_failure(result.failure, world_);
    text.cut_short = !text.kind.empty();
    if (text.cut_short) text.who = {who(m.slot)};
    if (applied.failed && text.kind.empty()) {
      if (const auto hot = applied.by_monitor ? std::nullopt : space_.hot_at_end(scratch_)) {
        text = hot_text(*hot);
      } else {
        text = text_of_failure(space_.failure(), world_);
        text.cut_short = true;
        text.who = {who(m.slot)};
        if (!log.empty() && log.back().of_monitor) text.who.insert(text.who.begin(), world_.monitor(log.back().who).source->name.text);
      }
    }
    text.label = label(log);
    if (listener_) listener_->add({.slot = m.slot, .values = {values.begin(), values.end()}, .log = log, .steps = applied.steps, .ending = text});
    if (text.kind == kLimitKind) return text;  // the step may have done very much before it met that
    for (const Effect& effect : result.effects) add_arrival(state, m.slot, effect, text.happenings);
    for (const LogEntry& entry : log) {
      add_happening(entry, text.happenings);
      if (entry.act == Act::kChoose && (entry.flag || entry.other > 1)) text.choices.push_back(world_.code.program->sources.text(entry.place));
    }
    return text;
  }

  std::string process_name(ProcessId process) override {
    if (index(process) >= world_.identities.size()) return fmt::format("machine {}", index(process) + 1);
    return shown(world_.machine(index(process)));
  }

  std::string record() override { return listener_ ? listener_->record() : ""; }

 private:
  std::string value(std::uint64_t bits) { return shown(text_of(space_.vm().heap(), Value::from_bits(bits), world_, TextFor::kTrace)); }
  std::string message(std::uint32_t event, Value payload) {
    if (payload.is_null()) return world_.event(event);
    return fmt::format("{} {}", world_.event(event), value(payload.bits()));
  }

  void machine_fields(const PSpace::MachineWords& m, Fields& out) {
    const std::string name = shown(world_.machine(m.slot));
    if (standing(m.config) == Standing::kHalted) {
      out.emplace_back(name, "halted");
      return;
    }
    Vm& vm = space_.vm();
    const Vm::View view = vm.view(m.config);
    const CodeMachine& code = world_.machine_in(m.slot);
    out.emplace_back(name, fmt::format("{} in '{}'", view.doing, code.states[view.state].source->name.text));
    for (std::size_t i = 0; i < view.fields.size(); ++i)
      out.emplace_back(name + "." + code.source->fields[i]->name.text, value(view.fields[i]));
    std::string inbox;
    for (const std::uint32_t id : vm.inbox(m.inbox)) {
      inbox += (inbox.empty() ? "" : ", ") + message(vm.event_of(id), vm.payload_of(id));
    }
    out.emplace_back(name + ".inbox", inbox.empty() ? "empty" : inbox);
  }

  void monitor_fields(std::uint32_t n, std::uint32_t config, Fields& out) {
    const CodeMachine& code = world_.monitor(n);
    const std::string& name = code.source->name.text;
    out.emplace_back(name, fmt::format("in '{}'", code.states[space_.vm().monitor_state(config)].source->name.text));
    const auto fields = space_.vm().monitor_fields(n, config);
    for (std::size_t i = 0; i < fields.size(); ++i) out.emplace_back(name + "." + code.source->fields[i]->name.text, value(fields[i]));
  }

  StepText hot_text(std::uint32_t monitor) {
    if (monitor == World::kFormula)
      return {.label = "", .kind = "liveness", .message = fmt::format("the execution ends, and formula '{}' does not hold", world_.formula->text()), .location = ""};
    const CodeMachine& code = world_.monitor(monitor);
    const State* const state = code.states[space_.vm().monitor_state(scratch_[space_.layout().monitor(monitor)])].source;
    StepText text;
    text.kind = "liveness";
    text.message = fmt::format("the execution ends while spec '{}' is in hot state '{}'", code.source->name.text, state->name.text);
    text.location = world_.code.program->sources.text(state->name.place);
    text.who = {code.source->name.text};
    return text;
  }

  std::string who(std::uint32_t slot) { return shown(world_.machine(slot)); }

  std::string words(const LogEntry& e) {
    const std::string event = message(e.event, e.payload);
    if (e.of_monitor) {
      const std::string& name = world_.monitor(e.who).source->name.text;
      if (e.act == Act::kObserve) return fmt::format("{} sees {}", name, world_.event(e.event));
      return e.act == Act::kEnter ? fmt::format("{} goes to '{}'", name, e.state->name.text) : "";
    }
    switch (e.act) {
      case Act::kCreate: return fmt::format("creates {}{}", who(e.other), e.payload.is_null() ? "" : " with " + value(e.payload.bits()));
      case Act::kSend: return fmt::format("sends {} to {}", event, who(e.other));
      case Act::kDequeue: return fmt::format("handles {}", event);
      case Act::kWait: return "waits";
      case Act::kReceive: return fmt::format("receives {}", event);
      case Act::kEnter: return fmt::format("enters '{}'", e.state->name.text);
      case Act::kRaise: return fmt::format("raises {}", event);
      case Act::kGoto:
      case Act::kExit: return "";
      case Act::kAnnounce: return fmt::format("announces {}", event);
      case Act::kDefault: return "handles null";
      case Act::kChoose: return e.flag ? fmt::format("chooses {}", e.text == "1") : e.other > 1 ? fmt::format("chooses {} of {}", e.text, e.other) : "";
      case Act::kPrint: return fmt::format("prints \"{}\"", shown(e.text));
      case Act::kHalt: return "halts";
      case Act::kUnhandled: return fmt::format("cannot handle {}", event);
      default: return "";
    }
  }

  std::string label(const std::vector<LogEntry>& log) {
    constexpr std::size_t kLong = std::size_t{1} << 16;
    std::string out;
    for (const LogEntry& e : log) {
      if (out.size() > kLong) return out + "; ...";
      const std::string text = words(e);
      if (!text.empty()) out += (out.empty() ? "" : "; ") + text;
    }
    return out.empty() ? "goes on" : out;
  }

  /// An event that was sent at the end of an earlier step: it arrives at the start of this one.
  void add_arrival(StateView state, std::uint32_t from, const Effect& effect, std::vector<Happening>& out) {
    if (effect.kind != Effect::Kind::kEnqueue && effect.kind != Effect::Kind::kSelf) return;
    const bool gone = standing(space_.machine(state, effect.a).config) == Standing::kHalted;
    out.push_back({.kind = gone ? Happening::Kind::kLost : Happening::Kind::kArrive,
                   .observer = false,
                   .who = who(from),
                   .whom = who(effect.a),
                   .text = world_.event(space_.vm().event_of(effect.b)),
                   .detail = carried(space_.vm().payload_of(effect.b)),
                   .location = ""});
  }

  std::string carried(Value payload) { return payload.is_null() ? "" : value(payload.bits()); }

  /// Of the handler, where one is about to run.
  static Place place_of(const LogEntry& e) {
    if (e.act != Act::kDequeue && e.act != Act::kDefault && e.act != Act::kObserve) return e.place;
    const Handler* const handler = e.event < e.state->table.size() ? e.state->table[e.event] : nullptr;
    for (std::size_t i = 0; handler != nullptr && i < std::min(handler->events.size(), handler->triggers.size()); ++i)
      if (handler->events[i]->index == e.event) return handler->triggers[i].place;
    return e.place;
  }

  void add_happening(const LogEntry& e, std::vector<Happening>& out) {
    using Kind = Happening::Kind;
    Happening h;
    h.observer = e.of_monitor;
    h.who = e.of_monitor ? world_.monitor(e.who).source->name.text : who(e.who);
    h.location = world_.code.program->sources.text(place_of(e));
    h.detail = carried(e.payload);
    h.text = world_.event(e.event);
    switch (e.act) {
      case Act::kCreate: h.kind = Kind::kCreate, h.text = "new", h.whom = who(e.other); break;
      case Act::kSend: h.kind = Kind::kSend, h.whom = who(e.other); break;
      case Act::kDequeue:
      case Act::kReceive: h.kind = Kind::kTake; break;
      case Act::kEnter: h.kind = Kind::kEnter, h.text = e.state->name.text, h.detail.clear(); break;
      case Act::kObserve: h.kind = Kind::kSee; break;
      case Act::kHalt: h.kind = Kind::kHalt, h.text = "halts"; break;
      case Act::kRaise: h.text = "raises " + h.text; break;
      case Act::kAnnounce: h.text = "announces " + h.text; break;
      case Act::kUnhandled:
        if (e.event == kHaltEvent) return;
        h.text = "cannot handle " + h.text;
        break;
      case Act::kWait:
      case Act::kDefault:
      case Act::kChoose:
      case Act::kPrint: h.text = words(e); break;
      default: return;
    }
    if (!h.text.empty()) out.push_back(std::move(h));
  }

  World& world_;
  PSpace space_;
  std::vector<Word> scratch_;
  std::unique_ptr<StepListener> listener_;  // may be null
};

}  // namespace

std::unique_ptr<Narrator> make_narrator(World& world, Layout layout, std::unique_ptr<StepListener> listener) {
  return std::make_unique<PNarrator>(world, layout, std::move(listener));
}

}  // namespace tarry::plang
