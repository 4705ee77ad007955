// The engine's heap, which is never reset. The program has one of its own (program_heap.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::native::rt {

inline constexpr std::uint32_t kMaxThreads = 1024;

/// Where the engine's heap goes, and what is shared with the tool behind it, unless something else is there.
inline constexpr std::uintptr_t kOwnWindow = 0x500000000000, kOwnWindowSize = std::uintptr_t{1} << 41;
inline constexpr std::uintptr_t kSharedFrom = kOwnWindow + kOwnWindowSize / 2;

namespace engine_heap {
void* allocate(std::size_t size, std::size_t alignment = 16);
void release(void* block);
/// Pages that are never given back; zero at first.
void* map(std::size_t size);
bool owns(const void* address);
std::size_t size_of(const void* block);

/// All of it. It is about to be shared between processes.
struct Whole {
  char* from;
  char* used_to;
  char* to;
};
Whole share();
}  // namespace engine_heap

}  // namespace tarry::native::rt
