// References between machines: a halted machine that nothing refers to any more gives its number back to its creator.
//
// Without that, a loop that creates a machine in every round never comes back to a state: the creator counts its children, and the halted ones stay.
#include <algorithm>
#include <unordered_set>

#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

/// Goes through values, each object once. The slots are in order in the end, each once.
class Finder {
 public:
  Finder(const Pool& pool, std::vector<std::uint32_t>& slots) : pool_(pool), slots_(slots) {}
  ~Finder() {
    std::sort(slots_.begin(), slots_.end());
    slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  }
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;

  void look(Value v) {
    if (v.is(Tag::kMachine)) {
      slots_.push_back(v.slot());
      return;
    }
    const bool holds_values = v.is(Tag::kSeq) || v.is(Tag::kSet) || v.is(Tag::kMap) || v.is(Tag::kTuple) || v.is(Tag::kNamedTuple);
    if (!holds_values || !seen_.insert(v.id()).second) return;
    const Object* const object = pool_.object(v.id());
    for (std::uint32_t i = 0; i < object->size; ++i) look(object->items()[i]);
  }

 private:
  const Pool& pool_;
  std::vector<std::uint32_t>& slots_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

std::uint32_t Vm::without_child(std::uint32_t config, std::uint32_t nth) {
  const auto bytes = pool().packed(config_id(config));
  Unpacker from(bytes);
  Head h = head(from);
  h.free.insert(std::lower_bound(h.free.begin(), h.free.end(), nth), nth);
  while (!h.free.empty() && h.free.back() + 1 == h.children) {
    h.free.pop_back();
    --h.children;
  }
  packer_.clear();
  pack(h);
  packer_.add_bytes({from.at(), bytes.data() + bytes.size()});
  return config_word(pool().intern_packed(packer_.bytes()), standing(config));
}

void Vm::referred_by_machine(std::uint32_t config, std::vector<std::uint32_t>& slots) const {
  if (config == 0 || config == kHaltedWord) return;
  Finder finder(pool(), slots);
  Unpacker from(pool().packed(config_id(config)));
  const Head h = head(from);
  if (h.under_way) {
    from.skip(1);
    finder.look(from.value());
  }
  const std::size_t frames = from.small(), stack = from.small();
  for (std::size_t fields = world_.code.machines[world_.machine_of[h.interface]].fields.size(); fields > 0; --fields) finder.look(from.value());
  from.skip(3 * frames);
  for (std::size_t i = 0; i < stack; ++i) finder.look(from.value());
}

void Vm::referred_by_inbox(std::uint32_t box, std::vector<std::uint32_t>& slots) const {
  Finder finder(pool(), slots);
  for (const std::uint32_t message : inbox(box)) finder.look(payload_of(message));
}

void Vm::referred_by_monitor(std::uint32_t number, std::uint32_t config, std::vector<std::uint32_t>& slots) const {
  Finder finder(pool(), slots);
  for (const std::uint64_t bits : monitor_fields(number, config)) finder.look(Value::from_bits(bits));
}

std::span<const std::uint32_t> PSpace::referred(Holder holder, std::uint32_t word) {
  const auto key = std::uint64_t{word} << 32 | holder.key();
  if (const std::uint32_t* const known = referred_.find(key)) return references_[*known];
  constexpr std::size_t kMost = std::size_t{1} << 13;
  if (references_.size() >= kMost) {
    references_.clear();
    referred_.clear();
  }
  std::vector<std::uint32_t>& slots = references_.emplace_back();
  switch (holder.kind) {
    case Holder::Kind::kMachine: vm_.referred_by_machine(word, slots); break;
    case Holder::Kind::kInbox: vm_.referred_by_inbox(word, slots); break;
    case Holder::Kind::kMonitor: vm_.referred_by_monitor(holder.monitor, word, slots); break;
  }
  referred_.insert(key, static_cast<std::uint32_t>(references_.size() - 1));
  return slots;
}

/// Returns whether the step may have dropped the last reference to a halted machine. Only the acting machine and the monitors that it tells can lose
/// references.
bool PSpace::lets_go(StateView before, std::uint32_t slot, StateView after) {
  if (machine(after, slot).config == kHaltedWord) return true;
  bool anyone_halted = before[layout_.rest()] != 0;
  for (std::uint32_t s = 0; s < layout_.slots() && !anyone_halted; ++s) anyone_halted = before[layout_.slot(s)] == kHaltedWord;
  if (!anyone_halted) return false;
  const MachineWords was = machine(before, slot), is = machine(after, slot);
  const auto lost = [&](Holder holder, std::uint32_t old_word, std::uint32_t new_word) {
    if (old_word == new_word) return false;
    const auto old_ones = referred(holder, old_word);
    if (old_ones.empty()) return false;
    const std::vector<std::uint32_t> had(old_ones.begin(), old_ones.end());
    const auto has = referred(holder, new_word);
    return std::any_of(had.begin(), had.end(), [&](std::uint32_t s) {
      return !std::binary_search(has.begin(), has.end(), s) && machine(before, s).config == kHaltedWord;
    });
  };
  if (lost({Holder::Kind::kMachine}, was.config, is.config) || lost({Holder::Kind::kInbox}, was.inbox, is.inbox)) return true;
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m)
    if (lost({Holder::Kind::kMonitor, m}, before[layout_.monitor(m)], after[layout_.monitor(m)])) return true;
  return false;
}

void PSpace::put(Word* state, const MachineWords& m) {
  if (m.slot < layout_.slots()) {
    state[layout_.slot(m.slot)] = m.config;
    state[layout_.slot(m.slot) + 1] = m.inbox;
    return;
  }
  rest_.load(vm_.pool(), state[layout_.rest()]);
  Rest::Machine& at = rest_.at(vm_.pool(), m.slot);
  at.config = m.config;
  at.inbox = m.inbox;
  state[layout_.rest()] = rest_.save(vm_.pool());
}

/// Removes halted machines that nothing refers to and that have no children left. (Children are known by their creator.)
void PSpace::forget_the_dead(Word* state) {
  const StateView view{state, layout_.words()};
  std::vector<std::uint32_t> dead;  // in order
  for_each_machine(view, [&](const MachineWords& m) {
    if (m.config == kHaltedWord && m.slot != 0) dead.push_back(m.slot);
  });
  if (dead.empty()) return;
  std::vector<std::uint32_t> needed(dead.size());  // so many references and children has each of them
  const auto place_of = [&](std::uint32_t slot) { return static_cast<std::size_t>(std::lower_bound(dead.begin(), dead.end(), slot) - dead.begin()); };
  const auto is_dead = [&](std::size_t place, std::uint32_t slot) { return place < dead.size() && dead[place] == slot; };
  const auto need = [&](std::uint32_t slot) {
    if (const std::size_t at = place_of(slot); is_dead(at, slot)) ++needed[at];
  };
  for_each_machine(view, [&](const MachineWords& m) {
    std::ranges::for_each(referred({Holder::Kind::kMachine}, m.config), need);
    std::ranges::for_each(referred({Holder::Kind::kInbox}, m.inbox), need);
    need(world_.identities.identity(m.slot).parent);
  });
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m) std::ranges::for_each(referred({Holder::Kind::kMonitor, m}, state[layout_.monitor(m)]), need);
  std::vector<std::uint32_t> gone;
  for (std::size_t i = 0; i < dead.size(); ++i)
    if (needed[i] == 0) gone.push_back(dead[i]);
  while (!gone.empty()) {
    const std::uint32_t slot = gone.back(), parent = world_.identities.identity(slot).parent;
    gone.pop_back();
    take_out(state, slot);
    if (const std::size_t at = place_of(parent); is_dead(at, parent) && --needed[at] == 0) gone.push_back(parent);
  }
}

/// Takes out a machine that has halted; its number is free. Requires: it has no children.
void PSpace::take_out(Word* state, std::uint32_t slot) {
  const Identities::Identity who = world_.identities.identity(slot);
  put(state, {slot, 0, 0});
  MachineWords parent = machine({state, layout_.words()}, who.parent);
  if (parent.config == kHaltedWord || who.nth >= Identities::kAdopted) return;
  parent.config = vm_.without_child(parent.config, who.nth);
  put(state, parent);
}

}  // namespace tarry::plang
