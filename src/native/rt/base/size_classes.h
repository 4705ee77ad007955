// Sizes of blocks, and regions of addresses that they come from: what both heaps share.
#pragma once

#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tarry::native::rt {

// Size classes: multiples of 16 up to 512, then four to a power of two.
inline constexpr std::uint32_t kSmallClasses = 32;
inline constexpr std::uint32_t kSizeClasses = kSmallClasses + 4 * 28;

constexpr std::uint32_t class_of(std::size_t size) {
  if (size <= 512) return size == 0 ? 0 : static_cast<std::uint32_t>((size - 1) / 16);
  const auto power = static_cast<std::uint32_t>(std::bit_width(size - 1)) - 1;  // 2^power <= size - 1
  const auto quarter = static_cast<std::uint32_t>((size - 1) >> (power - 2) & 3);
  return kSmallClasses + (power - 9) * 4 + quarter;
}
constexpr std::size_t size_of_class(std::uint32_t c) {
  if (c < kSmallClasses) return (c + 1) * std::size_t{16};
  const std::uint32_t power = (c - kSmallClasses) / 4 + 9, quarter = (c - kSmallClasses) % 4;
  return (std::size_t{1} << power) + ((std::size_t{quarter} + 1) << (power - 2));
}
static_assert(size_of_class(class_of(16)) == 16 && size_of_class(class_of(17)) == 32 && size_of_class(class_of(513)) == 640);
static_assert(size_of_class(class_of(1024)) == 1024 && size_of_class(class_of(1025)) == 1280 && size_of_class(class_of(std::size_t{1} << 30)) == std::size_t{1} << 30);

/// A region of addresses, mapped on first use.
struct AddressRegion {
  char* base = nullptr;
  std::size_t size = 0;

  void map(std::uintptr_t hint, std::size_t wanted, int protection) {
    for (size = wanted; size >= std::size_t{1} << 30; size /= 2) {
      void* const at = ::mmap(reinterpret_cast<void*>(hint), size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      base = at == MAP_FAILED ? nullptr : static_cast<char*>(at);
      if (base != nullptr) return;
    }
    __builtin_trap();  // not even a gigabyte of addresses
  }
  bool owns(const void* address) const { return address >= base && address < base + size; }
};

}  // namespace tarry::native::rt
