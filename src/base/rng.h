// The only source of randomness: a stream of numbers identified by (seed, run). Equal identifiers give equal streams, on every
// machine.
//
// SplitMix64 (Steele, Lea, Flood 2014) is cheap enough to create one per sample, and passes the usual test batteries.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace tarry {

constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t run = 0) : state_(mix64(seed + 0x9e3779b97f4a7c15u) ^ mix64(~run)) {}

  constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15u); }

  /// Returns a uniform number in [0, n). Requires: n > 0. Rejects the few numbers that would introduce bias.
  constexpr std::uint64_t below(std::uint64_t n) {
    if ((n & (n - 1)) == 0) return next() & (n - 1);
    while (true) {
      const std::uint64_t x = next();
      if (x >= n || x >= (0 - n) % n) return x % n;  // reject if x < 2^64 mod n; the first test avoids the slow division
    }
  }

  /// Shuffles by Fisher-Yates: every order is equally likely.
  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tarry
