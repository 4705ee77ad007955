// Regions (tarry::Region): what the program reads in one before it writes it, for `tarry verify` (enforce/region_footprint.h).
//
// Variables that were read once in a region are noted at each later entry, too, read or not: so more is known about the state at an entry than one execution
// reads.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

/// A variable, or a part of one: cells may overlap.
struct RegionCell {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  friend auto operator<=>(const RegionCell&, const RegionCell&) = default;
};
struct CellAtEntry {
  std::uint64_t value = 0;
  std::uintptr_t read = 0;    // the place of the first read; 0: it is not read
  std::uintptr_t block = 0;   // of the heap that it lies in; 0: in none
  std::uintptr_t target = 0;  // of the heap that it points to, if it is a pointer
};

struct LeftRegion {
  std::string name;
  std::uintptr_t pc = 0;
  std::uintptr_t depth = 0;                   // of the stack at the entry, from the frame of main
  std::map<RegionCell, CellAtEntry> cells = {};
  std::uintptr_t unnamed = 0;                 // the place of a read of memory that has no name; 0: none
  const char* problem = nullptr;              // why it cannot be enforced
};

/// What regions read, over all executions, by the place and the depth of the entry.
struct RegionCells : Kept {
  Lasting<std::map<std::pair<std::uintptr_t, std::uintptr_t>, std::set<RegionCell>>> known;
  std::uintptr_t main_frame = 0;
};

// Return whether the program enters or leaves one now, and what regions read is asked for.
bool enter_region(const char* name, std::uintptr_t stack, std::uintptr_t pc);
bool leave_region();
/// What is there at the entry does not matter in the present region.
void ignore_in_region(const void* address, std::size_t size);

// Accesses by the program. Requires: g_watch.in_region.
void read_in_region(const void* address, std::size_t size, std::uintptr_t pc);
void written_in_region(const void* address, std::size_t size);
void allocated_in_region(const void* block, std::size_t size);

/// Returns the first region that was left since the last call. Requires: there is one.
LeftRegion take_region();

}  // namespace tarry::native::rt
