#include "native/rt/reuse.h"

#include "native/rt/happened.h"
#include "native/rt/scheduler.h"

namespace tarry::native::rt {
namespace {

std::uint32_t g_reuses = 0;
bool g_met_most = false;

}  // namespace

std::uint32_t g_most_reuses = 2;

void* used_again(std::size_t size, std::size_t alignment) {
  const std::uint32_t blocks = program_heap::offered(size, alignment);
  if (blocks == 0) return nullptr;
  if (g_reuses >= g_most_reuses) {
    g_met_most = true;
    return nullptr;
  }
  changed(program_heap::class_object(size, alignment));
  const std::uint32_t choice = scheduler().decide(1 + blocks);
  if (choice == 0) return nullptr;
  ++g_reuses;
  return program_heap::allocate_again(size, alignment, choice - 1);
}

void kept_aside(const void* block) { changed(program_heap::class_object(block)); }

void forget_reuses() { g_reuses = 0; }

bool met_most_reuses() { return g_met_most; }

}  // namespace tarry::native::rt
