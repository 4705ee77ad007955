// The initial sizes of the tables of a search.
//
// TARRY_SMALL_TABLES makes the tables so small that they grow after a few insertions. Tests that explore all schedules of these
// tables (tests/native/self) need this, because they cannot insert fifty thousand entries.
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
