// Figure 5 of Desai, Qadeer, Seshia (FSE 2015), stratified exhaustive search, as it is printed: recursive, with a std::set for a
// cache and the frontier as a list in order of insertion.
//
// What is added: properties are tested on every transition, before the cache; the first failure ends the search. A data choice
// is a point of its own between two states, whose i-th choice is value i; it is reached once for each visit of its state, so
// it is not in the cache.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tarry/explorer.h>

#include "tests/support/composed.h"

namespace tarry::test {

class Figure5 {
 public:
  Figure5(const abi::Model& model, const Explorer& explorer, std::uint64_t delta) : program_(model), explorer_(explorer), delta_(delta) {}

  struct Failure {
    std::uint64_t delays;
    std::vector<std::uint32_t> schedule;  // each process and its values, one after the other
    bool deadlock;
  };

  std::map<Words, std::uint64_t> states;  // with the bound at their first visit
  std::vector<Words> order;               // of the visits
  std::uint64_t transitions = 0;
  std::optional<Failure> failure;
  bool complete = false;  // the frontier became empty

  /// SES(); up to the bound `last`, if given.
  void run(std::optional<std::uint64_t> last = std::nullopt) {
    const std::optional<Words> first = program_.initial();
    if (!first) return;
    db_ = 0;
    visit(*first);
    const Point s0{.state = *first, .process = 0, .values = {}, .arity = 0};
    const Around around = program_.around(*first);
    if (around.deadlock()) return fail(0, true);
    delay_bounded_dfs(s0, explorer_.initial(around.alive()), 0, 0, {});
    while (!frontier_.empty() && !failure) {
      if (last && db_ >= *last) return;
      std::vector<Entry> frontier = std::move(frontier_);
      frontier_.clear();
      const std::uint64_t before = db_;
      db_ = last ? std::min(db_ + delta_, *last) : db_ + delta_;
      for (const Entry& entry : frontier) {
        if (failure) return;
        delay_bounded_dfs(entry.s, delayed(entry.s, entry.d), entry.i, before + 1, entry.path);
      }
    }
    complete = frontier_.empty() && !failure;
  }

 private:
  using Schedule = std::vector<std::uint32_t>;
  struct Entry {
    Point s;
    Memo d;
    std::uint32_t i;
    Schedule path;
  };

  void delay_bounded_dfs(const Point& s, Memo d, std::uint32_t i, std::uint64_t n, const Schedule& path) {
    const Around around = program_.around(s.state);
    const std::uint32_t all = Composed::choices(s, around);
    while (i < all) {
      Point next = s;
      if (s.arity != 0) next.values.push_back(i);
      else next.process = around.sealed() ? around.sealed_by - 1 : index(explorer_.next(d, around.open()));
      i = i + 1;
      follow(next, around, d, n, path);
      if (failure) return;
      if (n == db_ && i < all) {
        frontier_.push_back({s, d, i, path});
        break;
      }
      if (i < all) d = delayed(s, d);
      n = n + 1;
    }
  }

  /// s' := T(Next(d), s), and what is done with it.
  void follow(Point& next, const Around& around, const Memo& d, std::uint64_t n, const Schedule& path) {
    const Moved moved = program_.take(next.state, next.process, next.values);
    next.arity = moved.arity;
    if (moved.arity != 0) return delay_bounded_dfs(next, d, 0, n, path);
    ++transitions;
    Schedule longer = path;
    longer.push_back(next.process);
    longer.insert(longer.end(), next.values.begin(), next.values.end());
    if (moved.failed()) return fail(n, false, longer);
    if (!visit(moved.words)) return;
    const Around after = program_.around(moved.words);
    if (after.deadlock()) return fail(n, true, longer);
    const Point arrived{.state = moved.words, .process = 0, .values = {}, .arity = 0};
    delay_bounded_dfs(arrived, explorer_.step(d, Composed::step(next.process, around, after, moved)), 0, n, longer);
  }

  Memo delayed(const Point& s, const Memo& d) {
    if (s.arity != 0) return d;
    return explorer_.delay(d, program_.around(s.state).open());
  }
  bool visit(const Words& state) {
    if (!states.emplace(state, db_).second) return false;
    order.push_back(state);
    return true;
  }
  void fail(std::uint64_t delays, bool deadlock, Schedule schedule = {}) { failure = {delays, std::move(schedule), deadlock}; }

  Composed program_;
  const Explorer& explorer_;
  std::uint64_t delta_;
  std::uint64_t db_ = 0;
  std::vector<Entry> frontier_;
};

}  // namespace tarry::test
