#include "native/rt/base/pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>
#include <new>

#include "native/rt/base/executable_stacks.h"
#include "native/rt/base/heap.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"

namespace tarry::native::rt {

template struct RoomOf<Pages>;

namespace {

char* page_down(const void* address) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(Pages::kSize - 1)); }
char* page_up(const void* address) { return page_down(static_cast<const char*>(address) + Pages::kSize - 1); }

}  // namespace

void Pages::add(char* from, char* to, Contents contents) {
  if (regions_ == nullptr) {
    regions_ = static_cast<Region*>(engine_heap::map(kMaxRegions * sizeof(Region)));
    hot_ = static_cast<Hot*>(engine_heap::map(kMaxHot * sizeof(Hot)));
  }
  from = page_down(from);
  to = page_up(to);
  if (from >= to) return;
  if (region_count_ == kMaxRegions) give_up("it has more than 4,096 pieces of memory at the start of main: too many to be put back after every execution");
  auto* const flags = static_cast<std::uint8_t*>(engine_heap::map(static_cast<std::size_t>(to - from) / kSize));
  regions_[region_count_++] = {from, to, contents, flags};
}

void Pages::open_all() {
  for (std::size_t i = 0; i < region_count_; ++i)
    raw(SYS_mprotect, regions_[i].from, static_cast<std::size_t>(regions_[i].to - regions_[i].from), PROT_READ | PROT_WRITE | protection_of_code_on_stacks());
  open_ = true;
  hot_count_ = 0;
}

void Pages::protect(std::size_t first_region) {
  if (open_) return;
  for (std::size_t i = first_region; i < region_count_; ++i)
    raw(SYS_mprotect, regions_[i].from, static_cast<std::size_t>(regions_[i].to - regions_[i].from), PROT_READ | protection_of_code_on_stacks());
}

bool Pages::touched(void* address) {
  if (open_) return false;
  char* const page = page_down(address);
  for (std::size_t i = 0; i < region_count_; ++i) {
    const Region& region = regions_[i];
    if (page < region.from || page >= region.to) continue;
    std::uint8_t& hot = region.hot[static_cast<std::size_t>(page - region.from) / kSize];
    if (hot != 0) return false;  // it is writable: this was another kind of fault
    if (hot_count_ == kMaxHot) give_up("it writes to more than 4 GiB of the memory that it had at the start of main: too much to be put back after every execution");
    char* baseline = nullptr;
    if (region.contents == Contents::kAny) {
      baseline = static_cast<char*>(engine_heap::map(kSize));
      std::memcpy(baseline, page, kSize);
    }
    hot = 1;
    hot_[hot_count_++] = {page, baseline};
    ++faults_;
    return raw(SYS_mprotect, page, kSize, PROT_READ | PROT_WRITE | protection_of_code_on_stacks()) == 0;
  }
  return false;
}

void Pages::prepare(void* from, std::size_t size) {
  if (size == 0 || size > std::size_t{1} << 40) return;
  for (char* page = page_down(from); page < static_cast<char*>(from) + size; page += kSize) touched(page);
}

void Pages::rebase() {
  for (std::size_t i = 0; i < hot_count_; ++i)
    if (hot_[i].baseline != nullptr) std::memcpy(hot_[i].baseline, hot_[i].page, kSize);
}

void Pages::reset() {
  for (std::size_t i = 0; i < hot_count_; ++i) {
    if (hot_[i].baseline == nullptr) std::memset(hot_[i].page, 0, kSize);
    else std::memcpy(hot_[i].page, hot_[i].baseline, kSize);
  }
}

}  // namespace tarry::native::rt
