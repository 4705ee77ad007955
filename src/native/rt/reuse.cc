#include "native/rt/reuse.h"

#include <algorithm>
#include <array>

#include "native/rt/happened.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

std::uint32_t g_reuses = 0;
bool g_met_most = false;

/// By class: threads that allocated beside others, in this execution, as bits by number modulo 64.
std::array<std::uint64_t, program_heap::kClasses> g_allocators{};
bool g_any_allocated = false;

/// By class: what is among the points if allocations of it are.
std::array<char, program_heap::kClasses> g_places{};
std::uintptr_t place_of_class(std::uint32_t kind) { return reinterpret_cast<std::uintptr_t>(&g_places[kind]); }

std::uint64_t bit_of_running() { return std::uint64_t{1} << (scheduler().running() % 64); }

/// Others may run ahead of it, where that can make a difference.
void about_to_allocate(std::uint32_t kind, const void* name, std::uintptr_t who) {
  if (scheduler().alone()) return;
  if (!g_watch.racing.empty() && who != 0 && g_watch.racing.contains(place_of_class(kind))) scheduler().point({.op = Op::kAllocate, .object = name, .pc = who});
  g_allocators[kind] |= bit_of_running();
  g_any_allocated = true;
}

}  // namespace

std::uint32_t g_most_reuses = 2;

void* used_again(std::size_t size, std::size_t alignment, std::uintptr_t who) {
  if (g_most_reuses > 0) about_to_allocate(program_heap::class_number(size, alignment), program_heap::class_object(size, alignment), who);
  const std::uint32_t blocks = program_heap::offered(size, alignment);
  if (blocks == 0) return nullptr;
  if (g_reuses >= g_most_reuses) {
    g_met_most = true;
    return nullptr;
  }
  // Where footprints are asked for, what is no point yet is one in the next execution, and this one does not count (kept_aside).
  if (g_watch.footprint == nullptr || g_watch.racing.contains(place_of_class(program_heap::class_number(size, alignment)))) changed(program_heap::class_object(size, alignment));
  const std::uint32_t choice = scheduler().decide(1 + blocks);
  if (choice == 0) return nullptr;
  ++g_reuses;
  return program_heap::allocate_again(size, alignment, choice - 1);
}

void about_to_free(const void* block, std::uintptr_t who) {
  if (g_watch.footprint == nullptr || g_most_reuses == 0 || g_watch.racing.empty() || scheduler().alone()) return;
  if (g_watch.racing.contains(place_of_class(program_heap::class_number(block)))) scheduler().point({.op = Op::kAllocate, .object = program_heap::class_object(block), .pc = who});
}

void kept_aside(const void* block) {
  const std::uint32_t kind = program_heap::class_number(block);
  const bool is_point = g_watch.racing.contains(place_of_class(kind));
  if (is_point || g_watch.footprint == nullptr) changed(program_heap::class_object(block));
  if (is_point || ((g_allocators[kind] & ~bit_of_running()) == 0 && g_watch.footprint == nullptr)) return;
  const EngineScope engine;
  auto& found = g_watch.found_racing;
  if (std::find(found.begin(), found.end(), place_of_class(kind)) == found.end()) found.push_back(place_of_class(kind));
}

void forget_reuses() {
  g_reuses = 0;
  if (g_any_allocated) g_allocators.fill(0);
  g_any_allocated = false;
}

bool met_most_reuses() { return g_met_most; }

}  // namespace tarry::native::rt
