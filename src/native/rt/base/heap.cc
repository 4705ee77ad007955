#include "native/rt/base/heap.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cstring>
#include <new>

#include "native/abi/protocol.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/size_classes.h"

namespace tarry::native::rt {

/// Where the engine's next block comes from.
struct EngineHeap : Kept {
  AddressRegion region;
  char* top = nullptr;
  int give_back = MADV_DONTNEED;
  std::array<void*, kSizeClasses> free{};
};
template struct RoomOf<EngineHeap>;

namespace engine_heap {
namespace {

struct Header {
  std::uint32_t kind;   // class, or kLarge
  std::uint32_t back;   // from the block to its header, for aligned ones
  std::uint64_t size;
};
constexpr std::size_t kMappedFrom = 256 << 10;  // given back to the system when freed
static_assert(kOwnWindowSize / 2 < kWritableSpace);
constexpr std::uint32_t kLarge = ~std::uint32_t{0};

EngineHeap& own() { return part<EngineHeap>(); }

/// New room. Ensures: at a multiple of 16, whatever was asked for before.
char* bump(std::size_t size) {
  size = (size + 15) / 16 * 16;
  if (own().region.base == nullptr) {
    own().region.map(kOwnWindow, kOwnWindowSize / 2, PROT_READ | PROT_WRITE);
    own().top = own().region.base;
  }
  if (own().top + size > own().region.base + own().region.size) return nullptr;
  char* const at = own().top;
  own().top += size;
  return at;
}

}  // namespace

void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t extra = alignment > 16 ? alignment : 0;
  if (size > std::size_t{1} << 39) return nullptr;
  const std::size_t whole = size + extra;
  char* block;
  std::uint32_t kind;
  if (whole >= kMappedFrom) {
    char* at = bump((whole + sizeof(Header) + 4095) / 4096 * 4096 + 4096);
    if (at == nullptr) return nullptr;
    at = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(at) + 4095) / 4096 * 4096);
    block = at + sizeof(Header);
    kind = kLarge;
  } else {
    kind = class_of(whole);
    if (void*& first = own().free[kind]; first != nullptr) {
      block = static_cast<char*>(first);
      std::memcpy(&first, block, sizeof(void*));
    } else {
      char* at = bump(size_of_class(kind) + sizeof(Header));
      if (at == nullptr) return nullptr;
      block = at + sizeof(Header);
    }
  }
  char* user = block;
  if (extra != 0) user = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(block) + alignment - 1) & ~(alignment - 1));
  new (user - sizeof(Header)) Header{kind, static_cast<std::uint32_t>(user - block), size};
  return user;
}

void release(void* user) {
  if (user == nullptr) return;
  const Header header = *reinterpret_cast<Header*>(static_cast<char*>(user) - sizeof(Header));
  char* const block = static_cast<char*>(user) - header.back;
  if (header.kind == kLarge) {
    const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(block) - sizeof(Header)) / 4096 * 4096;
    raw(SYS_madvise, reinterpret_cast<void*>(from), (header.size + header.back + sizeof(Header)) / 4096 * 4096, own().give_back);
    return;
  }
  std::memcpy(block, &own().free[header.kind], sizeof(void*));
  own().free[header.kind] = block;
}

void* map(std::size_t size) {
  char* const at = bump(size + 8192);
  if (at == nullptr) return nullptr;
  return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(at) + 4095) / 4096 * 4096);
}

bool owns(const void* address) { return own().region.owns(address); }

Whole share() {
  own().give_back = MADV_REMOVE;  // of shared memory, the other takes nothing back
  return {own().region.base, own().top, own().region.base + own().region.size};
}

std::size_t size_of(const void* block) { return reinterpret_cast<const Header*>(static_cast<const char*>(block) - sizeof(Header))->size; }

}  // namespace engine_heap

}  // namespace tarry::native::rt
