// Regions (tarry::Region): parts of the program that are enforced by themselves, again and again.
//
// The main thread enters a region while it is the only thread. It takes the newest set then, and looks for the footprint that the present values fit
// (enforce/region_footprint.h). Outside of regions nothing is enforced, because there is nothing to order.
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstring>

#include "enforce/region_footprint.h"
#include "enforce/rt/raw.h"
#include "enforce/rt/real.h"
#include "enforce/rt/state.h"

namespace tarry::enforce::rt {
namespace {

/// Pages of the heap that can be read, in the present search for a footprint. A pointer of the traces may be anything now. The kernel says what it points to, once
/// per page.
class ReadablePages {
 public:
  bool has(std::uintptr_t address, std::uint32_t size) { return has_page(address / kPage) && has_page((address + size - 1) / kPage); }

 private:
  bool has_page(std::uintptr_t page) {
    std::uintptr_t& known = known_[page % kKnown];
    if (page == 0 || known == page) return page != 0;
    char byte;
    iovec here{&byte, 1}, there{reinterpret_cast<void*>(page * kPage), 1};
    if (raw(SYS_process_vm_readv, raw(SYS_getpid), raw_address(&here), 1, raw_address(&there), 1) != 1) return false;
    known = page;
    return true;
  }

  static constexpr std::uintptr_t kPage = 4096, kKnown = 64;
  std::uintptr_t known_[kKnown] = {};
};

/// Reads a variable. Returns false if the pointers that lead there lead nowhere now.
bool read_present(const CellRecord& cell, ReadablePages& pages, std::uint64_t& value) {
  const Control& all = *g_control;
  std::uintptr_t address = cell.space == static_cast<std::uint32_t>(FootprintCell::Space::kData) ? all.bases[cell.module] + cell.offset : g_main_frame - cell.offset;
  for (std::uint32_t i = 0; i < cell.way_size; ++i) {
    if (i > 0 && !pages.has(address, sizeof(address))) return false;
    std::memcpy(&address, reinterpret_cast<const void*>(address), sizeof(address));
    address += static_cast<std::uintptr_t>(all.image.ways()[cell.way + i]);
  }
  if (cell.way_size > 0 && !pages.has(address, cell.size)) return false;
  value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), cell.size);
  return true;
}
std::uint64_t present_value(const CellRecord& cell) {
  ReadablePages pages;
  std::uint64_t value = 0;
  read_present(cell, pages, value);
  return value;
}

/// Returns whether the module is in the process. The program itself may be at address 0.
bool is_loaded(std::uint32_t module) { return g_control->bases[module] != 0 || g_control->image.modules()[module].size == 0; }

bool holds(const CellRecord& cell, ReadablePages& pages) {
  if (cell.space == static_cast<std::uint32_t>(FootprintCell::Space::kData) && !is_loaded(cell.module)) return false;
  std::uint64_t value = 0;
  if (!read_present(cell, pages, value)) return false;
  switch (static_cast<CellValue::Kind>(cell.kind)) {
    case CellValue::Kind::kBytes: return value == cell.value;
    case CellValue::Kind::kToData: return is_loaded(cell.value_module) && value == g_control->bases[cell.value_module] + cell.value;
    case CellValue::Kind::kToMemory: return value != 0;
  }
  return false;
}

struct Match {
  std::uint32_t footprint = kNobody;  // that fits
  std::uint32_t near = kNobody;       // or the one that fits best
  std::uint32_t cell = 0;             // the first one of it that does not
};

/// Returns the footprint that fits and has the most traces. Several may fit: one may have fewer cells than the other.
Match matching(std::uintptr_t depth, std::uintptr_t pc) {
  const Control& all = *g_control;
  const auto footprints = all.image.footprints();
  Match out;
  ReadablePages pages;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < footprints.size(); ++i) {
    const FootprintRecord& one = footprints[i];
    if (one.traces == 0 || one.depth != depth || all.bases[one.module] + one.offset != pc) continue;
    if (out.footprint != kNobody && footprints[out.footprint].traces >= one.traces) continue;
    std::uint64_t wrong = 0;
    std::uint32_t first = 0;
    for (std::uint32_t at = one.cells; at < one.cells + one.cell_count && (wrong == 0 || out.footprint == kNobody); ++at) {
      if (holds(all.image.cells()[at], pages)) continue;
      if (wrong++ == 0) first = at;
    }
    if (wrong == 0) out.footprint = i;
    else if (wrong < least) least = wrong, out.near = i, out.cell = first;
  }
  return out;
}

void enter_region(const char* name, std::uintptr_t stack, std::uintptr_t pc) {
  if (g_control == nullptr || !g_control->has_regions || t_self.number == kNobody) return;
  Control& all = *g_control;
  const Actual entry{.kind = Kind::kEnterRegion, .pc = pc};
  const Mode mode = g_mode.load();
  if (mode == Mode::kEnforce) return unverified(Unverified::Why::kOutOfScope, entry, kNobody, "tarry::Region in another region");
  if (mode != Mode::kOutside || t_self.number != 0) return;  // the run has left the set, and threads of that part are still there
  g_mode.store(Mode::kEnforce);
  if (all.live.load() != 1) return unverified(Unverified::Why::kOutOfScope, entry, kNobody, "tarry::Region while other threads run");
  while (all.ending.load() != 0) raw(SYS_sched_yield);
  take_newest_set();
  all.admission->restart();
  all.bindings.clear();
  all.created.store(1);
  const Match match = matching(g_main_frame - stack, pc);
  if (match.footprint == kNobody) {
    Actual actual = entry;
    if (match.near != kNobody) actual.value = static_cast<std::int64_t>(present_value(all.image.cells()[match.cell]));
    return unverified(Unverified::Why::kEntry, actual, match.near, name, match.cell);
  }
  Actual actual = entry;
  actual.value = match.footprint;
  const Permission permission = all.admission->attempt_alone(0, [&](const LabelRecord& label) {
    return label.kind == static_cast<std::uint32_t>(Kind::kEnterRegion) && all.image.objects()[label.object].value == match.footprint;
  });
  if (permission.answer != Permission::Answer::kGo) return unverified(Unverified::Why::kEntry, entry, kNobody, name);
  if (all.log.on()) all.log.claim(0, actual);
  leave(permission.event);
}

void leave_region(std::uintptr_t pc) {
  if (g_control == nullptr || !g_control->has_regions || t_self.number != 0) return;
  Control& all = *g_control;
  if (g_mode.load() == Mode::kOutside) return;
  const std::uint32_t event = enter({.kind = Kind::kLeaveRegion, .pc = pc});
  leave(event);
  all.block->regions.fetch_add(1, std::memory_order_relaxed);
  if (event != kFree) {
    all.block->events.fetch_add(all.admission->completed(), std::memory_order_relaxed);
    all.block->trace = all.admission->trace_taken();
  }
  if (all.log.on()) all.log.write(event == kFree ? 0 : all.block->trace, event != kFree, all.set);
  if (t_self.has_baton) give_baton();
  if (all.live.load() == 1) g_mode.store(Mode::kOutside);
}

}  // namespace
}  // namespace tarry::enforce::rt

using namespace tarry::enforce::rt;

TARRY_ENFORCED void tarry_rt_enter_region(const char* name) {
  constexpr std::uintptr_t kSaved = 2 * sizeof(void*);  // the frame pointer and the place of the call: the caller's frame is behind them
  enter_region(name, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kSaved, TARRY_PLACE);
}
TARRY_ENFORCED void tarry_rt_leave_region() { leave_region(TARRY_PLACE); }
TARRY_ENFORCED void tarry_rt_ignore_in_region(const void* /*object*/, std::size_t /*size*/) {}
