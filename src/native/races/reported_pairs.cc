#include "native/races/reported_pairs.h"

#include <algorithm>

#include "base/rng.h"

namespace tarry::native {

bool ReportedPairs::insert(std::uintptr_t a, std::uintptr_t b) {
  if (table_ == nullptr || count_ * 2 >= std::uint64_t{1} << bits_) {
    const Pair* old = table_;
    const std::uint64_t old_size = old == nullptr ? 0 : std::uint64_t{1} << bits_;
    bits_ = old == nullptr ? kFirstBits : bits_ + 1;
    table_ = static_cast<Pair*>(memory_.map(sizeof(Pair) << bits_));
    for (std::uint64_t i = 0; i < old_size; ++i) {
      if (old[i].high != 0) enter(old[i]);
    }
  }
  const bool is_new = enter({std::min(a, b), std::max(a, b) | std::uint64_t{1} << 63});
  count_ += is_new;
  return is_new;
}

bool ReportedPairs::enter(const Pair& pair) {
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (std::uint64_t slot = mix64(pair.low * 0x9e3779b97f4a7c15u + pair.high) & mask;; slot = (slot + 1) & mask) {
    Pair& there = table_[slot];
    if (there.high == 0) {
      there = pair;
      return true;
    }
    if (there.high == pair.high && there.low == pair.low) return false;
  }
}

void ReportedPairs::clear() {
  if (table_ != nullptr) std::fill_n(table_, std::uint64_t{1} << bits_, Pair{});
  count_ = 0;
}

}  // namespace tarry::native
