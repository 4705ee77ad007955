// Chains of machines in which each one creates the next one and halts: the next one moves up to where its creator was.
//
// A machine is known by its creator, so a chain without end would give each of its machines a new identity, and no cycle would ever close. Far down the tree of creators, a machine that has halted and
// that nothing refers to is therefore taken out although it has children. Its own creator adopts them. An adopted machine has a number of its own kind, so that the numbers of created ones
// stay free. Everything that refers to it, or to a machine below it, is written anew.
//
// Near the start of the tree nothing is adopted: programs whose machines are not that deep have one identity for each machine, in whatever order machines are created.
//
// Invariants:
// - The new slots are empty before the step, and the old ones after it. So a machine that waits for its turn, and moves, is no starved process: its slot cannot run then. A machine moves up
//   only, so it moves finitely often, and a machine that is starved for ever stays in one slot.
// - An adopted machine is still deep (PSpace::is_deep), so that it never goes before others when it creates machines.
#include <algorithm>
#include <map>

#include "plang/vm/renaming.h"
#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

constexpr std::uint32_t kAdopted = Identities::kAdopted;

/// The numbers on the way from the first machine. They name a machine whatever the slots are.
std::vector<std::uint32_t> way_to(const Identities& identities, std::uint32_t slot) {
  std::vector<std::uint32_t> out;
  for (Identities::Identity who = identities.identity(slot); who.parent != kNone; who = identities.identity(who.parent)) out.push_back(who.nth);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

/// The deep machines that have halted and that no value refers to. The others that are gone have been forgotten, so these have children.
std::vector<std::uint32_t> PSpace::dead_creators(StateView state) {
  std::vector<std::uint32_t> dead;
  for_each_machine(state, [&](const MachineWords& m) {
    if (m.config == kHaltedWord && m.slot != 0 && is_deep(m.slot)) dead.push_back(m.slot);
  });
  if (dead.empty()) return dead;
  const auto keep = [&](std::span<const std::uint32_t> slots) {
    for (const std::uint32_t s : slots) std::erase(dead, s);
  };
  for_each_machine(state, [&](const MachineWords& m) {
    keep(referred({Holder::Kind::kMachine}, m.config));
    keep(referred({Holder::Kind::kInbox}, m.inbox));
  });
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m) keep(referred({Holder::Kind::kMonitor, m}, state[layout_.monitor(m)]));
  std::sort(dead.begin(), dead.end(), [&](std::uint32_t a, std::uint32_t b) { return way_to(world_.identities, a) < way_to(world_.identities, b); });
  return dead;
}

/// New slots for all machines below `dead`, as if its creator had adopted its children. Empty: there are no slots left.
SlotNames PSpace::slots_after_adoption(StateView before, StateView state, std::uint32_t dead) {
  Identities& identities = world_.identities;
  const std::uint32_t adopter = identities.identity(dead).parent;
  std::map<std::uint32_t, std::vector<std::uint32_t>> children;  // by slot
  for_each_machine(state, [&](const MachineWords& m) {
    if (const std::uint32_t parent = identities.identity(m.slot).parent; parent != kNone) children[parent].push_back(m.slot);
  });
  SlotNames out;
  std::vector<std::uint32_t> taken;
  const auto is_free = [&](std::uint32_t slot) {
    return machine(before, slot).config == 0 && machine(state, slot).config == 0 && std::find(taken.begin(), taken.end(), slot) == taken.end();
  };
  const auto by_number = [&](std::uint32_t a, std::uint32_t b) { return identities.identity(a).nth < identities.identity(b).nth; };
  std::sort(children[dead].begin(), children[dead].end(), by_number);
  for (const std::uint32_t child : children[dead]) {
    std::uint32_t slot = kNone;
    for (std::uint32_t nth = kAdopted; slot == kNone; ++nth) {
      slot = identities.slot(adopter, nth, identities.identity(child).interface);
      if (slot == kNone) return {};
      if (!is_free(slot)) slot = kNone;
    }
    taken.push_back(slot);
    out[child] = slot;
  }
  std::vector<std::uint32_t> moved = children[dead];
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (const std::uint32_t below : children[moved[i]]) {
      const Identities::Identity who = identities.identity(below);
      const std::uint32_t slot = identities.slot(out.at(moved[i]), who.nth, who.interface);
      if (slot == kNone) return {};
      out[below] = slot;
      moved.push_back(below);
    }
  return out;
}

/// False, and nothing has changed, if the order of a set or map could depend on the names.
bool PSpace::rename(Word* state, const SlotNames& names) {
  const StateView view{state, layout_.words()};
  Renaming renaming(vm_.pool(), names);
  std::vector<MachineWords> machines;
  for_each_machine(view, [&](const MachineWords& m) { machines.push_back(m); });
  for (MachineWords& m : machines) {
    m.config = vm_.renamed_machine(m.config, renaming);
    m.inbox = vm_.renamed_inbox(m.inbox, renaming);
  }
  std::vector<std::uint32_t> monitors;
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m) monitors.push_back(vm_.renamed_monitor(m, state[layout_.monitor(m)], renaming));
  if (renaming.reorders()) return false;
  for (const auto& [from, to] : names) put(state, {from, 0, 0});
  for (MachineWords& m : machines) {
    m.slot = renaming.slot(m.slot);
    put(state, m);
  }
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m) state[layout_.monitor(m)] = monitors[m];
  if (Word& only = state[layout_.exclusive()]; only != 0) only = renaming.slot(only - 1) + 1;
  renamed_.insert(renamed_.end(), names.begin(), names.end());
  return true;
}

void PSpace::shorten_chains(StateView before, Word* state) {
  constexpr std::uint32_t kMany = 64;  // where so many have piled up, no loop closes, and each look would cost more than the step
  const StateView view{state, layout_.words()};
  if (machines_in(view) > kMany) return;
  // Names that cannot be changed must not cost slots, each time anew: so the machines keep their names at first, which makes nothing new.
  const auto may_move = [&](std::uint32_t dead) {
    std::vector<MachineWords> machines;
    for_each_machine(view, [&](const MachineWords& m) { machines.push_back(m); });
    SlotNames same;
    for (const MachineWords& m : machines)
      for (std::uint32_t at = m.slot; at != kNone && m.slot != dead; at = world_.identities.identity(at).parent)
        if (at == dead) same[m.slot] = m.slot;
    Renaming renaming(vm_.pool(), same);
    for (const MachineWords& m : machines) {
      vm_.renamed_machine(m.config, renaming);
      vm_.renamed_inbox(m.inbox, renaming);
    }
    for (std::uint32_t m = 0; m < layout_.monitors(); ++m) vm_.renamed_monitor(m, state[layout_.monitor(m)], renaming);
    return !renaming.reorders();
  };
  for (bool again = true; again;) {
    again = false;
    for (const std::uint32_t dead : dead_creators(view)) {
      if (!may_move(dead)) continue;
      const SlotNames names = slots_after_adoption(before, view, dead);
      if (names.empty() || !rename(state, names)) continue;
      take_out(state, dead);
      again = true;
      break;
    }
  }
}

}  // namespace tarry::plang
