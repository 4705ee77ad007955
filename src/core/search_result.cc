#include "core/search_result.h"

#include <algorithm>
#include <concepts>
#include <tuple>

namespace tarry {
namespace {

/// Of several workers that ended, the reason for which the others did counts most.
int weight(StoppedBy why) {
  switch (why) {
    case StoppedBy::kNothing: return 0;
    case StoppedBy::kInterrupt: return 1;
    case StoppedBy::kLimit: return 3;
    case StoppedBy::kFinding: return 4;
    default: return 2;
  }
}

// Which joins a type has.
void join(bool& to, bool from, Join how) { to = how == Join::kAll ? to && from : to || from; }

template <std::unsigned_integral N>
void join(N& to, N from, Join how) {
  if (how == Join::kSum) to += from;
  else if (from != 0) to = to == 0 ? from : std::min(to, from);
}

void join(std::string& to, const std::string& from, Join /*first*/) {
  if (to.empty()) to = from;
}

template <std::equality_comparable T>
void join(std::vector<T>& to, const std::vector<T>& from, Join /*union*/) {
  for (const T& one : from)
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

void join(std::set<std::string>& to, const std::set<std::string>& from, Join /*union*/) { to.insert(from.begin(), from.end()); }

void join(std::map<std::string, std::uint64_t>& to, const std::map<std::string, std::uint64_t>& from, Join /*union*/) {
  for (const auto& [text, times] : from) to[text] += times;
}

/// Joins what is not `kApart`. Both lists have the same order.
template <class Facts>
void join_facts(Facts& to, const Facts& from) {
  std::vector<const void*> sources;
  for_each_fact(from, [&](const char* /*name*/, const auto& fact, Join /*how*/) { sources.push_back(&fact); });
  auto source = sources.begin();
  for_each_fact(to, [&]<class T>(const char* /*name*/, T& fact, Join how) {
    const void* const there = *source++;
    if constexpr (requires { join(fact, fact, how); })
      if (how != Join::kApart) join(fact, *static_cast<const T*>(there), how);
  });
}

/// Before `join_facts`: the rules for facts that depend on each other.
void join_apart(Outcome& to, const Outcome& from) {
  to.reached_any = to.reached_any && from.reached_any && to.bound == from.bound;
  to.reached = std::min(to.reached, from.reached);
  if (to.winner_search.empty() || from.stopped_by == StoppedBy::kFinding) std::tie(to.winner_search, to.winner_explorer) = std::tie(from.winner_search, from.winner_explorer);
  if (weight(from.stopped_by) > weight(to.stopped_by)) to.stopped_by = from.stopped_by;
  if (!from.totals) return;
  if (!to.totals) to.totals = Progress::Totals{};
  to.totals->states += from.totals->states;
  to.totals->transitions += from.totals->transitions;
  to.totals->executions += from.totals->executions;
  to.totals->depth = std::max(to.totals->depth, from.totals->depth);
}

}  // namespace

SearchResult joined(std::span<const SearchResult> workers) {
  SearchResult out;
  if (workers.empty()) return out;
  out = workers.front();
  out.findings.clear();
  out.outcome.notes.clear();
  join(out.outcome.notes, workers.front().outcome.notes, Join::kUnion);
  for (const SearchResult& worker : workers.subspan(1)) {
    join_apart(out.outcome, worker.outcome);
    join_facts(out.outcome, worker.outcome);
    join_facts(out, worker);
  }
  // Several workers may have met the same orders.
  const auto tells_orders = [](const SearchResult& worker) { return worker.orders > 0; };
  const auto told = std::count_if(workers.begin(), workers.end(), tells_orders);
  out.orders = told == 1 ? std::find_if(workers.begin(), workers.end(), tells_orders)->orders : 0;
  return out;
}

}  // namespace tarry
