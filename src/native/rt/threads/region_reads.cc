#include "native/rt/threads/region_reads.h"

#include <cstring>
#include <deque>
#include <unordered_map>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

template struct RoomOf<RegionCells>;

/// The region that the program is in, and those that it has left in this step.
struct Regions {
  Lasting<LeftRegion> present;
  Lasting<std::unordered_map<std::uintptr_t, std::uint8_t>> covered;  // bytes that were read or written, by words of eight
  Lasting<std::map<std::uintptr_t, std::uintptr_t>> fresh;            // blocks of the heap that were allocated in the region: begin and end
  Lasting<std::deque<LeftRegion>> left;
  std::uintptr_t stack = 0;  // where the caller of the region uses the stack up to

  void reset() {
    g_watch.in_region = false;
    if (!left->empty()) left->clear();
  }
};
template struct RoomOf<Regions>;

namespace {

constexpr std::size_t kMostCells = 4096;

bool others_run() {
  const Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (i != all.running() && all.thread(i).state == Thread::State::kAlive) return true;
  return false;
}

/// Marks the byte. Returns whether it was not marked.
bool cover(std::uintptr_t address) {
  std::uint8_t& word = (*part<Regions>().covered)[address / 8];
  const auto bit = static_cast<std::uint8_t>(1u << address % 8);
  if ((word & bit) != 0) return false;
  word = static_cast<std::uint8_t>(word | bit);
  return true;
}
bool is_covered(std::uintptr_t address) {
  const auto found = part<Regions>().covered->find(address / 8);
  return found != part<Regions>().covered->end() && (found->second & 1u << address % 8) != 0;
}

enum class Kind { kNamed, kHeap, kConstant, kOfRegion, kUnnamed };

/// Returns where the live block of the heap begins that has the address; 0: there is none.
std::uintptr_t block_of(std::uintptr_t address) {
  if (!program_heap::owns(reinterpret_cast<const void*>(address))) return 0;
  const program_heap::Block block = program_heap::find(reinterpret_cast<const void*>(address));
  return block.freed ? 0 : reinterpret_cast<std::uintptr_t>(block.start);
}

Kind kind_of(std::uintptr_t address) {
  if (place_of(address).offset != 0) return is_writable_data(address) && !in_runtime(address) ? Kind::kNamed : Kind::kConstant;
  const std::uint32_t owner = scheduler().owner_of_stack(reinterpret_cast<const void*>(address));
  if (owner != 0 && owner != Scheduler::kNobody) return Kind::kOfRegion;
  if (owner == 0) {
    if (address < part<Regions>().stack) return Kind::kOfRegion;
    return address < part<RegionCells>().main_frame ? Kind::kNamed : Kind::kUnnamed;
  }
  const auto& fresh = *part<Regions>().fresh;
  const auto behind = fresh.upper_bound(address);
  if (behind != fresh.begin() && address < std::prev(behind)->second) return Kind::kOfRegion;
  return block_of(address) != 0 ? Kind::kHeap : Kind::kUnnamed;
}

std::uint64_t value_at(std::uintptr_t address, std::uint32_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

CellAtEntry cell_at(const RegionCell& cell) {
  const std::uint64_t value = value_at(cell.address, cell.size);
  return {.value = value, .block = block_of(cell.address), .target = cell.size == sizeof(void*) ? block_of(value) : 0};
}

void add_cell(std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  LeftRegion& region = *part<Regions>().present;
  if (region.cells.size() >= kMostCells) return void(region.problem = "a region that reads more than 4,096 variables from before its entry");
  const RegionCell cell{address, size};
  region.cells.try_emplace(cell, cell_at(cell)).first->second.read = pc;
  (*part<RegionCells>().known)[{region.pc, region.depth}].insert(cell);
}

/// Notes a read of at most a word.
void read_part(std::uintptr_t from, std::uint32_t size, std::uintptr_t pc) {
  bool whole = from % size == 0;
  for (std::uintptr_t at = from; whole && at < from + size; ++at) whole = !is_covered(at);
  for (std::uintptr_t at = from; at < from + size; ++at) {
    if (!cover(at)) continue;
    switch (kind_of(at)) {
      case Kind::kConstant:
      case Kind::kOfRegion: break;
      case Kind::kUnnamed:
        if (part<Regions>().present->unnamed == 0) part<Regions>().present->unnamed = pc;
        break;
      case Kind::kNamed:
      case Kind::kHeap:
        if (!whole) add_cell(at, 1, pc);
        else if (at == from) add_cell(at, size, pc);
        break;
    }
  }
}

}  // namespace

bool enter_region(const char* name, std::uintptr_t stack, std::uintptr_t pc) {
  if (!g_watch.asks_for_regions) return false;
  const EngineScope engine;
  LeftRegion& region = *part<Regions>().present;
  if (g_watch.in_region) {
    region.problem = "a region within a region";
    return false;
  }
  part<Regions>().covered->clear();
  part<Regions>().fresh->clear();
  part<Regions>().stack = stack;
  region = {.name = name, .pc = pc, .depth = part<RegionCells>().main_frame - stack};
  if (scheduler().running() != 0) region.problem = "a region that another thread than main enters";
  else if (others_run()) region.problem = "a region that is entered while other threads run";
  for (const RegionCell& cell : (*part<RegionCells>().known)[{pc, region.depth}]) {
    const bool of_heap = program_heap::owns(reinterpret_cast<const void*>(cell.address));
    if (!of_heap || block_of(cell.address) != 0) region.cells.emplace(cell, cell_at(cell));
  }
  g_watch.in_region = true;
  return true;
}

bool leave_region() {
  if (!g_watch.in_region) return false;
  const EngineScope engine;
  LeftRegion& region = *part<Regions>().present;
  g_watch.in_region = false;
  if (region.problem == nullptr && others_run()) region.problem = "a region that is left while other threads run";
  part<Regions>().left->push_back(std::move(region));
  return true;
}

void ignore_in_region(const void* address, std::size_t size) {
  if (g_watch.in_region) written_in_region(address, size);
}

/// Large accesses are copies of structures: their words may be pointers, which have to be seen as such.
void read_in_region(const void* address, std::size_t size, std::uintptr_t pc) {
  const EngineScope engine;
  constexpr std::uintptr_t kWord = sizeof(void*);
  const auto from = reinterpret_cast<std::uintptr_t>(address), end = from + size;
  if (size == 1 || size == 2 || size == 4) return read_part(from, static_cast<std::uint32_t>(size), pc);
  for (std::uintptr_t at = from; at < end;) {
    const bool word = at % kWord == 0 && end - at >= kWord;
    read_part(at, word ? kWord : 1, pc);
    at += word ? kWord : 1;
  }
}

void written_in_region(const void* address, std::size_t size) {
  const EngineScope engine;
  for (std::uintptr_t at = reinterpret_cast<std::uintptr_t>(address), end = at + size; at < end; ++at) cover(at);
}

void allocated_in_region(const void* block, std::size_t size) {
  const EngineScope engine;
  const auto from = reinterpret_cast<std::uintptr_t>(block);
  (*part<Regions>().fresh)[from] = from + size;
}

LeftRegion take_region() {
  auto& left = *part<Regions>().left;
  LeftRegion out = std::move(left.front());
  left.pop_front();
  return out;
}

}  // namespace tarry::native::rt
