// store/state_store.h: of all workers that come to a state exactly one finds it new, also while a table grows.
//
// Scene 0: two workers come to the same two states in opposite order.
// Scene 1: the same, each with a state of its own besides; the table of states (store/lane_table.h) has room for one of the three.
// Scene 2: three workers, one state.
// Scene 3: states of seven words, folded in pairs (store/pair_table.h). Two workers with a state each, all of whose pairs are new; the table of
//          pairs has to grow in between. A key gives its state back.
// Scene 4: the same, but they come to the same state: its pairs are numbered once.
#include "yielding_pause.h"

#include <tarry/test.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/assert.cc"  // one translation unit: it is compiled once for every mistake
#include "store/fold_plan.cc"
#include "store/state_store.cc"

using namespace tarry;

namespace {

using Numbers = std::vector<std::uint32_t>;

class Checked {
 public:
  explicit Checked(std::uint32_t words) : words_(words), store_({.words = words, .bits = 32 * words, .processes = 1, .seals = false}, options_, budget_) {}

  void come_to(const Numbers& states) {
    const Inside inside(store_.gate());
    for (const std::uint32_t i : states)
      if (visit(i) == Visit::kNew) fresh_[i].fetch_add(1, std::memory_order_relaxed);
  }
  /// All have been found new once, and are known now.
  void expect_known(const Numbers& states) {
    const Inside inside(store_.gate());
    for (const std::uint32_t i : states) {
      TARRY_EXPECT(fresh_[i] == 1);
      TARRY_EXPECT(visit(i) == Visit::kSeen);
    }
  }

 private:
  using State = std::array<Word, 7>;

  Visit visit(std::uint32_t i) {
    const State state = words_ == 1 ? crowding(i) : unlike_others(i);
    const StateKey key = store_.key({state.data(), words_});
    State back{};
    store_.state(key, back.data());
    TARRY_EXPECT(back == state);
    return store_.visit(key);
  }
  /// They all belong into the same bucket, which has room for sixteen.
  static State crowding(std::uint32_t i) {
    static constexpr Word kNumbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 17, 18, 19, 23, 24, 25, 26};
    return {kNumbers[i]};
  }
  /// No pair in common with another.
  static State unlike_others(std::uint32_t i) {
    State state;
    for (Word w = 0; w < state.size(); ++w) state[w] = 1000 * (i + 1) + w;
    return state;
  }

  std::uint32_t words_;
  SearchOptions options_;
  MemoryBudget budget_{1 << 20};
  StateStore store_;
  std::array<std::atomic<int>, 18> fresh_{};
};

}  // namespace

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  Numbers before;
  std::vector<Numbers> workers;
  if (scene == 0) workers = {{0, 1}, {1, 0}};
  if (scene == 1) before = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, workers = {{15, 16}, {16, 17}};
  if (scene == 2) workers = {{0}, {0}, {0}};
  if (scene == 3) before = {0, 1}, workers = {{2}, {3}};
  if (scene == 4) before = {0, 1}, workers = {{2}, {2}};

  Checked store(scene < 3 ? 1 : 7);
  store.come_to(before);
  {
    std::vector<std::jthread> others;
    for (std::size_t w = 1; w < workers.size(); ++w) others.emplace_back([&, w] { store.come_to(workers[w]); });
    store.come_to(workers[0]);
  }
  store.expect_known(before);
  for (const Numbers& states : workers) store.expect_known(states);
}
