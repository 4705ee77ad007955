#include "native/rt/own_memory.h"

#include "native/rt/heap.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"
#include "native/rt/session.h"

namespace tarry::native::rt {

OwnMemory g_own_memory;

namespace {

constexpr std::uint64_t kMark = 0x7461727279206973;
volatile std::uint64_t g_mark_in_data = kMark;
volatile std::uint64_t g_mark_in_zeros = 0;
volatile std::uint64_t* g_mark_in_heap = nullptr;

}  // namespace

void know_own_memory() {
  const DataRange data = data_of_runtime();
  g_own_memory.data = reinterpret_cast<std::uintptr_t>(data.from);
  g_own_memory.data_size = static_cast<std::uintptr_t>(data.to - data.from);
  g_mark_in_zeros = kMark;
  g_mark_in_heap = static_cast<std::uint64_t*>(engine_heap::allocate(sizeof(kMark)));
  *g_mark_in_heap = kMark;
  if (!engine_heap::owns(reinterpret_cast<const void*>(kOwnWindow))) return;
  g_own_memory.window = kOwnWindow;
  g_own_memory.window_size = kOwnWindowSize;
}

bool own_memory_is_whole() {
  return g_mark_in_data == kMark && g_mark_in_zeros == kMark && *g_mark_in_heap == kMark && block().magic == kMagic && common().magic == kMagic;
}

void fail_for_wild_write(std::uintptr_t pc) {
  scheduler().fail({.kind = "memory", .message = "a write through a wild pointer: it would change memory of Tarry, which runs in the same process", .pc = pc});
}

}  // namespace tarry::native::rt
