// Orders declarations so that each comes after the declarations it depends on.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::plang {

struct DependencyOrder {
  std::vector<std::uint32_t> order;  // every node; its dependencies come before it, unless they form a cycle with it
  std::vector<std::vector<std::uint32_t>> cycles;  // each as a path around; a node is in at most one cycle
};

/// `needs[n]` lists the nodes that node n depends on. Takes linear time, and no stack for long chains.
DependencyOrder order_by_dependency(const std::vector<std::vector<std::uint32_t>>& needs);

}  // namespace tarry::plang
