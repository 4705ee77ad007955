#include "explore/depth_first.h"

#include <algorithm>
#include <vector>

#include "explore/in_order.h"
#include "explore/reexecution.h"
#include "explore/shuffled.h"
#include "explore/walker.h"
#include "explore/work_pool.h"
#include "store/path_log.h"
#include "store/state_store.h"

namespace tarry {
namespace {

/// A visited state whose successors are still to be explored.
struct Item {
  StateKey state;
  PathId path;
  std::uint32_t depth;
};

/// What the workers share.
struct Shared {
  Shared(Session& session, const DepthFirstPlan& how)
      : plan(how),
        budget(session.options().limits.memory),
        store(session.program().shape(), session.options(), budget),
        log(budget),
        pool(session.options().jobs, store.gate()) {}

  const DepthFirstPlan& plan;
  MemoryBudget budget;
  StateStore store;
  PathLog log;
  WorkPool<Item> pool;
  std::atomic<std::uint64_t> cut{0};
  std::atomic<std::uint32_t> pinned{0};  // workers that have pinned their stack
};

class DepthFirstWorker final : public Walker {
 public:
  DepthFirstWorker(Session& session, Shared& shared, std::uint32_t number)
      : Walker(session, number),
        shared_(shared),
        store_(shared.store),
        writer_(shared.log),
        rng_(shared.plan.seed, number),
        expansion_(session.program().shape().words),
        words_(session.program().shape().words),
        max_depth_(session.options().limits.max_depth) {}

  void run() {
    const WhereaboutsScope here(*this);
    const Inside inside(store_.gate());
    while (const auto item = shared_.pool.get()) {
      walk(*item);
      shared_.pool.put_aside(aside_);
    }
    if (session().stopping()) shared_.pool.end();
  }

  std::size_t path(Move* out, std::size_t room) const noexcept override {
    const std::size_t before = copy_path(shared_.log, root_path_, out, room);
    for (std::size_t i = 1; i < frames_.size(); ++i)
      if (before + i - 1 < room) out[before + i - 1] = frames_[i].move;
    return before + (frames_.empty() ? 0 : frames_.size() - 1);
  }

 private:
  struct Frame {
    StateKey state;
    std::uint32_t next, end;  // its open successors, in candidates_
    Move move;                // that led here
    PathId path;              // once it was needed; kRoot: not yet
    bool pinned;
    bool thinned = false;     // visited ones were dropped from its successors, which is done once
  };
  struct Candidate {
    StateKey state;
    Move move;
  };

  void walk(const Item& item) {
    root_path_ = item.path;
    root_depth_ = item.depth;
    push(item.state, Move{});
    while (!frames_.empty()) {
      if (frames_.back().next == frames_.back().end) {
        pop();
        continue;
      }
      if (tick()) return unwind();
      if (store_.full() && !stack_pinned_) [[unlikely]] pin_stack();
      if (shared_.pool.hungry()) [[unlikely]] {
        share();  // may give away the last one of this frame
        continue;
      }
      const Candidate next = candidates_[frames_.back().next++];
      const Visit visit = store_.visit(next.state);
      if (visit != Visit::kSeen) enter(next);
    }
  }

  /// A state that was not visited before.
  void enter(const Candidate& next) {
    session().count_state(counters());
    const std::uint64_t depth = root_depth_ + frames_.size();
    saw_depth(depth);
    if (shared_.budget.exceeded()) return session().stop(StoppedBy::kMemory);
    if ((counters().states.load(std::memory_order_relaxed) & 4095) == 0) session().progress().memory = shared_.budget.used();
    if (depth >= max_depth_ && !session().options().limits.max_depth_given && depth % max_depth_ == 0) {
      if (store_.full()) store_.pin(next.state);
      shared_.budget.force(sizeof(Item));
      aside_.push_back({next.state, writer_.add(path_of(frames_.size() - 1), next.move), static_cast<std::uint32_t>(depth)});
      if (aside_.size() == 1024) shared_.pool.put_aside(aside_);
      return;
    }
    push(next.state, next.move);
  }

  void push(StateKey state, Move move) {
    const auto begin = static_cast<std::uint32_t>(candidates_.size());
    frames_.push_back({state, begin, begin, move, PathId::kRoot, store_.full()});
    if (frames_.back().pinned) store_.pin(state);
    store_.state(state, words_.data(), &folding_);
    expand(words_, expansion_);
    bump(counters().transitions, std::uint64_t{expansion_.count});
    if (expansion_.deadlock()) return report_deadlock(path_here(), words_, -1);
    count_stack();
    const bool limit = session().options().limits.max_depth_given && root_depth_ + frames_.size() - 1 >= max_depth_;
    if (!limit) collect();
    else if (expansion_.count > 0) shared_.cut.fetch_add(1, std::memory_order_relaxed);
    if (frames_.size() > 1) drop_visited(frames_[frames_.size() - 2]);
  }

  /// Keeps the successors for later. Properties come first, on every transition.
  void collect() {
    const bool folded = words_.size() > 2;
    const auto begin = static_cast<std::uint32_t>(candidates_.size());
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const abi::Successor& successor = expansion_.successors[i];
      if ((successor.flags & abi::kFailed) != 0) [[unlikely]]
        return report_step(path_here(), words_, ProcessId{successor.process}, expansion_.values_of(successor), -1);
      const StateKey key = store_.key(expansion_.state(i), folded ? &folding_ : nullptr, folded ? &successor_folding_ : nullptr);
      candidates_.push_back({key, session().moves().make(ProcessId{successor.process}, expansion_.values_of(successor))});
    }
    if (store_.large()) {
      for (std::size_t i = begin; i < candidates_.size(); ++i) store_.touch(candidates_[i].state);
    }
    if (shared_.plan.shuffle) rng_.shuffle(std::span(candidates_).subspan(begin));
    frames_.back().end = static_cast<std::uint32_t>(candidates_.size());
  }

  /// A large stack counts too, as much as it ever took.
  void count_stack() {
    constexpr std::size_t kNotCounted = 4 << 20;
    const std::size_t all = frames_.capacity() * sizeof(Frame) + candidates_.capacity() * sizeof(Candidate);
    const std::size_t bytes = all - std::min(all, kNotCounted);
    if (bytes == stack_bytes_) return;
    shared_.budget.force(bytes - stack_bytes_);
    stack_bytes_ = bytes;
  }

  void drop_visited(Frame& frame) {
    if (frame.thinned) return;
    frame.thinned = true;
    std::uint32_t kept = frame.next;
    for (std::uint32_t i = frame.next; i < frame.end; ++i)
      if (!store_.contains(candidates_[i].state)) candidates_[kept++] = candidates_[i];
    frame.end = kept;
  }

  void pop() {
    const Frame& frame = frames_.back();
    if (frame.pinned) store_.unpin(frame.state);
    frames_.pop_back();
    candidates_.resize(frames_.empty() ? 0 : frames_.back().end);
  }

  void unwind() {
    while (!frames_.empty()) pop();
    shared_.pool.end();
  }

  /// Moves the successors closest to the root to idle workers.
  void share() {
    for (std::size_t i = 0; i < frames_.size() && shared_.pool.hungry(); ++i) {
      while (frames_[i].next < frames_[i].end && shared_.pool.hungry()) {
        const Candidate away = candidates_[frames_[i].next++];
        if (store_.visit(away.state) == Visit::kSeen) continue;
        session().count_state(counters());
        if (store_.full()) store_.pin(away.state);
        shared_.pool.put({away.state, writer_.add(path_of(i), away.move), static_cast<std::uint32_t>(root_depth_ + i + 1)});
      }
    }
  }

  /// The entry of a frame in the log of paths, and of all frames below it.
  PathId path_of(std::size_t frame) {
    if (frame == 0) return root_path_;
    std::size_t first = frame;
    while (first > 1 && frames_[first].path == PathId::kRoot) --first;
    for (std::size_t i = first; i <= frame; ++i)
      if (frames_[i].path == PathId::kRoot) frames_[i].path = writer_.add(i == 1 ? root_path_ : frames_[i - 1].path, frames_[i].move);
    return frames_[frame].path;
  }

  /// The store is full: what is on the stack must be found again, even if it is replaced.
  void pin_stack() {
    stack_pinned_ = true;
    const std::size_t pinned = aside_.size() + frames_.size() + shared_.pool.size();
    if (shared_.budget.used() + pinned * Pins::kBytes > shared_.budget.limit()) return session().stop(StoppedBy::kMemory);
    for (const Item& item : aside_) store_.pin(item.state);
    for (Frame& frame : frames_) {
      if (frame.pinned) continue;
      frame.pinned = true;
      store_.pin(frame.state);
    }
    if (shared_.pinned.fetch_add(1) + 1 == session().options().jobs) {
      shared_.pool.for_each([&](const Item& item) { store_.pin(item.state); });
      store_.allow_replacement();
    }
  }

  Shared& shared_;
  StateStore& store_;
  PathLog::Writer writer_;
  Rng rng_;
  Expansion expansion_;
  std::vector<Word> words_;
  FoldedState folding_, successor_folding_;
  std::vector<Item> aside_;  // on its way to the pool
  std::vector<Frame> frames_;
  std::vector<Candidate> candidates_;
  PathId root_path_ = PathId::kRoot;
  std::uint64_t root_depth_ = 0;
  std::uint64_t max_depth_;
  std::size_t stack_bytes_ = 0;
  bool stack_pinned_ = false;
};

/// Without captured states: everything costs nothing, so the bounded walk has one stratum and goes depth first.
void depth_first_by_running(Session& session, const DepthFirstPlan& plan) {
  MemoryBudget budget(session.options().limits.memory);
  InOrder in_order(0);
  Shuffled shuffled(plan.seed, 0);
  walk_tree(session, plan.shuffle ? static_cast<Discipline&>(shuffled) : in_order, {.memo_matters = false}, budget);
}

}  // namespace

void depth_first(Session& session, const DepthFirstPlan& plan) {
  if (by_running(session)) return depth_first_by_running(session, plan);
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data())) return;
  Shared shared(session, plan);
  {
    const Inside inside(shared.store.gate());
    const StateKey first = shared.store.key(words);
    shared.store.visit(first);
    shared.pool.put({first, PathId::kRoot, 0});
    session.count_state(session.worker(0));
  }
  run_workers(session.options().jobs, [&](std::uint32_t i) { DepthFirstWorker(session, shared, i).run(); });

  Outcome& outcome = session.outcome;
  outcome.cut = shared.cut;
  outcome.put_aside = shared.pool.aside();
  outcome.bytes = shared.budget.peak();
  outcome.lossy = session.options().store != StoreKind::kExact;
  outcome.sealed = session.program().shape().seals;
  outcome.visits = session.options().cache == CacheKey::kNone || shared.store.full();
  outcome.complete = !session.stopping() && outcome.cut == 0;
  if (!session.stopping() && outcome.cut > 0) outcome.stopped_by = StoppedBy::kBound;
}

}  // namespace tarry
