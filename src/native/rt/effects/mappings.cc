#include "native/rt/effects/mappings.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "native/rt/base/heap.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/actions.h"
#include "native/rt/effects/aliases.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Memory that the execution has mapped and unmapped.
struct Mappings {
  struct Range {
    std::uintptr_t from, to;
  };
  /// Where memory was unmapped, and where another thread is about to use it; zeros: nowhere.
  struct InUse {
    std::uintptr_t unmapped, used;
  };
  Lasting<std::vector<Range>> mapped;  // they do not overlap
  Lasting<std::vector<Unmapped>> gone;
  InUse in_use = {};
  long first_break = 0;
  bool break_moved = false;

  void reset();
};
template struct RoomOf<Mappings>;

namespace {

using Range = Mappings::Range;
Mappings& mappings() { return part<Mappings>(); }
std::vector<Range>& mapped() { return *mappings().mapped; }
std::vector<Unmapped>& gone() { return *mappings().gone; }

std::uintptr_t up(std::uintptr_t size) { return (size + Pages::kSize - 1) & ~(Pages::kSize - 1); }
Range range_of(long from, long size) { return {static_cast<std::uintptr_t>(from), static_cast<std::uintptr_t>(from) + up(static_cast<std::uintptr_t>(size))}; }

bool failed(long result) { return result < 0 && result >= -4095; }

/// Takes a range away from those of this execution.
void subtract(Range gone) {
  std::vector<Range> rest;
  for (const Range& one : mapped()) {
    if (one.from < std::min(one.to, gone.from)) rest.push_back({one.from, std::min(one.to, gone.from)});
    if (std::max(one.from, gone.to) < one.to) rest.push_back({std::max(one.from, gone.to), one.to});
  }
  mapped().swap(rest);
}

void add(Range range) {
  subtract(range);
  mapped().push_back(range);
}

/// All of it was mapped in this execution.
bool owned(Range range) {
  std::uintptr_t covered = 0;
  for (const Range& one : mapped()) {
    const std::uintptr_t from = std::max(one.from, range.from), to = std::min(one.to, range.to);
    if (from < to) covered += to - from;
  }
  return covered == range.to - range.from;
}

/// What lies there is gone, as if zeros were written: an access of the caller's, if others may see it.
void overwrites(Range range, std::uintptr_t pc) {
  constexpr std::uintptr_t kMost = std::uintptr_t{4} << 20;  // more would take long to tell
  const std::uintptr_t caller = calling_place(pc) - 1;
  if (scheduler().alone() || !tells_accesses(caller) || range.to <= range.from) return;
  writing(reinterpret_cast<const void*>(range.from), std::min(range.to - range.from, kMost), caller);
}

const void* start_of(Range range) { return reinterpret_cast<const void*>(range.from); }

bool lies_in(Range range, const void* object) { return reinterpret_cast<std::uintptr_t>(object) - range.from < range.to - range.from; }

/// Tells whether the thread is about to use an object there, or waits in a loop for a value there to change. A plain access may be meant to crash.
bool is_used_by(const Thread& thread, Range range) {
  if (thread.state != Thread::State::kAlive || (thread.pending.ready == nullptr && has_handler(SIGSEGV))) return false;
  bool used = lies_in(range, thread.pending.object) || lies_in(range, thread.pending.also);
  if (awaits(thread)) for_awaited(thread, [&](const void* at, std::size_t /*size*/) { used |= lies_in(range, at); });
  return used;
}

/// The running thread is about to unmap what lies there.
void vanishes(Range range, std::uintptr_t pc) {
  if (range.to <= range.from) return;
  Scheduler& all = scheduler();
  const std::uintptr_t caller = calling_place(pc) - 1;
  tells_accesses(caller) ? unmapping(start_of(range), range.to - range.from, caller) : rt::mapped(start_of(range), range.to - range.from);
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    if (i == all.running() || !is_used_by(all.thread(i), range)) continue;
    Operation& pending = all.thread(i).pending;
    mappings().in_use = {caller, pending.pc};
    pending = {.op = Op::kPause, .pc = pending.pc, .thread = i};  // the engine must not look at the object any more
  }
  if (!is_in_linker(pc)) fail_if_unmapped_in_use();
  const EngineScope engine;
  gone().push_back({range.from, range.to, caller});
}

}  // namespace

void remember_mappings() { mappings().first_break = raw(SYS_brk, 0); }

void forget_mappings() {
  mapped().clear();
  gone().clear();
  mappings().in_use = {};
  mappings().break_moved = false;
}

void Mappings::reset() {
  for (const Range& one : *mapped) raw(SYS_munmap, one.from, one.to - one.from);
  if (break_moved) raw(SYS_brk, first_break);
  forget_mappings();
}

void fail_if_unmapped_in_use() {
  if (mappings().in_use.unmapped == 0) return;
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = "memory";
    failure.message = "use after free: memory is unmapped at {0} that another thread is about to use at {1}";
    failure.pc = mappings().in_use.unmapped;
    failure.places = {mappings().in_use.unmapped, mappings().in_use.used};
  }
  scheduler().fail(std::move(failure));
}

const Unmapped* unmapped_last(std::uintptr_t address) {
  for (std::size_t i = gone().size(); i > 0; --i)
    if (const Unmapped& one = gone()[i - 1]; address - one.from < one.to - one.from) return &one;
  return nullptr;
}

long map_memory(const long (&a)[6], std::uintptr_t pc) {
  const Range range = range_of(a[0], a[1]);
  const bool fixed = (a[3] & MAP_FIXED) != 0 && (a[3] & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE;
  const bool by_linker = is_in_linker(pc);  // it replaces what it has just mapped
  if (fixed && !by_linker) overwrites(range, pc);
  if (fixed && !owned(range)) fresh::need("the program maps memory at addresses of its own choice");
  if ((a[2] & PROT_EXEC) != 0 && (a[3] & MAP_ANONYMOUS) == 0) fresh::need("the program loads libraries while it runs");
  const bool loads = a[0] == 0 && a[5] == 0 && (a[3] & MAP_DENYWRITE) != 0;  // a flag of the dynamic linker's, which does nothing
  const long wanted = loads ? static_cast<long>(address_for_library(static_cast<int>(a[4]), static_cast<std::size_t>(a[1]))) : a[0];
  const long at = raw(SYS_mmap, wanted, a[1], a[2], a[3], a[4], a[5]);
  if (failed(at)) return at;
  add(range_of(at, a[1]));
  if (!fixed || by_linker) rt::mapped(reinterpret_cast<const void*>(at), up(static_cast<std::uintptr_t>(a[1])));
  unmapped(range_of(at, a[1]).from, range_of(at, a[1]).to);
  const bool shared = (a[3] & MAP_TYPE) != MAP_PRIVATE;
  if ((a[3] & MAP_ANONYMOUS) == 0 && !loads) mapped_file(static_cast<std::uintptr_t>(at), up(static_cast<std::uintptr_t>(a[1])), static_cast<int>(a[4]), static_cast<std::uintptr_t>(a[5]), shared);
  return at;
}

long unmap_memory(const long (&a)[6], std::uintptr_t pc) {
  const Range range = range_of(a[0], a[1]);
  if (!owned(range)) fresh::need("the program unmaps memory that it had before main");
  if (range.from % Pages::kSize == 0) vanishes(range, pc);  // else the call fails
  const long result = raw(SYS_munmap, a[0], a[1]);
  if (failed(result)) return result;
  subtract(range);
  unmapped(range.from, range.to);
  return result;
}

long remap_memory(const long (&a)[6], std::uintptr_t pc) {
  const Range range = range_of(a[0], a[1]);
  constexpr long kKeepsOld = 4;  // MREMAP_DONTUNMAP
  if (!owned(range) || (a[3] & MREMAP_FIXED) != 0) fresh::need("the program moves memory that it had before main");
  const long at = raw(SYS_mremap, a[0], a[1], a[2], a[3], a[4]);
  if (failed(at)) return at;
  if (a[1] == 0) has_alias();  // the same memory a second time
  const Range now = range_of(at, a[2]);
  if (now.from == range.from) {
    vanishes({now.to, range.to}, pc);
    if (range.to < now.to) rt::mapped(reinterpret_cast<const void*>(range.to), now.to - range.to);
  } else {
    if ((a[3] & kKeepsOld) == 0) vanishes(range, pc);
    rt::mapped(start_of(now), now.to - now.from);
  }
  moved(range.from, range.to, static_cast<std::uintptr_t>(at));
  if ((a[3] & kKeepsOld) == 0) subtract(range);
  add(range_of(at, a[2]));
  return at;
}

long protect_memory(const long (&a)[6]) {
  if (!owned(range_of(a[0], a[1]))) fresh::need("the program changes the protection of memory that it had before main");
  if ((a[2] & PROT_GROWSDOWN) != 0 && (a[2] & PROT_EXEC) != 0) scheduler().make_stacks_executable();  // the dynamic linker, for a library that it loads
  return raw(SYS_mprotect, a[0], a[1], a[2]);
}

long advise_memory(const long (&a)[6], std::uintptr_t pc) {
  const bool loses = a[2] == MADV_DONTNEED || a[2] == MADV_FREE || a[2] == MADV_REMOVE;
  if (loses && a[2] != MADV_FREE) overwrites(range_of(a[0], a[1]), pc);
  if (loses && !owned(range_of(a[0], a[1]))) part<Pages>().prepare(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]));
  return raw(SYS_madvise, a[0], a[1], a[2]);
}

long move_break(const long (&a)[6]) {
  if (a[0] != 0 && a[0] < mappings().first_break) fresh::need("the program gives back memory that it had before main");
  if (a[0] != 0) mappings().break_moved = true;
  return raw(SYS_brk, a[0]);
}

}  // namespace tarry::native::rt
