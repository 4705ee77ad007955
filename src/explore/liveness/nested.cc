#include "explore/liveness/nested.h"

#include <algorithm>

namespace tarry {

std::uint8_t& NestedSearch::flags(Id state, std::uint32_t mode) {
  const std::size_t node = std::size_t{state} * modes_ + mode;
  if (node >= flags_.size()) flags_.resize(std::max(node + 1, flags_.size() * 2));
  return flags_[node];
}

void NestedSearch::enter(Id state, std::uint32_t mode) {
  std::uint8_t& visited = flags(state, mode);
  if ((visited & kOuter) != 0) return;
  visited |= kOuter;
  frames_.push_back({state, mode});
}

bool NestedSearch::run(std::uint64_t bound) {
  bound_ = bound;
  beyond_ = false;
  flags_.clear();
  frames_.clear();
  enter(0, 0);
  while (!frames_.empty() && !deep_.over()) {
    Frame& frame = frames_.back();
    if (frame.mode == 0 && frame.guess < modes_) {
      enter(frame.state, frame.guess++);
      continue;
    }
    if (frame.entered) {
      frame.entered = false;
      leave_edge(Frame(frame));
      continue;
    }
    frame.edge = deep_.next(frame.state, frame.edge, bound_, beyond_);
    if (frame.edge == StateGraph::kNone) {
      frames_.pop_back();
      continue;
    }
    const StateGraph::Edge& edge = deep_.graph().edge(frame.edge);
    if (frame.mode != 0 && (deep_.graph().label(edge).marks.cold >> (frame.mode - 1) & 1) != 0) continue;
    frame.entered = true;
    if (deep_.rest()) break;
    enter(edge.to, frame.mode);
  }
  return beyond_;
}

void NestedSearch::leave_edge(const Frame& frame) {
  if (frame.mode == 0) return;
  const StateGraph::Edge edge = deep_.graph().edge(frame.edge);
  if ((deep_.graph().label(edge).marks.hot >> (frame.mode - 1) & 1) == 0) return;
  if (finds_way_back(edge.to, frame.mode, frame.state)) deep_.report_cycle(frame.state, frame.edge, frame.mode - 1);
}

bool NestedSearch::finds_way_back(Id from, std::uint32_t mode, Id to) {
  if (from == to) return true;
  inner_.clear();
  const auto visit = [&](Id state) {
    std::uint8_t& visited = flags(state, mode);
    if ((visited & kInner) != 0) return;
    visited |= kInner;
    inner_.push_back({state, mode});
  };
  visit(from);
  while (!inner_.empty() && !deep_.rest()) {
    Frame& frame = inner_.back();
    frame.edge = deep_.next(frame.state, frame.edge, bound_, beyond_);
    if (frame.edge == StateGraph::kNone) {
      inner_.pop_back();
      continue;
    }
    const StateGraph::Edge& edge = deep_.graph().edge(frame.edge);
    if ((deep_.graph().label(edge).marks.cold >> (mode - 1) & 1) != 0) continue;
    if (edge.to == to) return true;
    visit(edge.to);
  }
  return false;
}

}  // namespace tarry
