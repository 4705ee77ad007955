// A machine as words of the pool, and back.
//
//   word 0  stage, what follows, whether the point was passed; the state
//   word 1  slot, interface; children made so far
//   word 2  event and transition that are under way
//   word 3  the payload that goes with them
//   word 4  number of frames and of values on the stack
//   then the fields, two words a frame, and the stack
//
// What is not under way is zero, so that equal behaviour is equal words.
#include <algorithm>

#include "base/assert.h"
#include "plang/vm/vm.h"

namespace tarry::plang {
namespace {

constexpr std::size_t kFields = 5;

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint64_t both(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }

}  // namespace

Vm::Vm(World& world) : world_(world), heap_(*world.code.pool) {}

std::uint32_t Vm::fresh(std::uint32_t slot, std::uint32_t interface, Value payload) {
  const CodeMachine& code = world_.code.machines[world_.machine_of[interface]];
  std::vector<std::uint64_t> words{both(static_cast<std::uint32_t>(Stage::kFresh), code.start), both(slot | interface << 16, 0), 0,
                                   heap_.intern(payload).bits(), 0};
  for (const Value v : code.fields) words.push_back(v.bits());
  return config_word(pool().intern(words), Standing::kReady);
}

void Vm::load(std::uint32_t config) {
  const auto words = pool().words(config_id(config));
  m_.stage = static_cast<Stage>(words[0] & 0xff);
  m_.after = static_cast<After>(words[0] >> 8 & 0xff);
  m_.passed = (words[0] >> 16 & 1) != 0;
  m_.state = high(words[0]);
  m_.slot = low(words[1]) & 0xffff;
  m_.interface = low(words[1]) >> 16;
  m_.children = high(words[1]);
  m_.event = low(words[2]) & 0xffff;
  m_.target = low(words[2]) >> 16;
  m_.function = high(words[2]) - 1;
  m_.payload = Value::from_bits(words[3]);
  m_.is_monitor = false;
  m_.code = &world_.code.machines[world_.machine_of[m_.interface]];
  const std::size_t fields = m_.code->fields.size();
  const std::size_t frames = low(words[4]), stack = high(words[4]);
  const auto value = [&](std::size_t i) { return Value::from_bits(words[i]); };
  m_.fields.resize(fields);
  for (std::size_t i = 0; i < fields; ++i) m_.fields[i] = value(kFields + i);
  m_.frames.resize(frames);
  for (std::size_t i = 0; i < frames; ++i) {
    const std::size_t at = kFields + fields + 2 * i;
    m_.frames[i] = {low(words[at]), high(words[at]), low(words[at + 1])};
  }
  m_.stack.resize(stack);
  for (std::size_t i = 0; i < stack; ++i) m_.stack[i] = value(kFields + fields + 2 * frames + i);
}

std::uint32_t Vm::save() {
  if (m_.stage == Stage::kHalted) return kHaltedWord;
  const bool held = m_.stage == Stage::kDequeued || m_.after == After::kWith || m_.after == After::kEnter || m_.after == After::kUnhandled;
  words_.clear();
  words_.push_back(both(static_cast<std::uint32_t>(m_.stage) | static_cast<std::uint32_t>(m_.after) << 8 | (m_.passed ? 1u << 16 : 0), m_.state));
  words_.push_back(both(m_.slot | m_.interface << 16, m_.children));
  words_.push_back(held ? both(m_.event | m_.target << 16, m_.function + 1) : 0);
  words_.push_back(held ? heap_.intern(m_.payload).bits() : 0);
  words_.push_back(both(static_cast<std::uint32_t>(m_.frames.size()), static_cast<std::uint32_t>(m_.stack.size())));
  for (const Value v : m_.fields) words_.push_back(heap_.intern(v).bits());
  for (const Frame& f : m_.frames) {
    words_.push_back(both(f.function, f.pc));
    words_.push_back(f.base);
  }
  for (const Value v : m_.stack) words_.push_back(heap_.intern(v).bits());
  const Standing how = m_.stage == Stage::kIdle ? Standing::kIdle : m_.stage == Stage::kBlocked ? Standing::kBlocked : Standing::kReady;
  return config_word(pool().intern(words_), how);
}

void Vm::load_monitor(std::uint32_t number, std::uint32_t config) {
  monitor_ = number;
  m_.is_monitor = true;
  m_.code = &world_.monitor(number);
  m_.frames.clear();
  m_.stack.clear();
  m_.passed = false;
  const auto words = pool().words(config >> 1);
  m_.state = low(words[0]);
  m_.fields.clear();
  for (std::size_t i = 1; i < words.size(); ++i) m_.fields.push_back(Value::from_bits(words[i]));
}

std::uint32_t Vm::save_monitor() {
  words_.clear();
  words_.push_back(both(m_.state, monitor_));  // monitors that look alike are still two
  for (const Value v : m_.fields) words_.push_back(heap_.intern(v).bits());
  const bool hot = m_.code->source->kind == ::tarry::plang::Machine::Kind::kSpec && m_.code->states[m_.state].temperature == Temperature::kHot;
  return monitor_word(pool().intern(words_), hot);
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
  const View look = view(config);
  if (standing(config) == Standing::kBlocked) {
    for (const std::uint32_t message : inbox(box)) {
      const std::uint32_t event = event_of(message);
      if (event == kHaltEvent || look.waits_for->target[event] != kNone) return true;
    }
    return false;
  }
  const CodeState& state = world_.code.machines[world_.machine_of[look.interface]].states[look.state];
  for (const std::uint32_t message : inbox(box)) {
    const Reaction::Kind kind = state.reactions[event_of(message)].kind;
    if (kind != Reaction::Kind::kDefer && kind != Reaction::Kind::kIgnore) return true;
  }
  return false;
}

bool Vm::minds_empty_inbox(std::uint32_t config) const {
  const auto stage = static_cast<Stage>(pool().words(config_id(config))[0] & 0xff);
  return stage == Stage::kNullCheck || stage == Stage::kNullFire;
}

bool Vm::drops(std::uint32_t config, std::uint32_t message) {
  const auto words = pool().words(config_id(config));
  const CodeMachine& code = world_.code.machines[world_.machine_of[low(words[1]) >> 16]];
  return code.ignores_something && code.states[high(words[0])].reactions[event_of(message)].kind == Reaction::Kind::kIgnore;
}

Vm::View Vm::view(std::uint32_t config) const {
  const auto words = pool().words(config_id(config));
  const auto stage = static_cast<Stage>(words[0] & 0xff);
  View out{};
  out.slot = low(words[1]) & 0xffff;
  out.interface = low(words[1]) >> 16;
  out.state = high(words[0]);
  const std::size_t fields = world_.code.machines[world_.machine_of[out.interface]].fields.size();
  out.fields = words.subspan(kFields, fields);
  switch (stage) {
    case Stage::kFresh: out.doing = "not started"; break;
    case Stage::kIdle: out.doing = "idle"; break;
    case Stage::kBlocked: out.doing = "waiting"; break;
    case Stage::kHalted: out.doing = "halted"; break;
    default: out.doing = "running"; break;
  }
  if (stage == Stage::kDequeued) {
    out.holds = low(words[2]) & 0xffff;
    out.held_payload = Value::from_bits(words[3]);
  }
  const std::size_t frames = low(words[4]);
  if (frames > 0) {
    const std::uint64_t top = words[kFields + fields + 2 * (frames - 1)];
    const CodeFunction& function = world_.code.functions[low(top)];
    out.in_code = true;
    out.place = function.places[high(top)];
    if (stage == Stage::kBlocked) out.waits_for = &world_.code.receives[function.code[high(top)].a];
  }
  return out;
}

std::uint32_t Vm::monitor_state(std::uint32_t config) const { return low(pool().words(config >> 1)[0]); }

std::span<const std::uint64_t> Vm::monitor_fields(std::uint32_t /*number*/, std::uint32_t config) const {
  return pool().words(config >> 1).subspan(1);
}

}  // namespace tarry::plang
