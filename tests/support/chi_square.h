// Whether counts fit a distribution, with a chance of a false alarm below one in a million.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

namespace tarry::test {

struct Fit {
  double statistic = 0;  // Pearson's chi-square
  double critical = 0;   // exceeded with a chance below 1e-9 if the distribution is the expected one
  std::uint64_t unexpected = 0;  // counts of what cannot happen
  bool good() const { return unexpected == 0 && statistic < critical; }
  std::string text() const {
    return "chi-square " + std::to_string(statistic) + ", critical " + std::to_string(critical) + ", impossible " + std::to_string(unexpected);
  }
};

/// Exceeded with a chance below 1e-9, that of a normal variable beyond 6 sigma (Wilson and Hilferty 1931; for few degrees of
/// freedom the approximation errs on the side of fewer alarms). A test may look at a thousand fits and stays below 1e-6.
inline double critical_chi_square(double freedom) {
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + 6 * std::sqrt(spread), 3);
}

/// Cells that are expected fewer than five times are pooled, as the test requires.
template <class Key>
Fit fit(const std::map<Key, double>& chances, const std::map<Key, std::uint64_t>& counts) {
  Fit out;
  double total = 0;
  for (const auto& [key, count] : counts) {
    total += static_cast<double>(count);
    if (!chances.contains(key)) out.unexpected += count;
  }
  double cells = 0, pooled_expected = 0, pooled_count = 0;
  const auto add = [&](double expected, double count) {
    out.statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (const auto& [key, chance] : chances) {
    const auto at = counts.find(key);
    const double expected = chance * total, count = at == counts.end() ? 0 : static_cast<double>(at->second);
    if (expected >= 5) add(expected, count);
    else pooled_expected += expected, pooled_count += count;
  }
  if (pooled_expected >= 5) add(pooled_expected, pooled_count);
  if (cells > 1) out.critical = critical_chi_square(cells - 1);
  return out;
}

}  // namespace tarry::test
