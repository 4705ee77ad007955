#include "explore/liveness/nested.h"

#include <algorithm>

namespace tarry {

NestedSearch::NestedSearch(Session& session, DeepGraph& deep)
    : session_(session),
      deep_(deep),
      nodes_(deep, session),
      flags_(deep.graph().capacity() * nodes_.per_state(), deep.graph().pages()),
      frames_(deep.budget()),
      inner_(deep.budget()) {
  deep.leave_room(nodes_.per_state(), 0);
}

void NestedSearch::enter(const Node& node) {
  std::uint8_t& visited = flags(node);
  if ((visited & kOuter) != 0) return;
  visited |= kOuter;
  push(frames_, node);
}

bool NestedSearch::run(std::uint64_t bound) {
  bound_ = bound;
  beyond_ = false;
  std::fill_n(flags_.data(), deep_.graph().size() * nodes_.per_state(), 0);
  frames_.clear();
  enter({0, 0, 0});
  while (!frames_.empty() && !deep_.over()) {
    Frame& frame = frames_.back();
    if (frame.node.mode == 0 && frame.guess < nodes_.modes()) {
      enter({frame.node.state, frame.guess++, 0});
      continue;
    }
    if (frame.entered) {
      frame.entered = false;
      leave_edge(Frame(frame));
      continue;
    }
    frame.edge = deep_.next(frame.node.state, frame.edge, bound_, beyond_);
    if (frame.edge == StateGraph::kNone) {
      frames_.pop();
      continue;
    }
    if (forbidden(frame)) continue;
    frame.entered = true;
    if (deep_.rest()) break;
    enter(along(frame).to);
  }
  return beyond_;
}

void NestedSearch::leave_edge(const Frame& frame) {
  const auto [to, accepting] = along(frame);
  if (!accepting || !finds_way_back(to, frame.node)) return;
  nodes_.copies().report(session_, frame.node.state, frame.node.copy, frame.edge, frame.node.mode - 1);
}

bool NestedSearch::finds_way_back(const Node& from, const Node& to) {
  if (from == to) return true;
  inner_.clear();
  const auto visit = [&](const Node& node) {
    std::uint8_t& visited = flags(node);
    if ((visited & kInner) != 0) return;
    visited |= kInner;
    push(inner_, node);
  };
  visit(from);
  while (!inner_.empty() && !deep_.rest()) {
    Frame& frame = inner_.back();
    frame.edge = deep_.next(frame.node.state, frame.edge, bound_, beyond_);
    if (frame.edge == StateGraph::kNone) {
      inner_.pop();
      continue;
    }
    if (forbidden(frame)) continue;
    const Node node = along(frame).to;
    if (node == to) return true;
    visit(node);
  }
  return false;
}

}  // namespace tarry
