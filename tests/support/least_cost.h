// What can be reached within a bound, by Dijkstra over the product of program and scheduler: the truth that strict bounds are
// held against. No cache on program states, so nothing is missed.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "tests/support/composed.h"

namespace tarry::test {

/// The least number of delays that each state needs, for states that need at most `most`. A data choice of value v costs v, or
/// one for all values but 0 if `unit`. Requires: finitely many memos.
inline std::map<Words, std::uint64_t> least_delays(const abi::Model& model, const Explorer& explorer, std::uint64_t most, bool unit = false) {
  using Key = std::tuple<Point, std::vector<std::uint16_t>, std::uint32_t>;  // where, memo, which choice is next
  struct Item {
    Point point;
    Memo memo;
    std::uint32_t turn;
  };
  Composed program(model);
  std::map<Words, std::uint64_t> out;
  std::map<Key, std::uint64_t> settled;
  std::map<std::uint64_t, std::deque<Item>> queue;
  const auto first = program.initial();
  if (!first) return out;
  queue[0].push_back({{*first, 0, {}, 0}, explorer.initial(program.around(*first).alive()), 0});
  while (!queue.empty() && queue.begin()->first <= most) {
    const std::uint64_t cost = queue.begin()->first;
    if (queue.begin()->second.empty()) {
      queue.erase(queue.begin());
      continue;
    }
    const Item item = queue.begin()->second.front();
    queue.begin()->second.pop_front();
    if (!settled.emplace(Key{item.point, {item.memo.begin(), item.memo.end()}, item.turn}, cost).second) continue;
    if (item.point.arity == 0) out.emplace(item.point.state, cost);
    const Around around = program.around(item.point.state);
    const std::uint32_t all = Composed::choices(item.point, around);
    if (item.turn >= all) continue;
    if (item.turn + 1 < all) {
      const bool free = unit && item.point.arity != 0 && item.turn > 0;
      queue[cost + (free ? 0 : 1)].push_back(
          {item.point, item.point.arity != 0 ? item.memo : explorer.delay(item.memo, around.open()), item.turn + 1});
    }
    Point next = item.point;
    if (item.point.arity != 0) next.values.push_back(item.turn);
    else next.process = index(explorer.next(item.memo, around.open()));
    const Moved moved = program.take(next.state, next.process, next.values);
    next.arity = moved.arity;
    if (moved.arity != 0) queue[cost].push_back({next, item.memo, 0});
    else if (!moved.failed()) {
      const Around after = program.around(moved.words);
      queue[cost].push_back({{moved.words, 0, {}, 0}, explorer.step(item.memo, Composed::step(next.process, around, after, moved)), 0});
    }
  }
  return out;
}

/// The least number of preemptions that each state needs: of switches away from a process that could go on and did not yield.
/// Data choices are no preemptions.
inline std::map<Words, std::uint64_t> least_preemptions(const abi::Model& model) {
  using Key = std::pair<Words, std::uint32_t>;  // state, process that runs + 1
  Instance program(model);
  Composed composed(model);
  std::map<Words, std::uint64_t> out;
  std::map<Key, std::uint64_t> settled;
  std::map<std::uint64_t, std::deque<Key>> queue;
  const auto first = program.initial();
  if (!first) return out;
  queue[0].push_back({*first, 0});
  while (!queue.empty()) {
    const std::uint64_t cost = queue.begin()->first;
    if (queue.begin()->second.empty()) {
      queue.erase(queue.begin());
      continue;
    }
    const Key key = queue.begin()->second.front();
    queue.begin()->second.pop_front();
    if (!settled.emplace(key, cost).second) continue;
    const auto& [state, running] = key;
    out.emplace(state, cost);
    const bool goes_on = running != 0 && composed.around(state).open().contains(ProcessId{running - 1});
    for (const Successor& next : program.expand(state).successors) {
      if (next.failed()) continue;
      const std::uint64_t price = goes_on && next.process != running - 1 ? 1 : 0;
      queue[cost + price].push_back({next.words, (next.flags & abi::kYielded) != 0 ? 0 : next.process + 1});
    }
  }
  return out;
}

}  // namespace tarry::test
