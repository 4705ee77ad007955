// Stratified exhaustive search: everything that costs nothing, then everything that costs one, and so on.
//
// The bounded walk (explore/bounded_walk.h) on captured states.
// Figure 5 of Desai, Qadeer, Seshia (FSE 2015), with delays generalised to any cost (explore/discipline.h). Its recursion is a
// stack here; its frontier is a list in order of insertion, kept from stratum to stratum, so that nothing is explored twice.
//
// - A property is tested on every transition, before the cache is asked.
// - The cache holds program states only. So a bound says where the search was, not that everything within it was seen; only
//   an empty frontier means that all was. `strict_bound` reopens a state that is reached at a lower cost.
// - A data choice is a point of its own between two states: for delays, value v costs v (or one, with ChoiceCost::kUnit). Such
//   points are reached once for every visit of their state, so they need no place in the cache.
// - Several workers share a stratum; the worker that reaches a state first owns it. With one worker the order is that of figure 5.
// - Executions longer than the depth limit are cut if the user gave one; if not, they are put aside and taken up when nothing
//   else is left.
// - Where the store is full, what is on a stack or in the frontier is pinned, so that no cycle is walked within a stratum. From
//   stratum to stratum forgotten states may come again; the log of paths then grows until memory ends the search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "explore/bounded_walk.h"
#include "explore/discipline.h"
#include "store/block_arena.h"
#include "store/interner.h"
#include "store/path_log.h"
#include "store/state_store.h"

namespace tarry {

/// A point of an execution with turns left. Small, because a frontier can hold as many as there are states.
struct Node {
  StateKey state;
  std::uint32_t memo;    // of the discipline
  Move pending;          // at a data choice: the process and the values chosen so far
  std::uint32_t survey;  // of the state, interned
  std::uint16_t turn;
  std::uint16_t arity;   // at a data choice: number of values; 0 elsewhere
  PathId path;
  std::uint32_t depth;
};

/// Asked between steps. If it returns true, or the store is full, the walk stops and leaves the rest in the frontier.
using HandOver = std::function<bool(const MemoryBudget&)>;

/// Everything that a stratified search holds. It outlives the run, for searches that go on from its frontier.
class Stratified {
 public:
  Stratified(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget, Interner& surveys, HandOver hand_over = {});
  ~Stratified();

  /// Runs to the end, a limit, or a finding; fills session.outcome.
  void run();

  /// What is left: points with their cost above the last bound. They stay where they are; a walk over blocks of a thousand finds the i-th.
  std::uint64_t frontier_size() const;
  /// Returns whether `hand_over` ended the run, and nothing else.
  bool handed_over() const;
  const Node& frontier(std::uint64_t i) const;
  const PathLog& log() const;
  const StateStore& store() const;

  class Impl;  // in stratified.cc

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tarry
