// Where the parts of a state go, so that the store has to keep little of them.
//
// The store keeps every different left half and every different right half of the states once, then their halves, and so on. How many there are depends on what is
// put together: parts that vary together belong into one half. A sample of states tells; the arrangement that leaves the fewest different halves on
// it is looked for by moving and swapping parts, half by half, from the top.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::plang {

/// sample[i][p]: the value of part p in state i. Gives a place for each part: different ones below `places`, which is a power of two
/// and not smaller than the number of parts. A function of its arguments.
std::vector<std::uint32_t> arrange(const std::vector<std::vector<std::uint64_t>>& sample, std::uint32_t places);

}  // namespace tarry::plang
