// Breadth-first search: visits all states at distance one, then at distance two, and so on. Its counterexamples are the shortest.
//
// Workers share a level in pieces and meet at its end. Each state costs eight bytes more than in `dfs`, for the path back. Every
// state must be stored: when memory is used up, the search stops.
//
// A deadlock comes before a failing step of the same level (explore/failing_step.h).
//
// Paper: suggested in Dwyer, Elbaum, Person, Purandare. ICSE 2007, section 7; `--shuffle 1` takes each level in random order.
#include <atomic>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/failing_step.h"
#include "explore/in_order.h"
#include "explore/reexecution.h"
#include "explore/shuffled.h"
#include "explore/walker.h"
#include "store/block_arena.h"
#include "store/state_store.h"

namespace tarry {
namespace {

struct Item {
  StateKey state;
  PathId path;
};

/// The states at one distance, in blocks.
class Level {
 public:
  std::atomic<std::size_t> next{0};

  std::size_t size() const { return size_; }
  Item& operator[](std::size_t i) { return blocks_[i / Block<Item>::kRoom][i % Block<Item>::kRoom]; }
  void add(BlockArena& arena, const Item& item) {
    if (blocks_.empty() || blocks_.back().full()) blocks_.emplace_back(arena);
    blocks_.back().push_back(item);
    ++size_;
  }
  /// Moves the items of another level here. Full blocks move unchanged; a block that is not full stays the last.
  void take(BlockArena& arena, Level& other) {
    for (Block<Item>& block : other.blocks_) {
      if (!blocks_.empty() && !blocks_.back().full() && !block.full()) {
        for (const Item& item : block) add(arena, item);
        continue;
      }
      size_ += block.size();
      blocks_.push_back(std::move(block));
      const std::size_t n = blocks_.size();
      if (n > 1 && !blocks_[n - 2].full()) std::swap(blocks_[n - 1], blocks_[n - 2]);
    }
    other.clear();
  }
  void clear() {
    blocks_.clear();
    size_ = 0;
    next = 0;
  }

  FailingStep failing;

 private:
  std::vector<Block<Item>> blocks_;
  std::size_t size_ = 0;
};

struct Shared {
  explicit Shared(Session& session)
      : budget(session.options().limits.memory), blocks(budget), store(session.program().shape(), session.options(), budget), log(budget) {}
  MemoryBudget budget;
  BlockArena blocks;
  StateStore store;
  PathLog log;
};

class BreadthFirstWorker final : public Walker {
 public:
  BreadthFirstWorker(Session& session, Shared& shared, std::uint32_t number)
      : Walker(session, number), shared_(shared), writer_(shared.log), expansion_(session.program().shape().words), words_(session.program().shape().words) {}

  /// Expands pieces of the level until it is used up. New states go to `found`.
  void work(Level& level) {
    constexpr std::size_t kPiece = 64;
    const WhereaboutsScope here(*this);
    const Inside inside(shared_.store.gate());
    while (true) {
      const std::size_t first = level.next.fetch_add(kPiece, std::memory_order_relaxed);
      if (first >= level.size()) return;
      for (std::size_t i = first; i < std::min(first + kPiece, level.size()); ++i) {
        if (tick()) return;
        expand_one(level, i);
      }
    }
  }

  /// Returns the number of states of the level that have successors. Reports deadlocks.
  std::uint64_t count_open(Level& level) {
    const WhereaboutsScope here(*this);
    const Inside inside(shared_.store.gate());
    std::uint64_t open = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (tick()) break;
      here_ = level[i].path;
      shared_.store.state(level[i].state, words_.data());
      expand(words_, expansion_);
      if (expansion_.deadlock()) report_deadlock(path_here(), words_, -1);
      open += expansion_.count > 0 ? 1 : 0;
    }
    return open;
  }

  std::size_t path(Move* out, std::size_t room) const noexcept override { return copy_path(shared_.log, here_, out, room); }

  /// Reports the failure of the level.
  void report(Level& level) {
    const WhereaboutsScope here(*this);
    const Inside inside(shared_.store.gate());
    const FailingStep::Step& failure = level.failing.step();
    here_ = level[failure.from].path;
    shared_.store.state(level[failure.from].state, words_.data());
    report_step(path_here(), words_, failure.process, failure.values, -1);
  }

  Level found;

 private:
  void expand_one(Level& level, std::size_t number) {
    const Item item = level[number];
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
      if ((successor.flags & abi::kFailed) != 0) [[unlikely]] {
        const auto values = expansion_.values_of(successor);
        return level.failing.keep({number, ProcessId{successor.process}, {values.begin(), values.end()}});
      }
      if (level.failing.any()) [[unlikely]] continue;
      keys_.push_back(store.key(expansion_.state(i), folded ? &folding_ : nullptr, folded ? &successor_folding_ : nullptr));
    }
    if (level.failing.any()) [[unlikely]] return;
    if (store.large()) {
      for (const StateKey key : keys_) store.touch(key);
    }
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const Visit visit = store.visit(keys_[i]);
      if (visit == Visit::kSeen) continue;
      if (visit == Visit::kFull || shared_.budget.exceeded()) session().stop(StoppedBy::kMemory);
      session().count_state(counters());
      const abi::Successor& successor = expansion_.successors[i];
      found.add(shared_.blocks, {keys_[i], writer_.add(item.path, session().moves().make(ProcessId{successor.process}, expansion_.values_of(successor)))});
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
      level.add(shared.blocks, {shared.store.key(words), PathId::kRoot});
      shared.store.visit(level[0].state);
    }
    session.count_state(session.worker(0));
    Outcome& outcome = session.outcome;
    outcome.bound = "depth";
    outcome.sealed = session.program().shape().seals;
    outcome.lossy = session.options().store != StoreKind::kExact;
    walk(session, shared, level);
    outcome.bytes = shared.budget.peak();
    outcome.visits = session.options().cache == CacheKey::kNone;
    outcome.complete = !session.stopping() && outcome.cut == 0;
    if (!session.stopping() && outcome.cut > 0) outcome.stopped_by = StoppedBy::kBound;
  }

 private:
  /// Searches programs without states: strata of depth, one step each.
  void run_again(Session& session) const {
    MemoryBudget budget(session.options().limits.memory);
    const BoundedPlan plan{.first = 1, .delta = 1, .last = {}, .memo_matters = false};
    InOrder in_order(1);
    Shuffled shuffled(session.options().seed, 1);
    walk_tree(session, shuffle_ ? static_cast<Discipline&>(shuffled) : in_order, plan, budget);
  }

  void walk(Session& session, Shared& shared, Level& level) const {
    std::vector<std::unique_ptr<BreadthFirstWorker>> workers(session.options().jobs);
    const Limits& limits = session.options().limits;
    for (std::uint64_t depth = 0; level.size() != 0; ++depth) {
      if (limits.max_depth_given && depth >= limits.max_depth) return cut(session, shared, level);
      const auto jobs = level.size() < 256 ? 1 : session.options().jobs;
      run_workers(jobs, [&](std::uint32_t i) {
        if (workers[i] == nullptr) workers[i] = std::make_unique<BreadthFirstWorker>(session, shared, i);
        else workers[i]->on_this_thread();
        workers[i]->work(level);
      });
      if (level.failing.any() && session.findings().empty()) workers[0] == nullptr ? BreadthFirstWorker(session, shared, 0).report(level) : workers[0]->report(level);
      if (session.stopping()) return;
      next_level(session, shared, workers, level, depth);
      session.outcome.reached = depth + 1;
      session.outcome.reached_any = true;
    }
  }

  /// Cuts executions at this level, except those that end by themselves.
  void cut(Session& session, Shared& shared, Level& level) const {
    BreadthFirstWorker worker(session, shared, 0);
    session.outcome.cut = worker.count_open(level);
  }

  void next_level(Session& session, Shared& shared, std::vector<std::unique_ptr<BreadthFirstWorker>>& workers, Level& level,
                  std::uint64_t depth) const {
    level.clear();
    for (auto& worker : workers)
      if (worker != nullptr) level.take(shared.blocks, worker->found);
    if (shuffle_) {
      Rng rng(session.options().seed, depth);
      for (std::size_t i = level.size(); i > 1; --i) std::swap(level[i - 1], level[rng.below(i)]);
    }
    if (level.size() != 0) session.worker(0).depth.store(static_cast<std::uint32_t>(depth + 1), std::memory_order_relaxed);
    session.progress().bound = depth + 1;
    session.progress().frontier = level.size();
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
