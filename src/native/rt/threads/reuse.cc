#include "native/rt/threads/reuse.h"

#include <algorithm>
#include <array>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

struct Reuses {
  std::uint32_t most = 2;       // per execution
  std::uint32_t count = 0;
  bool met_most = false;        // in some execution
  std::array<std::uint64_t, program_heap::kClasses> allocators{};  // by class: threads that allocated beside others, as bits by number modulo 64
  bool any_allocated = false;
  std::array<char, program_heap::kClasses> places{};  // by class: what is among the points if allocations of it are

  void reset() {
    count = 0;
    if (!any_allocated) return;
    any_allocated = false;
    allocators.fill(0);
  }
};
template struct RoomOf<Reuses>;

namespace {

Reuses& reuses() { return part<Reuses>(); }
std::uintptr_t place_of_class(std::uint32_t kind) { return reinterpret_cast<std::uintptr_t>(&reuses().places[kind]); }

std::uint64_t bit_of_running() { return std::uint64_t{1} << (scheduler().running() % 64); }

/// Others may run ahead of it, where that can make a difference.
void about_to_allocate(std::uint32_t kind, const void* name, std::uintptr_t who) {
  if (scheduler().alone()) return;
  if (!g_watch.racing.empty() && who != 0 && g_watch.racing.contains(place_of_class(kind))) scheduler().point({.op = Op::kAllocate, .object = name, .pc = who});
  reuses().allocators[kind] |= bit_of_running();
  reuses().any_allocated = true;
}

}  // namespace

void allow_reuses(std::uint32_t most) { reuses().most = most; }
std::uint32_t allowed_reuses() { return reuses().most; }

void* used_again(std::size_t size, std::size_t alignment, std::uintptr_t who) {
  if (reuses().most > 0) about_to_allocate(program_heap::class_number(size, alignment), program_heap::class_object(size, alignment), who);
  const std::uint32_t blocks = program_heap::offered(size, alignment);
  if (blocks == 0) return nullptr;
  if (reuses().count >= reuses().most) {
    reuses().met_most = true;
    return nullptr;
  }
  // Where footprints are asked for, what is no point yet is one in the next execution, and this one does not count (kept_aside).
  if (g_watch.footprint == nullptr || g_watch.racing.contains(place_of_class(program_heap::class_number(size, alignment)))) changed(program_heap::class_object(size, alignment));
  const std::uint32_t choice = scheduler().decide(1 + blocks);
  if (choice == 0) return nullptr;
  ++reuses().count;
  return program_heap::allocate_again(size, alignment, choice - 1);
}

void about_to_free(const void* block, std::uintptr_t who) {
  if (g_watch.footprint == nullptr || reuses().most == 0 || g_watch.racing.empty() || scheduler().alone()) return;
  if (g_watch.racing.contains(place_of_class(program_heap::class_number(block)))) scheduler().point({.op = Op::kAllocate, .object = program_heap::class_object(block), .pc = who});
}

void kept_aside(const void* block) {
  const std::uint32_t kind = program_heap::class_number(block);
  const bool is_point = g_watch.racing.contains(place_of_class(kind));
  if (is_point || g_watch.footprint == nullptr) changed(program_heap::class_object(block));
  if (is_point || ((reuses().allocators[kind] & ~bit_of_running()) == 0 && g_watch.footprint == nullptr)) return;
  const EngineScope engine;
  auto& found = found_racing();
  if (std::find(found.begin(), found.end(), place_of_class(kind)) == found.end()) found.push_back(place_of_class(kind));
}

bool met_most_reuses() { return reuses().met_most; }

}  // namespace tarry::native::rt
