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
  std::uint32_t space, module, size, is_read, kind, value_module, way, unused;
  std::uint64_t offset, value;
};

}  // namespace

std::string bytes_of(const RegionEntry& entry) {
  const Footprint& read = entry.read;
  const FixedPart fixed{read.module, read.unnamed_module, static_cast<std::uint32_t>(read.region.size()), static_cast<std::uint32_t>(entry.known.size()), read.offset, read.depth, read.unnamed_offset};
  std::string out(reinterpret_cast<const char*>(&fixed), sizeof(fixed));
  out += read.region;
  for (const auto& [cell, value] : entry.known) {
    const CellBytes bytes{static_cast<std::uint32_t>(cell.space), cell.module, cell.size, read.values.contains(cell) ? 1u : 0u, static_cast<std::uint32_t>(value.kind), value.module, static_cast<std::uint32_t>(cell.way.size()), 0, cell.offset, value.value};
    out.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
    out.append(reinterpret_cast<const char*>(cell.way.data()), cell.way.size() * sizeof(std::int64_t));
  }
  return out;
}

bool entry_at(std::string_view bytes, RegionEntry& out) {
  FixedPart fixed;
  if (bytes.size() < sizeof(fixed)) return false;
  std::memcpy(&fixed, bytes.data(), sizeof(fixed));
  bytes.remove_prefix(sizeof(fixed));
  if (bytes.size() < fixed.name_size) return false;
  out = {};
  out.read = {.region = std::string(bytes.substr(0, fixed.name_size)), .module = fixed.module, .offset = fixed.offset, .depth = fixed.depth, .unnamed_module = fixed.unnamed_module, .unnamed_offset = fixed.unnamed_offset};
  bytes.remove_prefix(fixed.name_size);
  for (std::uint32_t i = 0; i < fixed.cells; ++i) {
    CellBytes cell;
    if (bytes.size() < sizeof(cell)) return false;
    std::memcpy(&cell, bytes.data(), sizeof(cell));
    bytes.remove_prefix(sizeof(cell));
    if (bytes.size() / sizeof(std::int64_t) < cell.way) return false;
    FootprintCell name{static_cast<FootprintCell::Space>(cell.space), cell.module, cell.offset, cell.size, std::vector<std::int64_t>(cell.way)};
    if (cell.way > 0) std::memcpy(name.way.data(), bytes.data(), cell.way * sizeof(std::int64_t));
    bytes.remove_prefix(cell.way * sizeof(std::int64_t));
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

bool contradict(const Cells& one, const Cells& other) {
  return std::any_of(one.begin(), one.end(), [&](const auto& cell) {
    const auto found = other.find(cell.first);
    return found != other.end() && found->second != cell.second;
  });
}

}  // namespace tarry::enforce
