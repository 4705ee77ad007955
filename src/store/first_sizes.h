// How small the tables of a search are at first.
//
// TARRY_SMALL_TABLES makes them so small that they grow within a handful of insertions: for checks of these tables that go through all
// schedules (tests/native/self), which cannot wait for fifty thousand.
#pragma once

#include <cstdint>

namespace tarry {

#if defined(TARRY_SMALL_TABLES)
inline constexpr unsigned kLaneTableBucketBits = 1;
inline constexpr std::uint64_t kFirstPairSlots = 16;
inline constexpr std::uint64_t kFirstInternerSlots = 4;
inline constexpr std::uint64_t kFirstBitBytes = 64;
#else
inline constexpr unsigned kLaneTableBucketBits = 12;
inline constexpr std::uint64_t kFirstPairSlots = 1 << 16;
inline constexpr std::uint64_t kFirstInternerSlots = 64;
inline constexpr std::uint64_t kFirstBitBytes = 1 << 20;
#endif

}  // namespace tarry
