// A set of numbers of up to 64 bits, exact, in lanes of 4 or 8 bytes. All workers use it at once, without a lock.
//
// A bijection scrambles a number, so its position and the stored bits together determine it (Cleary's idea). The top bits (12)
// choose a bucket; a lane of 32 or 64 bits stores the rest. A bucket is a sequence of cache lines. A number starts at the line
// that its own bits name, and continues at the next line of its bucket if that line is full. Lanes of a line are filled from the
// left by compare-and-swap and never emptied, so the first empty lane ends every search.
//
// If a number finds no lane within 16 lines, the table grows by a third, in place: the buckets are laid out again from the last
// to the first. There is never a second copy. So the table is mostly 60 to 80 % full. A search usually looks at one line, and at
// many only where numbers cluster. Growing needs exclusive use of the table (store/growth_gate.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#define TARRY_LANES_SSE2 1
#endif

#include "base/virtual_array.h"
#include "store/first_sizes.h"

namespace tarry {

enum class Visit { kNew, kSeen, kFull };

template <class Lane>
class LaneTable {
  static constexpr bool kNarrow = sizeof(Lane) == 4;

 public:
  static constexpr unsigned kBucketBits = kLaneTableBucketBits;
  static constexpr unsigned kKeyBits = kNarrow ? 31 + kBucketBits : 64;
  static constexpr unsigned kRestBits = kKeyBits - kBucketBits;
  static constexpr unsigned kLanes = 64 / sizeof(Lane);

  /// Creates a table. The smallest size is one line per bucket (256 KiB).
  explicit LaneTable(std::uint64_t max_bytes)
      : max_lines_(std::max<std::uint64_t>(max_bytes / 64 / kBuckets, 1)), lanes_(max_lines_ * kBuckets * kLanes, pages_for(max_bytes)) {}

  std::uint64_t bytes() const { return lines_ * 64 * kBuckets; }
  /// Returns the size after growing, or 0 if the table cannot grow.
  std::uint64_t bytes_after_growth() const { return next_lines() > max_lines_ ? 0 : next_lines() * 64 * kBuckets; }

  /// Starts to load the place of a number from memory. It uses a plain load, because the processor drops prefetch instructions if
  /// the address translation misses too. Loads whose results are not needed yet overlap, so call it for several numbers in a row.
  void touch(std::uint64_t key) const {
    const Place place = locate(key);
    const Lane lane = std::atomic_ref(const_cast<Lane&>(*line(place.bucket, place.line))).load(std::memory_order_relaxed);
    asm volatile("" : : "r"(lane));
  }

  bool contains(std::uint64_t key) const {
    const Place place = locate(key);
    std::uint64_t at = place.line;
    for (std::uint64_t i = 0; i < reach_; ++i, at = at + 1 == lines_ ? 0 : at + 1) {
      const Match match = look(line(place.bucket, at), place.lane);
      if (match.found) return true;
      if (match.empty < kLanes) return false;
    }
    return false;
  }

  Visit insert(std::uint64_t key) {
    const Place place = locate(key);
    std::uint64_t at = place.line;
    for (std::uint64_t i = 0; i < reach_; ++i, at = at + 1 == lines_ ? 0 : at + 1) {
      Lane* const lanes = line(place.bucket, at);
      const Match match = look(lanes, place.lane);
      if (match.found) return Visit::kSeen;
      for (unsigned lane = match.empty; lane < kLanes; ++lane) {
        Lane expected = 0;
        if (std::atomic_ref(lanes[lane]).compare_exchange_strong(expected, place.lane, std::memory_order_relaxed)) return Visit::kNew;
        if (expected == place.lane) return Visit::kSeen;
      }
    }
    return Visit::kFull;
  }

  /// Replaces another number on the same line by this one. Requires: insert returned kFull.
  void replace(std::uint64_t key) {
    const Place place = locate(key);
    const auto lane = static_cast<unsigned>(replaced_.fetch_add(1, std::memory_order_relaxed) % kLanes);
    std::atomic_ref(line(place.bucket, place.line)[lane]).store(place.lane, std::memory_order_relaxed);
  }

  /// Grows the table. Requires: no other worker uses the table, and bytes_after_growth() is not 0.
  void grow() {
    const std::uint64_t before = lines_;
    const std::uint64_t after = next_lines();
    std::uint64_t farthest = kReach;
    std::vector<Lane> members;
    members.reserve(before * kLanes);
    std::vector<std::uint8_t> filled(after);  // used lanes of each new line
    for (std::uint64_t bucket = kBuckets; bucket-- > 0;) {
      members.clear();
      const Lane* from = lanes_.data() + bucket * before * kLanes;
      for (std::uint64_t i = 0; i < before * kLanes; ++i)
        if (from[i] != 0) members.push_back(from[i]);
      Lane* to = lanes_.data() + bucket * after * kLanes;
      std::fill(to, to + after * kLanes, Lane{0});
      std::fill(filled.begin(), filled.end(), std::uint8_t{0});
      for (const Lane member : members) {
        std::uint64_t at = home(std::uint64_t{member} - 1, after), looked = 1;
        for (; filled[at] == kLanes; ++looked) at = at + 1 == after ? 0 : at + 1;
        to[at * kLanes + filled[at]++] = member;
        farthest = std::max(farthest, looked);
      }
    }
    lines_ = after;
    reach_ = std::min(after, farthest);
  }

 private:
  static constexpr std::uint64_t kReach = 16;  // lines
  static constexpr std::uint64_t kBuckets = std::uint64_t{1} << kBucketBits;
  static constexpr std::uint64_t kMask = kNarrow ? (std::uint64_t{1} << kKeyBits) - 1 : ~std::uint64_t{0};

  struct Place {
    std::uint64_t bucket;
    std::uint64_t line;
    Lane lane;
  };
  struct Match {
    bool found;
    unsigned empty;  // the first empty lane, or kLanes if there is none
  };

  std::uint64_t next_lines() const { return lines_ + 1 + lines_ / 3; }
  Lane* line(std::uint64_t bucket, std::uint64_t at) { return lanes_.data() + (bucket * lines_ + at) * kLanes; }
  const Lane* line(std::uint64_t bucket, std::uint64_t at) const { return lanes_.data() + (bucket * lines_ + at) * kLanes; }

  /// A bijection on kKeyBits bits: odd multiplications and shifts can be inverted one by one.
  static std::uint64_t scramble(std::uint64_t x) {
    x = (x * 0x9fb21c651e98df25u) & kMask;
    x ^= x >> (kKeyBits / 2);
    x = (x * 0xd6e8feb86659fd93u) & kMask;
    x ^= x >> (kKeyBits / 2);
    x = (x * 0xff51afd7ed558ccdu) & kMask;
    return x ^ (x >> (kKeyBits / 2));
  }

  static std::uint64_t home(std::uint64_t rest, std::uint64_t lines) {
    if constexpr (kNarrow) return (rest * lines) >> kRestBits;
    else return ((rest >> (kRestBits - 32)) * lines) >> 32;
  }

  Place locate(std::uint64_t key) const {
    const std::uint64_t x = scramble(key);
    const std::uint64_t rest = x & ((std::uint64_t{1} << kRestBits) - 1);
    return {x >> kRestBits, home(rest, lines_), static_cast<Lane>(rest + 1)};
  }

  static Match look(const Lane* lanes, Lane wanted) {
#if defined(TARRY_LANES_SSE2)
    if constexpr (kNarrow) {
      const auto* at = reinterpret_cast<const __m128i*>(lanes);
      const __m128i want = _mm_set1_epi32(static_cast<int>(wanted)), zero = _mm_setzero_si128();
      const __m128i a = _mm_load_si128(at), b = _mm_load_si128(at + 1), c = _mm_load_si128(at + 2), d = _mm_load_si128(at + 3);
      const auto bits = [](__m128i p, __m128i q, __m128i r, __m128i s) {
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(p, q), _mm_packs_epi32(r, s))));
      };
      if (bits(_mm_cmpeq_epi32(a, want), _mm_cmpeq_epi32(b, want), _mm_cmpeq_epi32(c, want), _mm_cmpeq_epi32(d, want)) != 0)
        return {true, 0};
      const unsigned empty = bits(_mm_cmpeq_epi32(a, zero), _mm_cmpeq_epi32(b, zero), _mm_cmpeq_epi32(c, zero), _mm_cmpeq_epi32(d, zero));
      return {false, empty == 0 ? kLanes : static_cast<unsigned>(std::countr_zero(empty))};
    }
#endif
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const Lane value = std::atomic_ref(const_cast<Lane&>(lanes[lane])).load(std::memory_order_relaxed);
      if (value == wanted) return {true, 0};
      if (value == 0) return {false, lane};
    }
    return {false, kLanes};
  }

  std::uint64_t max_lines_;
  VirtualArray<Lane> lanes_;
  std::uint64_t lines_ = 1;  // lines per bucket; changes only in grow()
  std::uint64_t reach_ = 1;  // the largest distance, in lines, of a number from its own line
  std::atomic<std::uint64_t> replaced_{0};
};

}  // namespace tarry
