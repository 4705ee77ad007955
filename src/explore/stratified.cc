#include "explore/stratified.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/assert.h"
#include "explore/asked_explorer.h"
#include "explore/walker.h"
#include "explore/work_pool.h"

namespace tarry {
namespace {

/// Nodes that a worker takes at once.
struct Batch {
  Block<Node> nodes;
  std::uint64_t cost;  // of the next turn of each
};

constexpr Move kNone{~std::uint32_t{0}};

/// The least cost at which each (state, memo) was reached. Only for strict bounds.
class Costs {
 public:
  explicit Costs(std::uint64_t memory) : least_(std::min<std::uint64_t>(memory / 4 + (1 << 20), std::uint64_t{1} << 32)) {}
  /// Records the cost. Returns true if every earlier visit cost more.
  bool lower(std::uint32_t id, std::uint64_t cost) {
    std::atomic_ref cell(least_[id]);
    std::uint32_t seen = cell.load(std::memory_order_relaxed);
    const std::uint32_t mine = ~static_cast<std::uint32_t>(cost);  // inverted, so that the zero of fresh memory is "never"
    while (seen < mine)
      if (cell.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) return true;
    return false;
  }

 private:
  VirtualArray<std::uint32_t> least_;
};

}  // namespace

class Stratified::Impl {
 public:
  Impl(Session& s, Discipline& d, const BoundedPlan& p, MemoryBudget& b, Interner& i, HandOver h)
      : session(s), discipline(d), plan(p), hand_over(std::move(h)), budget(b), surveys(i), blocks(b), store(s.program().shape(), s.options(), b), log(b) {
    if (s.options().strict_bound) {
      costs.emplace(b.limit());
      cost_ids = std::make_unique<PairTable>(b.limit() / 8 + (1 << 22), &b);
    }
  }

  void run();
  void run_stratum(std::vector<Batch> work);
  void to_frontier(std::vector<Batch>& into, const Node& node, std::uint64_t cost);

  Session& session;
  Discipline& discipline;
  BoundedPlan plan;
  HandOver hand_over;
  MemoryBudget& budget;
  Interner& surveys;
  BlockArena blocks;  // of nodes; outlives them
  StateStore store;
  PathLog log;
  std::optional<Costs> costs;
  std::unique_ptr<PairTable> cost_ids;
  std::uint64_t bound = 0;
  WorkPool<Batch>* pool = nullptr;           // of the current stratum
  std::vector<std::vector<Batch>> frontiers;  // one a worker
  std::vector<std::vector<Batch>> asides;     // one a worker
  std::atomic<std::uint64_t> cut{0};
  std::atomic<std::uint64_t> frontier_size{0};
  std::atomic<std::uint32_t> pinned{0};
  std::atomic<bool> handing_over{false};
};

void Stratified::Impl::to_frontier(std::vector<Batch>& into, const Node& node, std::uint64_t cost) {
  if (into.empty() || into.back().nodes.full() || into.back().cost != cost) into.push_back({Block<Node>(blocks), cost});
  into.back().nodes.push_back(node);
}

/// One worker in one stratum.
class StratifiedWorker final : public Walker {
 public:
  StratifiedWorker(Stratified::Impl& shared, std::uint32_t number);
  void run();
  std::size_t path(Move* out, std::size_t room) const noexcept override;

 private:
  struct Frame {
    Node node;
    std::uint64_t cost;   // of its next turn
    std::uint32_t turns;  // all there are
  };
  /// Where the next turn of a node leads, worked out ahead so that its place in the store is on its way from memory.
  struct Ahead {
    bool plain = false;  // a step without failure or data choice; only then the rest counts
    ProcessId process{};
    StateKey state{};
  };
  static constexpr std::size_t kAhead = 16;

  void explore(Batch& batch);
  void split(Batch& batch, std::size_t next);
  Ahead look_ahead(const Node& node);
  void walk();
  void turn(const Ahead& ahead);
  ProcessId whose_turn(const Node& node);
  void enter_choice(const Node& at, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values);
  void arrive(const Node& from, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values);
  void settle(const Node& from, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values, StateKey state, std::uint32_t memo);
  std::uint32_t memo_after(const Node& from, ProcessId process, std::span<const std::uint32_t> values);
  bool by_memo() const { return shared_.costs || session().options().cache == CacheKey::kProgramAndExplorer; }
  bool is_new(StateKey state, std::uint32_t memo, std::uint64_t cost);
  void push(const Node& node, std::uint64_t cost);
  void pop();
  void keep(const Node& node, std::uint64_t cost);
  bool faulty() const { return explorer_ != nullptr && explorer_->faulty(); }
  void report_explorer(std::vector<Move> path);
  void leave_rest();
  void share();
  void pin_stack();
  std::uint32_t alternatives(const Node& node) const;
  const Survey& survey_of(std::uint32_t id);
  std::uint32_t intern(const Survey& survey);

  Stratified::Impl& shared_;
  std::uint32_t number_;
  StateStore& store_;
  Discipline& discipline_;
  const AskedExplorer* explorer_;  // nullptr: none, or one that is not checked
  PathLog::Writer writer_;
  Taken taken_;
  Survey before_, after_;
  std::uint32_t before_id_ = ~std::uint32_t{0};
  std::vector<std::uint64_t> survey_bits_;
  std::vector<Word> words_;
  FoldedState folding_;
  std::vector<Frame> stack_;
  PathId here_ = PathId::kRoot;  // the state a step is being taken from
  Move on_the_way_ = kNone;      // the step that was taken from there, while its successor is looked at
  std::vector<std::uint32_t> values_;
  std::uint64_t kept_ = 0;  // nodes for the next stratum since they were last counted
  bool stack_pinned_ = false;
};

StratifiedWorker::StratifiedWorker(Stratified::Impl& shared, std::uint32_t number)
    : Walker(shared.session, number),
      shared_(shared),
      number_(number),
      store_(shared.store),
      discipline_(shared.discipline),
      explorer_(shared.discipline.explorer() != nullptr && shared.discipline.explorer()->checked() ? shared.discipline.explorer() : nullptr),
      writer_(shared.log),
      taken_(shared.session.program().shape().words),
      before_(shared.session.program().shape().processes),
      after_(shared.session.program().shape().processes),
      words_(shared.session.program().shape().words) {}

void StratifiedWorker::run() {
  const WhereaboutsScope here(*this);
  const Inside inside(store_.gate());
  while (auto batch = shared_.pool->get()) {
    explore(*batch);
    shared_.frontier_size.fetch_add(std::exchange(kept_, 0) - batch->nodes.size(), std::memory_order_relaxed);
    session().progress().frontier.store(shared_.frontier_size.load(std::memory_order_relaxed), std::memory_order_relaxed);
    session().progress().memory.store(shared_.budget.used(), std::memory_order_relaxed);
  }
}

void StratifiedWorker::explore(Batch& batch) {
  std::array<Ahead, kAhead> ahead;
  std::size_t looked = 0;
  for (std::size_t i = 0; i < batch.nodes.size(); ++i) {
    const Node& node = batch.nodes[i];
    if (session().stopping()) return shared_.pool->end();
    if (shared_.handing_over.load(std::memory_order_relaxed)) {
      keep(node, batch.cost);
      continue;
    }
    if (store_.full() && !stack_pinned_) [[unlikely]] pin_stack();
    if (shared_.pool->hungry()) [[unlikely]] split(batch, i + 1);
    if (i == looked) {
      for (; looked < std::min(i + kAhead, batch.nodes.size()); ++looked) ahead[looked % kAhead] = look_ahead(batch.nodes[looked]);
      for (std::size_t j = i; j < looked; ++j)
        if (ahead[j % kAhead].plain) store_.touch(ahead[j % kAhead].state);
    }
    push(node, batch.cost);
    if (batch.cost <= shared_.bound && stack_.back().turns > 0 && !tick()) turn(ahead[i % kAhead]);
    walk();
  }
}

/// Moves the second half of the rest of a batch to idle workers.
void StratifiedWorker::split(Batch& batch, std::size_t next) {
  const std::size_t keep = (next + batch.nodes.size() + 1) / 2;
  if (keep >= batch.nodes.size()) return;
  Block<Node> half(shared_.blocks);
  for (std::size_t i = keep; i < batch.nodes.size(); ++i) half.push_back(batch.nodes[i]);
  batch.nodes.truncate(keep);
  shared_.pool->put({std::move(half), batch.cost});
}

StratifiedWorker::Ahead StratifiedWorker::look_ahead(const Node& node) {
  if (by_memo() || node.turn >= alternatives(node)) return {};
  here_ = node.path;
  const ProcessId process = whose_turn(node);
  if (faulty()) [[unlikely]] return {};  // the turn itself will tell
  store_.state(node.state, words_.data(), &folding_);
  take(words_, process, values_, taken_);
  if (taken_.outcome != abi::Outcome::kMoved || taken_.failed()) return {};
  const StateKey state = store_.key(taken_.state(), &folding_);
  return {true, process, state};
}

/// The process whose turn it is; its data choices are in values_.
ProcessId StratifiedWorker::whose_turn(const Node& node) {
  values_.clear();
  if (node.arity == 0) return discipline_.pick(node.memo, survey_of(node.survey), node.turn);
  values_ = session().moves().values(node.pending);
  values_.push_back(node.turn);
  return session().moves().process(node.pending);
}

std::size_t StratifiedWorker::path(Move* out, std::size_t room) const noexcept {
  const std::size_t length = copy_path(shared_.log, here_, out, room);
  if (on_the_way_ == kNone) return length;
  if (length < room) out[length] = on_the_way_;
  return length + 1;
}

void StratifiedWorker::walk() {
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    if (top.node.turn >= top.turns) {
      pop();
    } else if (top.cost > shared_.bound) {
      keep(top.node, top.cost);
      stack_.pop_back();
    } else {
      if (tick() || shared_.handing_over.load(std::memory_order_relaxed)) return leave_rest();
      if (shared_.pool->hungry()) [[unlikely]] share();
      if (store_.full() && !stack_pinned_) [[unlikely]] pin_stack();
      turn({});
    }
  }
}

/// Takes the next turn of the node on top, and moves that node on to the turn after it.
void StratifiedWorker::turn(const Ahead& ahead) {
  Frame& top = stack_.back();
  const Node node = top.node;
  const std::uint64_t cost = top.cost;
  here_ = node.path;
  const ProcessId process = ahead.plain && node.arity == 0 ? (values_.clear(), ahead.process) : whose_turn(node);
  if (node.arity != 0) {
    if (session().options().choice_cost == ChoiceCost::kValue || node.turn == 0) top.cost += discipline_.choice_price();
  } else if (node.turn + 1u < top.turns) {
    const Survey& survey = survey_of(node.survey);
    top.cost += discipline_.price(node.memo, survey, node.turn);
    top.node.memo = discipline_.pass(node.memo, survey, process);
  }
  ++top.node.turn;
  if (faulty()) [[unlikely]] return report_explorer(path_here());
  if (ahead.plain && store_.contains(ahead.state)) return bump(counters().transitions);
  store_.state(node.state, words_.data(), &folding_);
  take(words_, process, values_, taken_);
  switch (taken_.outcome) {
    case abi::Outcome::kNeedsValue: return enter_choice(node, cost, process, values_);
    case abi::Outcome::kNotOpen: return report_nondeterminism(path_here(), "a process that could run before cannot run now");
    case abi::Outcome::kMoved: return arrive(node, cost, process, values_);
  }
}

void StratifiedWorker::enter_choice(const Node& at, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values) {
  TARRY_ASSERT(taken_.arity < 65'536);
  Node choice = at;
  choice.pending = session().moves().make(process, values);
  choice.turn = 0;
  choice.arity = static_cast<std::uint16_t>(taken_.arity);
  push(choice, cost);
}

/// A step was taken. The property comes first, then the cache.
void StratifiedWorker::arrive(const Node& from, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values) {
  bump(counters().transitions);
  if (taken_.failed()) [[unlikely]] return report_step(path_here(), words_, process, values, static_cast<std::int64_t>(cost));
  const StateKey state = store_.key(taken_.state(), &folding_);
  if (by_memo()) {
    const std::uint32_t memo = memo_after(from, process, values);
    if (is_new(state, memo, cost)) settle(from, cost, process, values, state, memo);
  } else if (is_new(state, 0, cost)) {
    settle(from, cost, process, values, state, memo_after(from, process, values));
  }
}

std::uint32_t StratifiedWorker::memo_after(const Node& from, ProcessId process, std::span<const std::uint32_t> values) {
  on_the_way_ = session().moves().make(process, values);
  space().survey(taken_.state(), after_);
  const std::uint32_t memo = discipline_.step(from.memo, step_between(process, survey_of(from.survey), after_, taken_));
  if (faulty()) [[unlikely]] report_explorer(path_here());
  on_the_way_ = kNone;
  return memo;
}

void StratifiedWorker::report_explorer(std::vector<Move> path) {
  const std::uint32_t processes = session().program().shape().processes;
  const auto name = [&](ProcessId p) { return index(p) < processes ? narrator().process_name(p) : "process " + std::to_string(index(p)); };
  session().report(path, explorer_->fault(name), -1);
}

/// A state that is new, surveyed in after_: it goes on the stack, unless a limit says otherwise.
void StratifiedWorker::settle(const Node& from, std::uint64_t cost, ProcessId process, std::span<const std::uint32_t> values,
                              StateKey state, std::uint32_t memo) {
  session().count_state(counters());
  saw_depth(from.depth + 1);
  const Node node{.state = state,
                  .memo = memo,
                  .pending = kNone,
                  .survey = intern(after_),
                  .turn = 0,
                  .arity = 0,
                  .path = writer_.add(from.path, session().moves().make(process, values)),
                  .depth = from.depth + 1};
  if (after_.deadlock()) {
    here_ = node.path;
    return report_deadlock(path_here(), taken_.state(), static_cast<std::int64_t>(cost));
  }
  const Limits& limits = session().options().limits;
  if (shared_.hand_over) {
    if (store_.full() || shared_.hand_over(shared_.budget)) shared_.handing_over = true;
  } else if (shared_.budget.exceeded()) {
    session().stop(StoppedBy::kMemory);
  }
  if (store_.full()) store_.pin(state);
  const std::uint64_t next_cost = cost + discipline_.step_price();
  if (node.depth % limits.max_depth == 0 && alternatives(node) > 0) {
    if (limits.max_depth_given) shared_.cut.fetch_add(1, std::memory_order_relaxed);
    else shared_.to_frontier(shared_.asides[number_], node, next_cost);
    return;
  }
  push(node, next_cost);
}

bool StratifiedWorker::is_new(StateKey state, std::uint32_t memo, std::uint64_t cost) {
  if (!shared_.costs) return store_.visit(state, memo) != Visit::kSeen;
  store_.gate().pass();
  if (shared_.cost_ids->crowded())
    store_.gate().alone([&] {
      if (!shared_.cost_ids->crowded()) return;
      shared_.budget.force(shared_.cost_ids->growth_bytes() * 2);  // its slots, and the least costs
      shared_.cost_ids->grow();
    });
  const std::uint32_t plain = shared_.cost_ids->intern(static_cast<std::uint64_t>(state) ^ (std::uint64_t{1} << 63));
  const std::uint32_t id = shared_.cost_ids->intern(plain | std::uint64_t{shared_.plan.memo_matters ? memo : 0} << 32);
  return shared_.costs->lower(id, cost);
}

void StratifiedWorker::push(const Node& node, std::uint64_t cost) { stack_.push_back({node, cost, alternatives(node)}); }

void StratifiedWorker::pop() {
  if (store_.full() && stack_.back().node.arity == 0) store_.unpin(stack_.back().node.state);
  stack_.pop_back();
}

/// For the next stratum.
void StratifiedWorker::keep(const Node& node, std::uint64_t cost) {
  shared_.to_frontier(shared_.frontiers[number_], node, cost);
  ++kept_;
}

/// The search ends early. If it is handed over, what is on the stack joins the frontier. Otherwise no worker goes on from there, and keeping it would take
/// memory when there is none left.
void StratifiedWorker::leave_rest() {
  if (session().stopping()) {
    stack_.clear();
    return shared_.pool->end();
  }
  while (!stack_.empty()) {
    const Frame& frame = stack_.back();
    if (frame.node.turn < frame.turns) keep(frame.node, frame.cost);
    stack_.pop_back();
  }
}

/// Moves the turns closest to the root to idle workers.
void StratifiedWorker::share() {
  for (std::size_t i = 0; i + 1 < stack_.size() && shared_.pool->hungry(); ++i) {
    Frame& frame = stack_[i];
    if (frame.node.turn >= frame.turns || frame.cost > shared_.bound) continue;
    if (store_.full()) store_.pin(frame.node.state);
    shared_.frontier_size.fetch_add(1, std::memory_order_relaxed);
    Block<Node> one(shared_.blocks);
    one.push_back(frame.node);
    shared_.pool->put({std::move(one), frame.cost});
    frame.node.turn = static_cast<std::uint16_t>(frame.turns);
  }
}

/// The store is full: what is on the stack and in the frontier is pinned, if there is room for that.
void StratifiedWorker::pin_stack() {
  stack_pinned_ = true;
  std::uint64_t nodes = stack_.size();
  for (const auto* batches : {&shared_.frontiers[number_], &shared_.asides[number_]})
    for (const Batch& batch : *batches) nodes += batch.nodes.size();
  shared_.pool->for_each([&](const Batch& batch) { nodes += batch.nodes.size(); });
  if (!shared_.hand_over && shared_.budget.used() + nodes * Pins::kBytes > shared_.budget.limit()) return session().stop(StoppedBy::kMemory);
  const auto pin = [&](const Node& node) {
    if (node.arity == 0) store_.pin(node.state);
  };
  const auto pin_all = [&](const std::vector<Batch>& batches) {
    for (const Batch& batch : batches)
      for (const Node& node : batch.nodes) pin(node);
  };
  for (const Frame& frame : stack_) pin(frame.node);
  pin_all(shared_.frontiers[number_]);
  pin_all(shared_.asides[number_]);
  if (shared_.pinned.fetch_add(1) + 1 == session().options().jobs) {
    shared_.pool->for_each([&](const Batch& batch) { std::for_each(batch.nodes.begin(), batch.nodes.end(), pin); });
    store_.allow_replacement();
  }
}

std::uint32_t StratifiedWorker::alternatives(const Node& node) const {
  if (node.arity != 0) return node.arity;
  const auto bits = shared_.surveys.get<std::uint64_t>(node.survey);
  if (bits.back() != 0) return 1;  // sealed: its owner runs
  return ProcessSet(bits.first(bits.size() / 3)).size();
}

const Survey& StratifiedWorker::survey_of(std::uint32_t id) {
  if (id == before_id_) return before_;
  before_id_ = id;
  const auto bits = shared_.surveys.get<std::uint64_t>(id);
  before_.assign(bits.first(bits.size() - 1));
  before_.sealed_by = static_cast<std::uint32_t>(bits.back());
  return before_;
}

std::uint32_t StratifiedWorker::intern(const Survey& survey) {
  survey_bits_.assign(survey.bits().begin(), survey.bits().end());
  survey_bits_.push_back(survey.sealed() ? survey.sealed_by : 0);
  return shared_.surveys.intern(std::span<const std::uint64_t>(survey_bits_));
}

void Stratified::Impl::run_stratum(std::vector<Batch> work) {
  const std::uint32_t jobs = session.options().jobs;
  WorkPool<Batch> shared_pool(jobs, store.gate());
  pool = &shared_pool;
  for (Batch& batch : work) pool->put(std::move(batch));
  work.clear();
  work.shrink_to_fit();
  frontiers.clear();
  frontiers.resize(jobs);
  asides.resize(jobs);
  pinned = 0;
  run_workers(jobs, [&](std::uint32_t i) { StratifiedWorker(*this, i).run(); });
  shared_pool.drain([&](Batch&& batch) { frontiers[0].push_back(std::move(batch)); });
  pool = nullptr;
}

void Stratified::Impl::run() {
  const Shape& shape = session.program().shape();
  Outcome& outcome = session.outcome;
  outcome.bound = discipline.unit();
  outcome.sealed = shape.seals;
  outcome.lossy = session.options().store != StoreKind::kExact;
  std::vector<Word> words(shape.words);
  if (!start(session, words.data())) return;

  Survey survey(shape.processes);
  std::vector<Batch> work;
  {
    const Inside inside(store.gate());
    session.program().open()->survey(words, survey);
    std::vector<std::uint64_t> bits(survey.bits().begin(), survey.bits().end());
    bits.push_back(survey.sealed() ? survey.sealed_by : 0);
    const StateKey first = store.key(words);
    const std::uint32_t memo = discipline.initial(survey);
    store.visit(first, memo);
    session.count_state(session.worker(0));
    work.push_back({Block<Node>(blocks), discipline.step_price()});
    work.back().nodes.push_back({first, memo, kNone, surveys.intern(std::span<const std::uint64_t>(bits)), 0, 0, PathId::kRoot, 0});
    frontier_size = 1;
  }
  if (survey.deadlock()) {
    session.report({}, {.label = "", .kind = "deadlock", .message = deadlock_message(survey, *session.program().narrator()), .location = ""}, 0);
    return;
  }
  bound = plan.first;
  while (true) {
    session.progress().bound.store(bound, std::memory_order_relaxed);
    run_stratum(std::move(work));
    work.clear();
    for (auto& part : frontiers)
      for (Batch& batch : part) work.push_back(std::move(batch));
    if (session.stopping() || handing_over) break;
    outcome.reached = bound;
    outcome.reached_any = true;
    if (work.empty()) {
      for (auto& part : asides) {
        for (Batch& batch : part) work.push_back(std::move(batch));
        part.clear();
      }
      if (work.empty()) break;
      continue;  // the long executions, within the same bound
    }
    if (plan.last && bound >= *plan.last) {
      session.stop(StoppedBy::kBound);
      break;
    }
    bound = plan.last ? std::min(bound + plan.delta, *plan.last) : bound + plan.delta;
  }
  frontiers.clear();
  frontiers.push_back(std::move(work));
  for (const auto& part : asides)
    for (const Batch& batch : part) outcome.put_aside += batch.nodes.size();
  outcome.cut = cut;
  outcome.bytes = budget.peak();
  outcome.visits = session.options().cache != CacheKey::kProgram || session.options().strict_bound || store.full();
  outcome.complete = !session.stopping() && !handing_over && cut == 0;
  if (!session.stopping() && !handing_over && cut > 0) outcome.stopped_by = StoppedBy::kBound;
}

Stratified::Stratified(Session& session, Discipline& discipline, const BoundedPlan& plan, MemoryBudget& budget, Interner& surveys, HandOver hand_over)
    : impl_(std::make_unique<Impl>(session, discipline, plan, budget, surveys, std::move(hand_over))) {}
Stratified::~Stratified() = default;
void Stratified::run() { impl_->run(); }
const PathLog& Stratified::log() const { return impl_->log; }
const StateStore& Stratified::store() const { return impl_->store; }

bool Stratified::handed_over() const { return impl_->handing_over; }

std::uint64_t Stratified::frontier_size() const {
  std::uint64_t size = 0;
  for (const auto& part : impl_->frontiers)
    for (const Batch& batch : part) size += batch.nodes.size();
  return size;
}

const Node& Stratified::frontier(std::uint64_t i) const {
  for (const auto& part : impl_->frontiers)
    for (const Batch& batch : part) {
      if (i < batch.nodes.size()) return batch.nodes[i];
      i -= batch.nodes.size();
    }
  TARRY_ASSERT(false);
}

}  // namespace tarry
