// A machine as bytes of the pool (compact.h), and back.
//
//   stage, what follows, whether the point was passed, whether something is under way; the state
//   slot, interface
//   numbers of children in use: all below a bound but those that are free again (references.cc)
//   what is under way, if something is: event and transition, the payload that goes with them
//   number of frames and of values on the stack
//   then the fields, the frames, and the stack
//
// What is not under way is not there, so that equal behaviour is equal bytes.
#include <algorithm>

#include "base/assert.h"
#include "plang/vm/vm.h"

namespace tarry::plang {

Vm::Vm(World& world) : world_(world), heap_(*world.code.pool) {}

std::uint32_t Vm::fresh(std::uint32_t slot, std::uint32_t interface, Value payload) {
  const CodeMachine& code = world_.code.machines[world_.machine_of[interface]];
  const Value kept = heap_.intern(payload);
  packer_.clear();
  pack({Stage::kFresh, After::kNothing, false, !kept.is_null(), code.start, slot, interface, 0, {}});
  if (!kept.is_null()) pack_under_way(0, kept);
  packer_.add(0);
  packer_.add(0);
  for (const Value v : code.fields) packer_.add(v);
  return config_word(pool().intern_packed(packer_.bytes()), Standing::kReady);
}

void Vm::pack(const Head& head) {
  packer_.add(static_cast<std::uint64_t>(head.stage) | static_cast<std::uint64_t>(head.after) << 3 | (head.passed ? 1u << 6 : 0) |
              (head.under_way ? 1u << 7 : 0) | std::uint64_t{head.state} << 8);
  packer_.add(head.slot | std::uint64_t{head.interface} << 16);
  packer_.add(head.children | std::uint64_t{head.free.size()} << 16);
  for (const std::uint32_t nth : head.free) packer_.add(nth);
}

void Vm::pack_under_way(std::uint64_t transition, Value payload) {
  packer_.add(transition);
  packer_.add(payload);
}

Vm::Head Vm::head(Unpacker& from) {
  const std::uint64_t first = from.number();
  const std::uint32_t who = from.small(), children = from.small();
  Head out{static_cast<Stage>(first & 7), static_cast<After>(first >> 3 & 7), (first >> 6 & 1) != 0, (first >> 7 & 1) != 0,
           static_cast<std::uint32_t>(first >> 8), who & 0xffff, who >> 16, children & 0xffff, {}};
  for (std::uint32_t free = children >> 16; free > 0; --free) out.free.push_back(from.small());
  return out;
}

void Vm::load(std::uint32_t config) {
  Unpacker from(pool().packed(config_id(config)));
  Head h = head(from);
  m_.stage = h.stage;
  m_.after = h.after;
  m_.passed = h.passed;
  m_.state = h.state;
  m_.slot = h.slot;
  m_.interface = h.interface;
  m_.children = h.children;
  m_.free_children = std::move(h.free);
  const std::uint64_t transition = h.under_way ? from.number() : 0;
  m_.event = transition & 0xffff;
  m_.target = transition >> 16 & 0xffff;
  m_.function = static_cast<std::uint32_t>(transition >> 32) - 1;
  m_.payload = h.under_way ? from.value() : Value::null();
  m_.is_monitor = false;
  m_.code = &world_.code.machines[world_.machine_of[m_.interface]];
  const std::size_t frames = from.small(), stack = from.small();
  m_.fields.resize(m_.code->fields.size());
  for (Value& v : m_.fields) v = from.value();
  m_.frames.resize(frames);
  for (Frame& f : m_.frames) {
    f.function = from.small();
    f.pc = from.small();
    f.base = from.small();
  }
  m_.stack.resize(stack);
  for (Value& v : m_.stack) v = from.value();
}

std::uint32_t Vm::save() {
  if (m_.stage == Stage::kHalted) return kHaltedWord;
  const bool held = m_.stage == Stage::kDequeued || m_.after == After::kWith || m_.after == After::kEnter || m_.after == After::kUnhandled;
  packer_.clear();
  pack({m_.stage, m_.after, m_.passed, held, m_.state, m_.slot, m_.interface, m_.children, m_.free_children});
  if (held) pack_under_way(m_.event | m_.target << 16 | std::uint64_t{m_.function + 1} << 32, heap_.intern(m_.payload));
  packer_.add(m_.frames.size());
  packer_.add(m_.stack.size());
  for (const Value v : m_.fields) packer_.add(heap_.intern(v));
  for (const Frame& f : m_.frames) {
    packer_.add(f.function);
    packer_.add(f.pc);
    packer_.add(f.base);
  }
  for (const Value v : m_.stack) packer_.add(heap_.intern(v));
  const Standing how = m_.stage == Stage::kIdle ? Standing::kIdle : m_.stage == Stage::kBlocked ? Standing::kBlocked : Standing::kReady;
  return config_word(pool().intern_packed(packer_.bytes()), how);
}

void Vm::become_monitor(std::uint32_t number) {
  monitor_ = number;
  m_.is_monitor = true;
  m_.code = &world_.monitor(number);
  m_.frames.clear();
  m_.stack.clear();
  m_.passed = false;
}

void Vm::load_monitor(std::uint32_t number, std::uint32_t config) {
  become_monitor(number);
  Unpacker from(pool().packed(config >> 1));
  m_.state = from.small();
  from.skip(1);
  m_.fields.resize(m_.code->fields.size());
  for (Value& v : m_.fields) v = from.value();
}

std::uint32_t Vm::save_monitor() {
  packer_.clear();
  packer_.add(m_.state);
  packer_.add(monitor_);  // monitors that look alike are still two
  for (const Value v : m_.fields) packer_.add(heap_.intern(v));
  const bool hot = m_.code->source->kind == ::tarry::plang::Machine::Kind::kSpec && m_.code->states[m_.state].temperature == Temperature::kHot;
  return monitor_word(pool().intern_packed(packer_.bytes()), hot);
}

std::uint32_t Vm::message(std::uint32_t event, Value payload) {
  const std::uint64_t words[2] = {event, heap_.intern(payload).bits()};
  return pool().intern(words);
}

std::span<const std::uint32_t> Vm::inbox(std::uint32_t id) const {
  return id == 0 ? std::span<const std::uint32_t>{} : pool().list(id);
}

std::uint32_t Vm::append(std::uint32_t box, std::uint32_t message) {
  const auto before = inbox(box);
  inbox_.assign(before.begin(), before.end());
  inbox_.push_back(message);
  return pool().intern_list(inbox_);
}

bool Vm::can_run(std::uint32_t config, std::uint32_t box) {
  switch (standing(config)) {
    case Standing::kReady: return true;
    case Standing::kAbsent:
    case Standing::kHalted: return false;
    default: break;
  }
  if (box == 0) return false;
  Unpacker from(pool().packed(config_id(config)));
  const Head h = head(from);
  const CodeMachine& code = world_.code.machines[world_.machine_of[h.interface]];
  if (standing(config) == Standing::kBlocked) {
    const ReceiveTable& table = *waits_for(h, code, from);
    for (const std::uint32_t message : inbox(box)) {
      const std::uint32_t event = event_of(message);
      if (event == kHaltEvent || table.target[event] != kNone) return true;
    }
    return false;
  }
  const CodeState& state = code.states[h.state];
  for (const std::uint32_t message : inbox(box)) {
    const Reaction::Kind kind = state.reactions[event_of(message)].kind;
    if (kind != Reaction::Kind::kDefer && kind != Reaction::Kind::kIgnore) return true;
  }
  return false;
}

/// Of a machine that is blocked. `from` is behind the head.
const ReceiveTable* Vm::waits_for(const Head& h, const CodeMachine& code, Unpacker from) const {
  if (h.under_way) from.skip(2);
  const std::size_t frames = from.small();
  from.skip(1 + code.fields.size() + 3 * (frames - 1));
  const CodeFunction& function = world_.code.functions[from.small()];
  return &world_.code.receives[function.code[from.small()].a];
}

bool Vm::minds_empty_inbox(std::uint32_t config) const {
  const Stage stage = static_cast<Stage>(pool().packed(config_id(config))[0] & 7);
  return stage == Stage::kNullCheck || stage == Stage::kNullFire;
}

bool Vm::drops(std::uint32_t config, std::uint32_t message) {
  Unpacker from(pool().packed(config_id(config)));
  const Head h = head(from);
  const CodeMachine& code = world_.code.machines[world_.machine_of[h.interface]];
  return code.ignores_something && code.states[h.state].reactions[event_of(message)].kind == Reaction::Kind::kIgnore;
}

Vm::View Vm::view(std::uint32_t config) const {
  Unpacker from(pool().packed(config_id(config)));
  const Head h = head(from);
  const Unpacker behind_head = from;
  const CodeMachine& code = world_.code.machines[world_.machine_of[h.interface]];
  View out{};
  out.slot = h.slot;
  out.interface = h.interface;
  out.state = h.state;
  switch (h.stage) {
    case Stage::kFresh: out.doing = "not started"; break;
    case Stage::kIdle: out.doing = "idle"; break;
    case Stage::kBlocked: out.doing = "waiting"; break;
    case Stage::kHalted: out.doing = "halted"; break;
    default: out.doing = "running"; break;
  }
  const std::uint64_t transition = h.under_way ? from.number() : 0;
  const Value payload = h.under_way ? from.value() : Value::null();
  if (h.stage == Stage::kDequeued) {
    out.holds = static_cast<std::uint32_t>(transition & 0xffff);
    out.held_payload = payload;
  }
  const std::size_t frames = from.small();
  from.skip(1);
  for (std::size_t i = 0; i < code.fields.size(); ++i) out.fields.push_back(from.value().bits());
  if (frames > 0) {
    from.skip(3 * (frames - 1));
    const CodeFunction& function = world_.code.functions[from.small()];
    out.in_code = true;
    out.place = function.places[from.small()];
    if (h.stage == Stage::kBlocked) out.waits_for = waits_for(h, code, behind_head);
  }
  return out;
}

std::uint32_t Vm::monitor_state(std::uint32_t config) const { return Unpacker(pool().packed(config >> 1)).small(); }

std::vector<std::uint64_t> Vm::monitor_fields(std::uint32_t number, std::uint32_t config) const {
  Unpacker from(pool().packed(config >> 1));
  from.skip(2);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < world_.monitor(number).fields.size(); ++i) out.push_back(from.value().bits());
  return out;
}

}  // namespace tarry::plang
