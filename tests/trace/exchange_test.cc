// The facts of a search: one type, one codec (core/search_result.h, trace/exchange.h).
#include "trace/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/rng.h"

namespace tarry {
namespace {

// ---- Every field is a fact: one that is left out of the list would get lost on the way to the report.

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

struct Anything {
  template <class T>
    requires(!kIsOptional<T>)
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <class T, class... Fields>
consteval std::size_t count_fields() {
  if constexpr (requires { T{Fields{}..., Anything{}}; }) return count_fields<T, Fields..., Anything>();
  else return sizeof...(Fields);
}

template <class T>
std::size_t count_facts() {
  T facts;
  std::size_t count = 0;
  for_each_fact(facts, [&](const char*, const auto&, Join) { ++count; });
  return count;
}

TEST(SearchResult, EveryFieldIsInTheListOfFacts) {
  EXPECT_EQ(count_facts<Outcome>(), count_fields<Outcome>());
  EXPECT_EQ(count_facts<SearchResult>(), count_fields<SearchResult>());
}

// ---- Random results.

std::string any_text(Rng& rng) {
  std::string out;
  for (std::size_t i = rng.below(4); i > 0; --i) out += static_cast<char>('a' + rng.below(3));
  return out;
}

SearchResult any_result(Rng& rng) {
  SearchResult r;
  Outcome& o = r.outcome;
  for (bool* const flag : {&o.complete, &o.reached_any, &o.sealed, &o.lossy, &o.visits, &o.live, &r.weak_atomics}) *flag = rng.below(2) == 1;
  o.stopped_by = static_cast<StoppedBy>(rng.below(9));
  if (rng.below(3) > 0) o.bound = rng.below(2) == 1 ? Bound("delays") : Bound("depth");
  for (std::string* const text : {&o.limit, &o.winner_search, &o.winner_explorer, &r.explorer}) *text = any_text(rng);
  for (std::uint64_t* const number : {&o.reached, &o.cut, &o.put_aside, &o.in_vain, &o.samples, &o.bytes}) *number = rng.below(5);
  o.fair = static_cast<std::uint32_t>(rng.below(4));
  for (std::size_t i = rng.below(4); i > 0; --i) o.notes.push_back(any_text(rng));
  if (rng.below(2) == 1) o.totals = Progress::Totals{rng.below(9), rng.below(9), rng.below(9), rng.below(9)};
  if (rng.below(2) == 1) r.findings.push_back({.kind = "deadlock", .message = any_text(rng), .location = any_text(rng), .schedule = {{Choice::Kind::kProcess, 4095}, {Choice::Kind::kValue, ~0u}}, .steps = 1, .loop = rng.below(2), .why = {any_text(rng)}, .failure = FailureId{7}});
  for (std::size_t i = rng.below(3); i > 0; --i) r.outputs["\xff" + any_text(rng)] = 1 + rng.below(5), r.covered.insert(any_text(rng) + '\x80');
  if (rng.below(2) == 1) r.orders = 1 + rng.below(9);
  for (std::size_t i = rng.below(3); i > 0; --i) r.assumes.push_back({static_cast<Assumption::About>(rng.below(3)), any_text(rng)});
  r.checks.made = {any_text(rng)};
  r.properties = {any_text(rng)};
  return r;
}

TEST(SearchResult, TheCodecBringsBackEveryFact) {
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const SearchResult sent = any_result(rng);
    const auto got = Json::parse(exchange_text(Json(sent))).get<SearchResult>();
    EXPECT_EQ(Json(got), Json(sent));
    EXPECT_EQ(got.outputs, sent.outputs);  // byte by byte
    EXPECT_EQ(got.covered, sent.covered);
    EXPECT_EQ(got.assumes, sent.assumes);
    EXPECT_EQ(got.outcome.bound, sent.outcome.bound);
  }
}

TEST(SearchResult, AWordThatIsNotKnownIsNoMessage) {
  Json sent = SearchResult{};
  sent["outcome"]["bound"] = "parsecs";
  EXPECT_ANY_THROW(sent.get<SearchResult>());
}

// ---- Several workers. What must hold of the whole, whatever the order of the workers.

TEST(SearchResult, WorkersAreJoinedFactByFact) {
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    std::vector<SearchResult> workers(1 + rng.below(4));
    for (SearchResult& worker : workers) worker = any_result(rng);
    const SearchResult all = joined(workers);
    bool complete = true, sealed = false, told_once = true;
    std::uint64_t cut = 0, least_fair = 0, orders = 0, executions = 0, outputs = 0, told = 0;
    for (const SearchResult& worker : workers) {
      complete = complete && worker.outcome.complete;
      sealed = sealed || worker.outcome.sealed;
      cut += worker.outcome.cut;
      if (worker.outcome.fair != 0) least_fair = least_fair == 0 ? worker.outcome.fair : std::min<std::uint64_t>(least_fair, worker.outcome.fair);
      if (worker.orders != 0) orders = std::exchange(told_once, false) ? worker.orders : 0, ++told;
      if (worker.outcome.totals) executions += worker.outcome.totals->executions;
      for (const auto& [text, times] : worker.outputs) outputs += times;
      for (const std::string& note : worker.outcome.notes) EXPECT_EQ(std::count(all.outcome.notes.begin(), all.outcome.notes.end(), note), 1);
      for (const std::string& text : worker.covered) EXPECT_TRUE(all.covered.contains(text));
      for (const Assumption& one : worker.assumes) EXPECT_NE(std::find(all.assumes.begin(), all.assumes.end(), one), all.assumes.end());
      EXPECT_LE(all.outcome.reached, worker.outcome.reached);
      if (all.outcome.reached_any) {
        EXPECT_TRUE(worker.outcome.reached_any && worker.outcome.bound == all.outcome.bound);
      }
      if (worker.outcome.stopped_by == StoppedBy::kFinding) {
        EXPECT_EQ(all.outcome.stopped_by, StoppedBy::kFinding);
      }
    }
    EXPECT_EQ(all.outcome.complete, complete);
    EXPECT_EQ(all.outcome.sealed, sealed);
    EXPECT_EQ(all.outcome.cut, cut);
    EXPECT_EQ(all.outcome.fair, least_fair);
    EXPECT_EQ(all.orders, told == 1 ? orders : 0) << "several workers may have met the same ones";
    EXPECT_EQ(all.outcome.totals ? all.outcome.totals->executions : 0, executions);
    std::uint64_t all_outputs = 0;
    for (const auto& [text, times] : all.outputs) all_outputs += times;
    EXPECT_EQ(all_outputs, outputs);
    EXPECT_TRUE(all.findings.empty());
  }
}

// ---- Types where strings traveled.

TEST(FindingKind, IsOneOfTheList) {
  constexpr FindingKind kind = "deadlock";
  EXPECT_STREQ(kind.name(), "deadlock");
  EXPECT_EQ(FindingKind::find("deadlock"), kind);
  EXPECT_FALSE(FindingKind::find("dead-lock"));
  EXPECT_TRUE(FindingKind::find("")->empty());
  for (const char* const name : kFindingKinds) EXPECT_STREQ(FindingKind::find(name)->name(), name);
}

TEST(Schedule, EveryChoiceHasOneCode) {
  for (const Choice::Kind kind : {Choice::Kind::kProcess, Choice::Kind::kValue})
    for (const std::uint32_t number : {0u, 1u, 4095u, ~0u}) EXPECT_EQ(choice_of(code_of({kind, number})), (Choice{kind, number}));
}

}  // namespace
}  // namespace tarry
