#include "enforce/region_footprint.h"

#include <algorithm>
#include <cstring>

namespace tarry::enforce {
namespace {

struct FixedPart {
  std::uint32_t module, unnamed_module, name_size, cells;
  std::uint64_t offset, depth, unnamed_offset;
};
struct CellBytes {
  std::uint32_t space, module, size, is_read, kind, value_module;
  std::uint64_t offset, value;
};

}  // namespace

std::string bytes_of(const RegionEntry& entry) {
  const Footprint& read = entry.read;
  const FixedPart fixed{read.module, read.unnamed_module, static_cast<std::uint32_t>(read.region.size()), static_cast<std::uint32_t>(entry.known.size()), read.offset, read.depth, read.unnamed_offset};
  std::string out(reinterpret_cast<const char*>(&fixed), sizeof(fixed));
  out += read.region;
  for (const auto& [cell, value] : entry.known) {
    const CellBytes bytes{static_cast<std::uint32_t>(cell.space), cell.module, cell.size, read.values.contains(cell) ? 1u : 0u, static_cast<std::uint32_t>(value.kind), value.module, cell.offset, value.value};
    out.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
  }
  return out;
}

bool entry_at(std::string_view bytes, RegionEntry& out) {
  FixedPart fixed;
  if (bytes.size() < sizeof(fixed)) return false;
  std::memcpy(&fixed, bytes.data(), sizeof(fixed));
  bytes.remove_prefix(sizeof(fixed));
  if (bytes.size() < fixed.name_size || (bytes.size() - fixed.name_size) / sizeof(CellBytes) < fixed.cells) return false;
  out = {};
  out.read = {.region = std::string(bytes.substr(0, fixed.name_size)), .module = fixed.module, .offset = fixed.offset, .depth = fixed.depth, .unnamed_module = fixed.unnamed_module, .unnamed_offset = fixed.unnamed_offset};
  for (std::uint32_t i = 0; i < fixed.cells; ++i) {
    CellBytes cell;
    std::memcpy(&cell, bytes.data() + fixed.name_size + i * sizeof(cell), sizeof(cell));
    const FootprintCell name{static_cast<FootprintCell::Space>(cell.space), cell.module, cell.offset, cell.size};
    const CellValue value{static_cast<CellValue::Kind>(cell.kind), cell.value_module, cell.value};
    out.known.emplace(name, value);
    if (cell.is_read != 0) out.read.values.emplace(name, value);
  }
  return true;
}

bool is_within(const Cells& part, const Cells& whole) {
  return std::all_of(part.begin(), part.end(), [&](const auto& one) {
    const auto found = whole.find(one.first);
    return found != whole.end() && found->second == one.second;
  });
}

}  // namespace tarry::enforce
