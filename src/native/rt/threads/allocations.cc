#include "native/rt/threads/allocations.h"

#include <map>
#include <tuple>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Recording: who allocated and accessed what.
struct Allocations {
  using Stack = std::vector<std::uintptr_t>;
  Lasting<std::map<const void*, Stack>> stacks;
  Lasting<std::map<std::tuple<std::uint32_t, std::uint32_t, std::uintptr_t>, Stack>> accesses;

  void reset() {
    if (stacks.is_made()) stacks->clear();
    if (accesses.is_made()) accesses->clear();
  }
};
template struct RoomOf<Allocations>;

namespace {

constexpr std::size_t kMost = 20'000;  // a stack each

}  // namespace

void keep_allocation(const void* block) {
  if (part<Allocations>().stacks->size() >= kMost) return;
  const EngineScope engine;
  (*part<Allocations>().stacks)[block] = backtrace();
}

std::vector<std::uintptr_t> allocated_by(const void* block) {
  const auto at = part<Allocations>().stacks->find(block);
  return at == part<Allocations>().stacks->end() ? std::vector<std::uintptr_t>{} : at->second;
}

void keep_access(std::uint32_t step, std::uintptr_t pc) {
  if (part<Allocations>().accesses->size() >= kMost) return;
  const EngineScope engine;
  const auto [at, is_new] = part<Allocations>().accesses->try_emplace({scheduler().running(), step, pc});
  if (is_new) at->second = backtrace();
}

std::vector<std::uintptr_t> accessed_by(std::uint32_t thread, std::uint32_t step, std::uintptr_t pc) {
  const auto at = part<Allocations>().accesses->find({thread, step, pc});
  return at == part<Allocations>().accesses->end() ? std::vector<std::uintptr_t>{pc} : at->second;
}

}  // namespace tarry::native::rt
