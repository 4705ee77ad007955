// An event of an execution: a step of a process, by what it touches and by the values of its data choices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/footprint.h"

namespace tarry {

using Values = std::vector<std::uint32_t>;

/// A step that was taken, or is to be taken. Values that are not given yet are open: a list stands for all that begin with it.
struct Event {
  std::uint32_t process;
  Values values;
  std::vector<ObjectUse> touches;
  Values alternatives = {};  // by data choice: how many values there were, where that is known
  bool certain = true;  // false: where it is planned, its process may have to wait
};

/// Do two lists of values stand for a common step?
inline bool agree(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const std::size_t common = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

}  // namespace tarry
