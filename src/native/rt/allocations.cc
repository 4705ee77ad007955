#include "native/rt/allocations.h"

#include <map>
#include <tuple>

#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kMost = 20'000;  // a stack each
std::map<const void*, std::vector<std::uintptr_t>> g_stacks;
std::map<std::tuple<std::uint32_t, std::uint32_t, std::uintptr_t>, std::vector<std::uintptr_t>> g_accesses;

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

void keep_access(std::uint32_t step, std::uintptr_t pc) {
  if (g_accesses.size() >= kMost) return;
  const EngineScope engine;
  const auto [at, is_new] = g_accesses.try_emplace({scheduler().running(), step, pc});
  if (is_new) at->second = backtrace();
}

std::vector<std::uintptr_t> accessed_by(std::uint32_t thread, std::uint32_t step, std::uintptr_t pc) {
  const auto at = g_accesses.find({thread, step, pc});
  return at == g_accesses.end() ? std::vector<std::uintptr_t>{pc} : at->second;
}

void forget_allocations() {
  g_stacks.clear();
  g_accesses.clear();
}

}  // namespace tarry::native::rt
