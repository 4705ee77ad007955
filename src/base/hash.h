// Fingerprints of byte strings (xxHash), for tables and for the identity of files. Stable across machines and versions.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace tarry {

template <class T>
std::uint64_t hash_of(std::span<const T> items, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(items.data(), items.size_bytes(), seed);
}

inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

}  // namespace tarry
