#include "native/rt/threads/spin.h"

#include <algorithm>

#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint32_t kLeast = 8;  // in a row: fewer are not worth the while

constexpr std::uint32_t kMost = 128;  // in a row: no standard library looks that often before it sleeps, so a thread that goes on waits for another thread; its yields count

constexpr std::uint32_t kFreeYields = 48;

/// Such places are kept with the accesses that race, as they go with schedules in the same way; theirs is an address that no access has.
std::uintptr_t key(std::uintptr_t pc) { return pc + 1; }

void remember(Spin& spin, std::uintptr_t pc) {
  ++spin.count;
  if (std::find(spin.places, spin.places + spin.place_count, pc) != spin.places + spin.place_count) return;
  if (spin.place_count == Spin::kPlaces) spin.count = 0, spin.place_count = 0;
  spin.places[spin.place_count++] = pc;
}

/// Was the thread's last operation of the same spin?
bool goes_on(const Thread& thread) {
  const Op op = thread.pending.op;
  return thread.spin.count > 0 && (op == Op::kLoad || op == Op::kYield || op == Op::kSleep);
}

/// A thread that yields after each load or two waits for another one, whatever it does later. Code that is not inlined (-O0) has the same places
/// for both.
bool waits(const Spin& spin) { return spin.yields > 0 && !spin.patient; }

}  // namespace

bool spins(const void* object, std::uintptr_t pc) {
  const Thread& self = scheduler().self();
  if (!goes_on(self) || self.spin.object != object || self.pending.object != object || self.spin.count > kMost || waits(self.spin)) return false;
  return g_watch.racing.contains(key(pc));
}

void loaded(const void* object, std::uintptr_t pc, std::uint64_t value) {
  Thread& self = scheduler().self();
  Spin& spin = self.spin;
  if (!goes_on(self) || spin.object != object || spin.value != value) spin = {.object = object, .value = value};
  if (spin.count <= kMost) remember(spin, pc);
}

Yielding spins_yielding(std::uintptr_t pc) {
  Thread& self = scheduler().self();
  Spin& spin = self.spin;
  if (!goes_on(self) || spin.count > kMost) return Yielding::kCounts;
  if (spin.yields++ == 0) spin.patient = spin.count >= kLeast;
  remember(spin, pc);
  if (!spin.patient) return Yielding::kCounts;
  if (g_watch.racing.contains(key(pc))) return Yielding::kNothingNew;
  return spin.yields <= kFreeYields ? Yielding::kDoesNotCount : Yielding::kCounts;
}

std::uint64_t time_of_loads() {
  constexpr std::uint64_t kMicrosecond = 1'000;
  const Thread& self = scheduler().self();
  return goes_on(self) && self.spin.count >= kLeast ? self.spin.count * kMicrosecond : 0;
}

std::uint64_t time_of_sleep(std::uint64_t nanoseconds) {
  constexpr std::uint32_t kMostDoublings = 20;
  const Spin& spin = scheduler().self().spin;
  return goes_on(scheduler().self()) && spin.patient ? nanoseconds << std::min(spin.yields, kMostDoublings) : nanoseconds;
}

void spun_until_futex() {
  Spin& spin = scheduler().self().spin;
  if (!g_watch.every_load && goes_on(scheduler().self()) && spin.count >= kLeast && !waits(spin))
    for (std::uint32_t i = 0; i < spin.place_count; ++i)
      if (const std::uintptr_t place = key(spin.places[i]); !g_watch.racing.contains(place)) found_racing().push_back(place);
  spin.count = 0;
}

}  // namespace tarry::native::rt
