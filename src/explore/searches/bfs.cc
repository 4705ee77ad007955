// Breadth-first search: all states at distance one, then at distance two, and so on. Its counterexamples are the shortest.
//
// Workers share a level in pieces and meet at its end. Each state costs eight bytes more than in `dfs`, for the way back.
// Needs every state remembered: when memory is spent it stops.
//
// Paper: suggested in Dwyer, Elbaum, Person, Purandare. ICSE 2007, section 7; `--shuffle 1` takes each level in random order.
#include <atomic>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/in_order.h"
#include "explore/reexecution.h"
#include "explore/shuffled.h"
#include "explore/walker.h"
#include "store/state_store.h"

namespace tarry {
namespace {

struct Item {
  StateKey state;
  PathId path;
};

struct Level {
  std::vector<Item> items;
  std::atomic<std::size_t> next{0};
};

struct Shared {
  explicit Shared(Session& session)
      : budget(session.options().limits.memory), store(session.program().shape(), session.options(), budget), log(budget) {}
  MemoryBudget budget;
  StateStore store;
  PathLog log;
};

class BreadthFirstWorker final : public Walker {
 public:
  BreadthFirstWorker(Session& session, Shared& shared, std::uint32_t number)
      : Walker(session, number), shared_(shared), writer_(shared.log), expansion_(session.program().shape().words), words_(session.program().shape().words) {}

  /// Expands pieces of the level until it is used up; new states go to `found`.
  void work(Level& level) {
    constexpr std::size_t kPiece = 64;
    const WhereaboutsScope here(*this);
    const Inside inside(shared_.store.gate());
    while (true) {
      const std::size_t first = level.next.fetch_add(kPiece, std::memory_order_relaxed);
      if (first >= level.items.size()) return;
      for (std::size_t i = first; i < std::min(first + kPiece, level.items.size()); ++i) {
        if (tick()) return;
        expand_one(level.items[i]);
      }
    }
  }

  /// How many states of the level can go on. Deadlocks among them are reported.
  std::uint64_t count_open(const Level& level) {
    const WhereaboutsScope here(*this);
    const Inside inside(shared_.store.gate());
    std::uint64_t open = 0;
    for (const Item& item : level.items) {
      if (tick()) break;
      here_ = item.path;
      shared_.store.state(item.state, words_.data());
      expand(words_, expansion_);
      if (expansion_.deadlock()) report_deadlock(path_here(), words_, -1);
      open += expansion_.count > 0 ? 1 : 0;
    }
    return open;
  }

  std::size_t path(Move* out, std::size_t room) const noexcept override { return copy_path(shared_.log, here_, out, room); }

  std::vector<Item> found;

 private:
  void expand_one(const Item& item) {
    StateStore& store = shared_.store;
    here_ = item.path;
    store.state(item.state, words_.data(), &folding_);
    expand(words_, expansion_);
    bump(counters().transitions, std::uint64_t{expansion_.count});
    if (expansion_.deadlock()) return report_deadlock(path_here(), words_, -1);
    const bool folded = words_.size() > 2;
    keys_.clear();
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const abi::Successor& successor = expansion_.successors[i];
      if ((successor.flags & abi::kFailed) != 0) [[unlikely]]
        return report_step(path_here(), words_, ProcessId{successor.process}, expansion_.values_of(successor), -1);
      keys_.push_back(store.key(expansion_.state(i), folded ? &folding_ : nullptr, folded ? &successor_folding_ : nullptr));
    }
    if (store.large()) {
      for (const StateKey key : keys_) store.touch(key);
    }
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const Visit visit = store.visit(keys_[i]);
      if (visit == Visit::kSeen) continue;
      if (visit == Visit::kFull || shared_.budget.exceeded()) session().stop(StoppedBy::kMemory);
      session().count_state(counters());
      const abi::Successor& successor = expansion_.successors[i];
      found.push_back({keys_[i], writer_.add(item.path, session().moves().make(ProcessId{successor.process}, expansion_.values_of(successor)))});
    }
  }

  Shared& shared_;
  PathLog::Writer writer_;
  Expansion expansion_;
  std::vector<Word> words_;
  FoldedState folding_, successor_folding_;
  std::vector<StateKey> keys_;
  PathId here_ = PathId::kRoot;
};

class Bfs final : public Search {
 public:
  explicit Bfs(bool shuffle) : shuffle_(shuffle) {}

  void run(Session& session) override {
    if (by_running(session)) return run_again(session);
    std::vector<Word> words(session.program().shape().words);
    if (!start(session, words.data())) return;
    Shared shared(session);
    Level level;
    {
      const Inside inside(shared.store.gate());
      level.items.push_back({shared.store.key(words), PathId::kRoot});
      shared.store.visit(level.items[0].state);
    }
    session.count_state(session.worker(0));
    Outcome& outcome = session.outcome;
    outcome.bound = "depth";
    outcome.sealed = session.program().shape().seals;
    outcome.lossy = session.options().store != StoreKind::kExact;
    walk(session, shared, level);
    outcome.bytes = shared.budget.peak();
    outcome.complete = !session.stopping() && outcome.cut == 0;
    if (!session.stopping() && outcome.cut > 0) outcome.stopped_by = StoppedBy::kBound;
  }

 private:
  /// Without states: strata of depth, one step each.
  void run_again(Session& session) const {
    MemoryBudget budget(session.options().limits.memory);
    const TreePlan plan{.first = 1, .delta = 1, .last = {}, .memo_matters = false};
    InOrder in_order(1);
    Shuffled shuffled(session.options().seed, 1);
    walk_tree(session, shuffle_ ? static_cast<Discipline&>(shuffled) : in_order, plan, budget);
  }

  void walk(Session& session, Shared& shared, Level& level) const {
    std::vector<std::unique_ptr<BreadthFirstWorker>> workers(session.options().jobs);
    const Limits& limits = session.options().limits;
    for (std::uint64_t depth = 0; !level.items.empty(); ++depth) {
      if (limits.max_depth_given && depth >= limits.max_depth) return cut(session, shared, level);
      const auto jobs = level.items.size() < 256 ? 1 : session.options().jobs;
      run_workers(jobs, [&](std::uint32_t i) {
        if (workers[i] == nullptr) workers[i] = std::make_unique<BreadthFirstWorker>(session, shared, i);
        else workers[i]->on_this_thread();
        workers[i]->work(level);
      });
      if (session.stopping()) return;
      next_level(session, shared, workers, level, depth);
      session.outcome.reached = depth + 1;
      session.outcome.reached_any = true;
    }
  }

  /// Executions are cut here, but for those that end by themselves.
  void cut(Session& session, Shared& shared, Level& level) const {
    BreadthFirstWorker worker(session, shared, 0);
    session.outcome.cut = worker.count_open(level);
  }

  void next_level(Session& session, Shared& shared, std::vector<std::unique_ptr<BreadthFirstWorker>>& workers, Level& level,
                  std::uint64_t depth) const {
    shared.budget.give(level.items.capacity() * sizeof(Item));
    level.items.clear();
    level.items.shrink_to_fit();
    for (auto& worker : workers) {
      if (worker == nullptr) continue;
      if (level.items.empty()) level.items.swap(worker->found);
      else level.items.insert(level.items.end(), worker->found.begin(), worker->found.end());
      worker->found.clear();
      worker->found.shrink_to_fit();
    }
    level.next = 0;
    shared.budget.force(level.items.capacity() * sizeof(Item));
    if (shuffle_) Rng(session.options().seed, depth).shuffle(std::span(level.items));
    if (!level.items.empty()) session.worker(0).depth.store(static_cast<std::uint32_t>(depth + 1), std::memory_order_relaxed);
    session.progress().bound = depth + 1;
    session.progress().frontier = level.items.size();
    session.progress().memory = shared.budget.used();
  }

  bool shuffle_;
};

const Registration<Search> entry{{
    .name = "bfs",
    .summary = "breadth-first; the shortest counterexamples",
    .paper = "Dwyer et al., ICSE 2007, section 7",
    .params = {{"shuffle", 0, 0, 1, "1: the states of a level in random order"}},
    .kind = {.complete = true, .runs = true, .limits = {"cache"}, .make = [](const ParamValues& values) { return std::make_unique<Bfs>(values.at("shuffle") != 0); }},
}};

}  // namespace
}  // namespace tarry
