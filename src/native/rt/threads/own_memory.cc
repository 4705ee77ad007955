#include "native/rt/threads/own_memory.h"

#include "native/rt/base/heap.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

template struct RoomOf<OwnMemory>;

namespace {

constexpr std::uint64_t kMark = 0x7461727279206973;
// Variables of their own, so that each lies in the section that it is the mark of.
volatile std::uint64_t g_mark_in_data = kMark;
volatile std::uint64_t g_mark_in_zeros = 0;

}  // namespace

void know_own_memory() {
  const DataRange data = data_of_runtime();
  part<OwnMemory>().data = reinterpret_cast<std::uintptr_t>(data.from);
  part<OwnMemory>().data_size = static_cast<std::uintptr_t>(data.to - data.from);
  g_mark_in_zeros = kMark;
  part<OwnMemory>().mark = static_cast<std::uint64_t*>(engine_heap::allocate(sizeof(kMark)));
  *part<OwnMemory>().mark = kMark;
  if (!engine_heap::owns(reinterpret_cast<const void*>(kOwnWindow))) return;
  part<OwnMemory>().window = kOwnWindow;
  part<OwnMemory>().window_size = kOwnWindowSize;
}

bool own_memory_is_whole() {
  return g_mark_in_data == kMark && g_mark_in_zeros == kMark && *part<OwnMemory>().mark == kMark && block().magic == kMagic && common().magic == kMagic;
}

void fail_for_wild_write(std::uintptr_t pc) {
  scheduler().fail({.kind = "memory", .message = "a write through a wild pointer: it would change memory of Tarry, which runs in the same process", .pc = pc});
}

}  // namespace tarry::native::rt
