// Declarations that are made from others, in an order where those others come first.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::plang {

struct DependencyOrder {
  std::vector<std::uint32_t> order;  // every node; those it needs come before it, unless they are in a cycle with it
  std::vector<std::vector<std::uint32_t>> cycles;  // each as the way round; a node is in at most one of them
};

/// `needs[n]`: the nodes that node n is made from. Takes linear time, and no stack for long chains.
DependencyOrder order_by_dependency(const std::vector<std::vector<std::uint32_t>>& needs);

}  // namespace tarry::plang
