#include "native/rt/allocations.h"

#include <map>

#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kMost = 20'000;  // a stack each
std::map<const void*, std::vector<std::uintptr_t>> g_stacks;

}  // namespace

void keep_allocation(const void* block) {
  if (g_stacks.size() >= kMost) return;
  const EngineScope engine;
  g_stacks[block] = backtrace();
}

std::vector<std::uintptr_t> allocated_by(const void* block) {
  const auto at = g_stacks.find(block);
  return at == g_stacks.end() ? std::vector<std::uintptr_t>{} : at->second;
}

void forget_allocations() { g_stacks.clear(); }

}  // namespace tarry::native::rt
