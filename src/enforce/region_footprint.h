// The values with which a region is entered, as far as its traces depend on them: its footprint.
//
// A footprint has the variables that the region read before it wrote them, with their values at the entry. Variables are named so that another process finds
// them: static data by module and offset, what lies on the main thread's stack by its distance from the frame of main, and what lies on the heap by the
// pointers that lead there from a variable of the other two sorts. Pointers to static data are compared by its name; those to a heap or a stack only have to be
// some pointer, because what the region reads there has values of its own.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::enforce {

struct FootprintCell {
  enum class Space : std::uint32_t { kData, kStack };
  Space space = Space::kData;
  std::uint32_t module = 0;   // kData
  std::uint64_t offset = 0;   // kStack: down from the frame of main
  std::uint32_t size = 0;     // 1, 2, 4 or 8
  std::vector<std::int64_t> way = {};  // on the heap: the variable is a pointer; each number is added to it, and leads to a further pointer or to what is meant
  friend auto operator<=>(const FootprintCell&, const FootprintCell&) = default;
};

struct CellValue {
  enum class Kind : std::uint32_t { kBytes, kToData, kToMemory };
  Kind kind = Kind::kBytes;
  std::uint32_t module = 0;   // kToData
  std::uint64_t value = 0;    // kToData: the offset; kToMemory: nothing
  friend auto operator<=>(const CellValue&, const CellValue&) = default;
};

using Cells = std::map<FootprintCell, CellValue>;

struct Footprint {
  std::string region;         // its name
  std::uint32_t module = 0;   // of the place of the entry
  std::uint64_t offset = 0;
  std::uint64_t depth = 0;    // of the stack at the entry, from the frame of main
  Cells values = {};
  std::uint32_t unnamed_module = 0;  // the place of a read of other memory that was there before the entry (heap, thread_local); it is not compared
  std::uint64_t unnamed_offset = 0;  // 0: there is none
  friend auto operator<=>(const Footprint&, const Footprint&) = default;

  bool is_of_same_region(const Footprint& other) const { return module == other.module && offset == other.offset && depth == other.depth; }
};

/// An entry of a region in some execution: what it read, and further values that are known.
struct RegionEntry {
  Footprint read;
  Cells known = {};  // has the values of `read`, too
};

/// Returns the entry as plain bytes: equal entries give equal bytes.
std::string bytes_of(const RegionEntry& entry);
/// Reads an entry. Returns false if there is none.
bool entry_at(std::string_view bytes, RegionEntry& out);

/// Returns the cells with the numbers of modules that `number` gives. Numbers of modules that say nothing are 0, and stay so.
template <class Number>
Cells renumbered(const Cells& cells, const Number& number) {
  Cells out;
  for (const auto& [there, target] : cells) {
    FootprintCell cell = there;
    CellValue value = target;
    if (cell.space == FootprintCell::Space::kData) cell.module = number(cell.module);
    if (value.kind == CellValue::Kind::kToData) value.module = number(value.module);
    out.emplace(cell, value);
  }
  return out;
}

/// Returns whether each cell of `part` is in `whole`, with the same value.
bool is_within(const Cells& part, const Cells& whole);
/// Returns whether some cell is in both with different values: no entry has the values of both.
bool contradict(const Cells& one, const Cells& other);

}  // namespace tarry::enforce
