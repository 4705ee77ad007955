#include "explore/liveness/nested.h"

#include <algorithm>

namespace tarry {

NestedSearch::NestedSearch(Session& session, DeepGraph& deep)
    : session_(session),
      deep_(deep),
      copies_(deep, session),
      modes_(static_cast<std::uint32_t>(deep.properties().size()) + 1),
      flags_(deep.graph().capacity() * modes_ * copies_.count(), deep.graph().pages()),
      frames_(deep.budget()),
      inner_(deep.budget()) {
  deep.leave_room(std::uint64_t{modes_} * copies_.count(), 0);
}

void NestedSearch::enter(const Node& node) {
  std::uint8_t& visited = flags(node);
  if ((visited & kOuter) != 0) return;
  visited |= kOuter;
  push(frames_, node);
}

/// Nobody who guessed that a property is violated takes an edge that shows it cold.
bool NestedSearch::forbidden(const Node& node, EdgeId edge) const {
  return node.mode != 0 && (deep_.graph().label(deep_.graph().edge(edge)).marks.cold >> (node.mode - 1) & 1) != 0;
}

NestedSearch::Node NestedSearch::behind(const Node& node, EdgeId edge) const {
  const StateGraph::Edge& e = deep_.graph().edge(edge);
  return {e.to, node.mode, node.mode == 0 ? 0 : copies_.along(node.state, e, node.mode - 1, node.copy).copy};
}

bool NestedSearch::run(std::uint64_t bound) {
  bound_ = bound;
  beyond_ = false;
  std::fill_n(flags_.data(), std::size_t{deep_.graph().size()} * modes_ * copies_.count(), 0);
  frames_.clear();
  enter({0, 0, 0});
  while (!frames_.empty() && !deep_.over()) {
    Frame& frame = frames_.back();
    if (frame.node.mode == 0 && frame.guess < modes_) {
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
    if (forbidden(frame.node, frame.edge)) continue;
    frame.entered = true;
    if (deep_.rest()) break;
    enter(behind(frame.node, frame.edge));
  }
  return beyond_;
}

void NestedSearch::leave_edge(const Frame& frame) {
  if (frame.node.mode == 0) return;
  const std::uint32_t property = frame.node.mode - 1;
  const auto [copy, accepting] = copies_.along(frame.node.state, deep_.graph().edge(frame.edge), property, frame.node.copy);
  if (!accepting) return;
  if (finds_way_back({deep_.graph().edge(frame.edge).to, frame.node.mode, copy}, frame.node)) copies_.report(session_, frame.node.state, frame.node.copy, frame.edge, property);
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
    if (forbidden(frame.node, frame.edge)) continue;
    const Node node = behind(frame.node, frame.edge);
    if (node == to) return true;
    visit(node);
  }
  return false;
}

}  // namespace tarry
