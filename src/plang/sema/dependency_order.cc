// Depth-first search with an explicit stack, because a program may chain thousands of aliases.
#include "plang/sema/dependency_order.h"

#include <algorithm>

namespace tarry::plang {
namespace {

enum class Mark : std::uint8_t { kNew, kOpen, kDone, kInCycle };

class Search {
 public:
  explicit Search(const std::vector<std::vector<std::uint32_t>>& needs) : needs_(needs), marks_(needs.size(), Mark::kNew) {}

  DependencyOrder run() {
    for (std::uint32_t node = 0; node < needs_.size(); ++node) {
      if (marks_[node] == Mark::kNew) visit(node);
    }
    return std::move(result_);
  }

 private:
  struct Open {
    std::uint32_t node;
    std::size_t next = 0;
  };

  void visit(std::uint32_t root) {
    open(root);
    while (!path_.empty()) {
      Open& top = path_.back();
      if (top.next == needs_[top.node].size()) {
        close();
        continue;
      }
      const std::uint32_t need = needs_[top.node][top.next++];
      if (marks_[need] == Mark::kNew) open(need);
      else if (marks_[need] == Mark::kOpen) close_cycle(need);
    }
  }

  void open(std::uint32_t node) {
    marks_[node] = Mark::kOpen;
    path_.push_back({node});
  }

  void close() {
    const std::uint32_t node = path_.back().node;
    if (marks_[node] == Mark::kOpen) marks_[node] = Mark::kDone;
    result_.order.push_back(node);
    path_.pop_back();
  }

  /// Records that the path from `first` on is a cycle. Its nodes are reported once.
  void close_cycle(std::uint32_t first) {
    std::vector<std::uint32_t> cycle;
    for (std::size_t i = path_.size(); i-- > 0;) {
      cycle.push_back(path_[i].node);
      if (path_[i].node == first) break;
    }
    if (std::any_of(cycle.begin(), cycle.end(), [&](std::uint32_t node) { return marks_[node] == Mark::kInCycle; })) return;
    for (const std::uint32_t node : cycle) marks_[node] = Mark::kInCycle;
    std::reverse(cycle.begin(), cycle.end());
    result_.cycles.push_back(std::move(cycle));
  }

  const std::vector<std::vector<std::uint32_t>>& needs_;
  std::vector<Mark> marks_;
  std::vector<Open> path_;
  DependencyOrder result_;
};

}  // namespace

DependencyOrder order_by_dependency(const std::vector<std::vector<std::uint32_t>>& needs) { return Search(needs).run(); }

}  // namespace tarry::plang
