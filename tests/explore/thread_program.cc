#include "tests/explore/thread_program.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/rng.h"

namespace tarry::test {

Cells Threads::initial() const {
  Cells state(2 * size() + variables + locks + size());
  for (std::uint32_t t = 0; t < size(); ++t) state[born(t)] = t + born_later < size() ? 1 : 0;
  return state;
}

bool Threads::alive(const Cells& state, std::uint32_t t) const { return state[born(t)] != 0 && state[t] < code[t].size(); }

bool Threads::enabled(const Cells& state, std::uint32_t t) const {
  return alive(state, t) && !(pending(state, t).op == ThreadOp::kLock && state[lock(pending(state, t).object)] != 0);
}

std::uint64_t Threads::enabled_set(const Cells& state) const {
  std::uint64_t out = 0;
  for (std::uint32_t t = 0; t < size(); ++t) out |= std::uint64_t{enabled(state, t)} << t;
  return out;
}

std::uint64_t Threads::alive_set(const Cells& state) const {
  std::uint64_t out = 0;
  for (std::uint32_t t = 0; t < size(); ++t) out |= std::uint64_t{alive(state, t)} << t;
  return out;
}

std::uint32_t Threads::ways(const Cells& state, std::uint32_t t) const {
  return pending(state, t).op == ThreadOp::kChoose ? pending(state, t).value : 1;
}

Threads::Effect Threads::step(const Cells& state, std::uint32_t t, std::uint32_t value) const {
  const ThreadInstruction& i = pending(state, t);
  Effect out{.after = state};
  Cells& s = out.after;
  ++s[t];
  const auto on_variable = [&] { out.object = i.object; };
  const auto on_lock = [&] { out.object = static_cast<int>(variables + i.object); };
  switch (i.op) {
    case ThreadOp::kStore: on_variable(), s[var(i.object)] = i.value; break;
    case ThreadOp::kAdd: on_variable(), s[var(i.object)] = static_cast<std::uint8_t>((s[var(i.object)] + i.value) % 4); break;
    case ThreadOp::kLoad: on_variable(), s[reg(t)] = s[var(i.object)]; break;
    case ThreadOp::kPut: on_variable(), s[var(i.object)] = s[reg(t)]; break;
    case ThreadOp::kLock: on_lock(), s[lock(i.object)] = static_cast<std::uint8_t>(t + 1); break;
    case ThreadOp::kUnlock:
      on_lock();
      if (s[lock(i.object)] == t + 1) s[lock(i.object)] = 0;
      if (i.target != 0) s[t] = i.target;
      out.yielded = i.value != 0;
      break;
    case ThreadOp::kTryLock:
      on_lock();
      if (s[lock(i.object)] == 0) s[lock(i.object)] = static_cast<std::uint8_t>(t + 1);
      else s[t] = i.target;
      break;
    case ThreadOp::kYield: out.yielded = true, s[t] = i.target; break;
    case ThreadOp::kAwait:
      on_variable();
      if (s[var(i.object)] != i.value) s[t] = i.target;
      break;
    case ThreadOp::kAssert: on_variable(), out.failed = s[var(i.object)] != i.value; break;
    case ThreadOp::kStart: out.object = static_cast<int>(variables + locks + i.object), s[born(i.object)] = 1; break;
    case ThreadOp::kChoose: s[reg(t)] = static_cast<std::uint8_t>(value); break;
  }
  return out;
}

std::string Threads::text() const {
  static constexpr const char* kNames[] = {"store", "add", "load", "put", "lock", "unlock", "try", "yield", "await", "assert", "start", "choose"};
  std::string out;
  for (std::uint32_t t = 0; t < size(); ++t) {
    out += "thread " + std::to_string(t) + (t + born_later < size() ? ":\n" : " (born later):\n");
    for (std::size_t i = 0; i < code[t].size(); ++i)
      out += "  " + std::to_string(i) + " " + kNames[static_cast<int>(code[t][i].op)] + " " + std::to_string(code[t][i].object) + " " +
             std::to_string(code[t][i].value) + " -> " + std::to_string(code[t][i].target) + "\n";
  }
  return out;
}

Threads random_threads(std::uint64_t seed, const Ingredients& with) {
  Rng rng(seed, 77);
  Threads out;
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint8_t>(rng.below(n)); };
  const auto count = 2 + rng.below(2);
  if (with.births && count == 3) out.born_later = 1;
  for (std::uint64_t t = 0; t < count; ++t) {
    Code code;
    if (out.born_later > 0 && t == 0) {
      if (rng.below(2) == 0) code.push_back({ThreadOp::kYield, 0, 0, 1});
      code.push_back({ThreadOp::kStart, static_cast<std::uint8_t>(count - 1)});
    }
    const std::uint64_t length = with.least + rng.below(with.most - with.least + 1);
    while (code.size() < length) {
      const auto here = static_cast<std::uint8_t>(code.size());
      switch (rng.below(11)) {
        case 0: case 1: code.push_back({ThreadOp::kStore, below(2), below(3)}); break;
        case 2: code.push_back({ThreadOp::kAdd, below(2), 1}); break;
        case 3: code.push_back({ThreadOp::kLoad, below(2)}), code.push_back({ThreadOp::kPut, below(2)}); break;
        case 4: case 5: {
          const std::uint8_t lock = below(2);
          code.push_back({ThreadOp::kLock, lock});
          if (rng.below(2) == 0) code.push_back({ThreadOp::kAdd, below(2), 1});
          code.push_back({ThreadOp::kUnlock, lock});
          break;
        }
        case 6: {  // gives up if it is taken
          const std::uint8_t lock = below(2);
          code.push_back({ThreadOp::kTryLock, lock, 0, static_cast<std::uint8_t>(here + 2)});
          code.push_back({ThreadOp::kUnlock, lock});
          break;
        }
        case 7: case 8:
          if (!with.loops) break;
          if (const std::uint64_t kind = rng.below(4); kind == 0) {  // looks at a value with a lock held, again and again
            const std::uint8_t lock = below(2);
            code.push_back({ThreadOp::kLock, lock});
            code.push_back({ThreadOp::kAwait, below(2), below(2), static_cast<std::uint8_t>(here + 3)});
            code.push_back({ThreadOp::kUnlock, lock, 0, static_cast<std::uint8_t>(here + 4)});
            code.push_back({ThreadOp::kUnlock, lock, 1, here});
            if (here == 0) code.back() = {ThreadOp::kUnlock, lock, 0, 4}, code[2].target = 5, code.push_back({ThreadOp::kYield, 0, 0, 0});
          } else if (kind == 1) {  // waits for a value
            code.push_back({ThreadOp::kAwait, below(2), below(2), static_cast<std::uint8_t>(here + 2)});
            code.push_back({ThreadOp::kYield, 0, 0, static_cast<std::uint8_t>(here + 3)});
            code.push_back({ThreadOp::kYield, 0, 0, here});
          } else {  // tries again
            const std::uint8_t lock = below(2);
            code.push_back({ThreadOp::kTryLock, lock, 0, static_cast<std::uint8_t>(here + 3)});
            code.push_back({ThreadOp::kUnlock, lock});
            code.push_back({ThreadOp::kYield, 0, 0, static_cast<std::uint8_t>(here + 4)});
            code.push_back({ThreadOp::kYield, 0, 0, here});
          }
          break;
        case 9:
          if (with.selfish) code.push_back({ThreadOp::kAwait, below(2), below(2), here});
          else code.push_back({ThreadOp::kYield, 0, 0, static_cast<std::uint8_t>(here + 1)});
          break;
        case 10:
          if (with.asserts) code.push_back({ThreadOp::kAssert, below(2), below(3)});
          else if (with.choices) code.push_back({ThreadOp::kChoose, 0, 2}), code.push_back({ThreadOp::kPut, below(2)});
          break;
      }
    }
    out.code.push_back(std::move(code));
  }
  return out;
}

namespace {

class ThreadExecution final : public Execution {
 public:
  ThreadExecution(const ThreadProgram& program, Session& session)
      : program_(program), threads_(program.threads), session_(session), survey_(64), next_(64), coarse_(program.coarse_runs > 0) {}

  const std::vector<Move>& moves_taken() const override { return moves_; }

  ExecutionResult run(Policy& policy) override {
    ExecutionResult result;
    const std::uint64_t number = ++program_.runs;
    const bool was_coarse = std::exchange(coarse_, number <= program_.coarse_runs);
    if (number == program_.notes_at) session_.add_finding({.kind = "spin-wait", .message = "ends no search", .location = ""});
    if (!go(policy, result, program_.begins_anew)) return result;
    const std::scoped_lock lock(program_.seen.mutex);
    ++program_.seen.executions;
    if (result.end == End::kAbandoned) ++program_.seen.abandoned;
    if (result.end == End::kEnded || (result.end == End::kFailed && result.failure.kind == "deadlock")) {
      program_.seen.finals.insert(state_);
      program_.seen.schedules.push_back(moves_);
    }
    result.points_changed = program_.tells_all ? was_coarse && !coarse_ : number == program_.coarse_runs;
    return result;
  }

 private:
  /// False: the session wants no more.
  bool go(Policy& policy, ExecutionResult& result, std::uint64_t given_up_after) {
    result = {};
    state_ = threads_.initial();
    moves_.clear();
    thread_events_.assign(threads_.size(), 1);
    object_events_.assign(threads_.variables + threads_.locks + threads_.size(), 1);
    order_ = {};
    look(state_, survey_);
    policy.begin(survey_);
    saw(state_);
    while (true) {
      if (survey_.open().empty()) return ended(result), true;
      if (given_up_after != 0 && result.steps == given_up_after) return go(policy, result, 0);
      if (result.steps >= session_.options().limits.max_depth) return result.end = End::kCut, true;
      if (session_.stopping()) return false;
      if (!step(policy, result)) return true;
    }
  }

  void look(const Cells& state, Survey& out) {
    out.bits()[0] = threads_.enabled_set(state);
    out.bits()[1] = threads_.alive_set(state);
    out.bits()[2] = 0;
  }
  void saw(const Cells& state) {
    const std::scoped_lock lock(program_.seen.mutex);
    program_.seen.states.insert(state);
  }
  void ended(ExecutionResult& result) {
    result.end = End::kEnded;
    if (survey_.deadlock()) result.end = End::kFailed, result.failure = {.label = "", .kind = "deadlock", .message = "deadlock", .location = ""};
  }
  std::uint32_t ask(Policy& policy, std::uint32_t values, std::uint32_t thread) {
    const ChoicePoint point{survey_, values, ProcessId{thread}, program_.orders ? &order_ : nullptr};
    if (program_.leaves_out_single && point.alternatives() == 1) return values != 0 ? 0 : index(survey_.open().at(0));
    return policy.pick(point);
  }

  bool step(Policy& policy, ExecutionResult& result) {
    ++result.points;
    const std::uint32_t thread = ask(policy, 0, 0);
    if (thread == Policy::kAbandon) return result.end = End::kAbandoned, false;
    if (!threads_.enabled(state_, thread)) throw std::logic_error("a thread that cannot run was picked");
    std::vector<std::uint32_t> values;
    if (const std::uint32_t ways = threads_.ways(state_, thread); ways > 1) {
      values.push_back(ask(policy, ways, thread));
      if (values[0] == Policy::kAbandon) return result.end = End::kAbandoned, false;
    }
    ++result.steps;
    moves_.push_back(session_.moves().make(ProcessId{thread}, values));
    Threads::Effect effect = apply(thread, values.empty() ? 0 : values[0]);
    while (coarse_ && !effect.failed && threads_.enabled(effect.after, thread) && threads_.pending(effect.after, thread).op == ThreadOp::kStore) {
      state_ = effect.after;
      effect = apply(thread, 0);
    }
    state_ = effect.after;
    if (effect.failed) {
      result.end = End::kFailed;
      result.failure = {.label = "", .kind = "assertion", .message = "assertion of thread " + std::to_string(thread), .location = ""};
      return false;
    }
    look(state_, next_);
    saw(state_);
    policy.stepped({.process = ProcessId{thread}, .open_before = survey_.open(), .open_after = next_.open(), .alive_before = survey_.alive(),
                    .alive_after = next_.alive(), .sent = {}, .order = {}, .yielded = effect.yielded});
    std::swap(survey_, next_);
    return true;
  }

  Threads::Effect apply(std::uint32_t thread, std::uint32_t value) {
    Threads::Effect effect = threads_.step(state_, thread, value);
    std::uint64_t& mine = thread_events_[thread];
    std::uint64_t event = mix64(mine * 31 + thread + 1 + (std::uint64_t{value} << 32));
    if (effect.object >= 0) {
      std::uint64_t& objects = object_events_[static_cast<std::size_t>(effect.object)];
      event = mix64(event + objects * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(effect.object));
      objects = event;
    }
    mine = event;
    if (const int born = effect.object - static_cast<int>(threads_.variables + threads_.locks); born >= 0 && thread_events_[static_cast<std::size_t>(born)] == 1)
      thread_events_[static_cast<std::size_t>(born)] = event;
    order_.high += mix64(event ^ 0x5bd1e995);
    order_.low += mix64(event + 0x1234567);
    return effect;
  }

  const ThreadProgram& program_;
  const Threads& threads_;
  Session& session_;
  Survey survey_, next_;
  Cells state_;
  std::vector<Move> moves_;
  bool coarse_;
  std::vector<std::uint64_t> thread_events_, object_events_;  // the last event of each
  Signature order_;
};

class ThreadNarrator final : public Narrator {
 public:
  Fields fields(StateView) override { return {}; }
  StepText explain(StateView, ProcessId, std::span<const std::uint32_t>) override { return {}; }
  std::string process_name(ProcessId process) override { return "thread " + std::to_string(index(process)); }
};

}  // namespace

std::unique_ptr<Execution> ThreadProgram::execution(Session& session, std::uint32_t) const { return std::make_unique<ThreadExecution>(*this, session); }
std::unique_ptr<Narrator> ThreadProgram::narrator() const { return std::make_unique<ThreadNarrator>(); }

Ran run_threads(const ThreadProgram& program, const std::string& search, SearchOptions options, const std::string& explorer, const ParamValues& params, Crew crew) {
  const auto progress = std::make_unique<Progress>();
  const Entry<Search>* entry = Registry<Search>::find(search);
  Session session(program, options, Registry<Explorer>::find(explorer)->kind.make, *progress);
  session.crew = crew;
  entry->kind.make(with_defaults(entry->params, params))->run(session);
  return {session.outcome, session.findings(), session.totals()};
}

std::uint64_t PlainFair::schedulable(std::uint64_t enabled) const {
  std::uint64_t out = enabled;
  for (const auto& [t, u] : p)
    if ((enabled >> u & 1) != 0) out &= ~(std::uint64_t{1} << t);
  return out;
}

void PlainFair::stepped(int t, std::uint64_t before, std::uint64_t after, std::uint64_t alive, bool yielded) {
  std::erase_if(p, [&](const auto& edge) { return edge.second == t; });
  for (auto& [u, set] : e) std::erase_if(set, [&](int v) { return (after >> v & 1) == 0; });
  for (auto& [u, set] : s) set.insert(t);
  if (e.contains(t))
    for (int v = 0; v < 64; ++v)
      if ((before >> v & 1) != 0 && (after >> v & 1) == 0) d[t].insert(v);
  if (yielded && ++yields[t] % every == 0) {
    yields.erase(t);
    if (e.contains(t)) {
      std::set<int> waiting = e[t];
      waiting.insert(d[t].begin(), d[t].end());
      for (const int v : waiting)
        if (!s[t].contains(v)) p.insert({t, v});
    }
    e[t].clear(), d[t].clear(), s[t].clear();
    for (int v = 0; v < 64; ++v)
      if ((after >> v & 1) != 0) e[t].insert(v);
  }
  if ((alive >> t & 1) == 0) {
    e.erase(t), d.erase(t), s.erase(t), yields.erase(t);
    std::erase_if(p, [&](const auto& edge) { return edge.first == t; });
  }
}

namespace {

/// A place in the enumeration: all that decides what can follow.
struct Place {
  Cells state;
  PlainFair fair;
  int running = -1;  // -1: a switch is free
  std::uint32_t preemptions = 0;
  auto operator<=>(const Place&) const = default;
};

class Enumeration {
 public:
  Enumeration(const Threads& threads, std::uint32_t fair, std::optional<std::uint32_t> preemptions, std::size_t limit)
      : threads_(threads), fair_(fair), preemptions_(preemptions), limit_(limit) {}

  Truth run() {
    Place first{threads_.initial(), {}, -1, 0};
    first.fair.every = std::max(fair_, 1u);
    out.executions = walk(first);
    return std::move(out);
  }

 private:
  /// The number of maximal executions from here.
  std::uint64_t walk(const Place& place) {
    if (const auto known = paths_.find(place); known != paths_.end()) {
      if (known->second == kOnStack) out.acyclic = false;
      return known->second == kOnStack ? 0 : known->second;
    }
    if (paths_.size() > limit_) return out.too_many = true, 0;
    paths_[place] = kOnStack;
    out.states.insert(place.state);
    const std::uint64_t enabled = threads_.enabled_set(place.state);
    const std::uint64_t open = fair_ != 0 ? place.fair.schedulable(enabled) : enabled;
    std::uint64_t paths = 0;
    if (enabled == 0) {
      paths = 1;
      out.finals.insert(place.state);
      out.deadlocks |= threads_.alive_set(place.state) != 0;
    }
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      if ((open >> t & 1) == 0) continue;
      const bool preempts = preemptions_ && place.running >= 0 && place.running != static_cast<int>(t) && (open >> place.running & 1) != 0;
      if (preempts && place.preemptions == *preemptions_) continue;
      for (std::uint32_t value = 0; value < threads_.ways(place.state, t); ++value) {
        const Threads::Effect effect = threads_.step(place.state, t, value);
        if (effect.failed) {
          out.fails = true;
          ++paths;
          continue;
        }
        Place next{effect.after, place.fair, -1, place.preemptions + (preempts ? 1 : 0)};
        if (preemptions_) next.running = effect.yielded ? -1 : static_cast<int>(t);
        if (fair_ != 0) next.fair.stepped(static_cast<int>(t), enabled, threads_.enabled_set(effect.after), threads_.alive_set(effect.after), effect.yielded);
        paths += walk(next);
      }
    }
    return paths_[place] = paths;
  }

  static constexpr std::uint64_t kOnStack = ~std::uint64_t{0};
  const Threads& threads_;
  std::uint32_t fair_;
  std::optional<std::uint32_t> preemptions_;
  std::size_t limit_;
  std::map<Place, std::uint64_t> paths_;

 public:
  Truth out;
};

}  // namespace

Truth truth_of(const Threads& threads, std::uint32_t fair, std::optional<std::uint32_t> preemptions, std::size_t limit) {
  return Enumeration(threads, fair, preemptions, limit).run();
}

}  // namespace tarry::test
