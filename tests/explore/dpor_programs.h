// Small programs for tests of partial-order reduction: an interpreter that tells footprints, all traces by plain enumeration, random programs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "core/execution.h"
#include "core/registry.h"
#include "core/search.h"

namespace tarry::test::dpor {

enum class Do : std::uint8_t { kRead, kWrite, kAdd, kSwapIfZero, kLock, kUnlock, kTryLock, kPost, kAcquire, kWait, kReacquire, kSignal, kBroadcast, kChoose, kCreate, kJoin, kAssert, kAbort, kExit, kReadLock, kWriteLock, kReadWriteUnlock, kBarrier, kTimedLock, kAwait, kCancel, kAddChoose, kReadChoose, kChooseWay };
inline constexpr const char* kNames[] = {"read", "write", "add", "cas", "lock", "unlock", "try", "post", "acquire", "wait", "(reacquire)", "signal", "broadcast", "choose", "create", "join", "assert", "abort", "exit", "rdlock", "wrlock", "rwunlock", "barrier", "timedlock", "await", "cancel", "add+choose", "read+choose", "choose-way"};

struct Instruction {
  Do what;
  std::uint8_t object = 0, value = 0;
};

/// 2 to 4 threads that run straight on. Variables, locks (also of condition variables: lock i goes with condition i), semaphores.
struct Source {
  std::vector<std::vector<Instruction>> code;
  std::uint32_t created_later = 0;
  bool exact = true;  // only kinds of operations for which no execution is begun in vain

  /// Programs that choose are explored by source sets.
  bool chooses() const {
    constexpr Do kChoosing[] = {Do::kChoose, Do::kAddChoose, Do::kReadChoose, Do::kChooseWay, Do::kSignal};
    return std::any_of(code.begin(), code.end(), [&](const auto& thread) {
      return std::any_of(thread.begin(), thread.end(), [&](const Instruction& i) { return std::find(std::begin(kChoosing), std::end(kChoosing), i.what) != std::end(kChoosing); });
    });
  }
  std::string text() const {
    std::string out;
    for (std::size_t t = 0; t < code.size(); ++t) {
      out += "thread " + std::to_string(t) + (t + created_later < code.size() ? ":" : " (created later):");
      for (const Instruction& i : code[t]) out += std::string(" ") + kNames[static_cast<int>(i.what)] + "(" + std::to_string(i.object) + "," + std::to_string(i.value) + ")";
      out += "\n";
    }
    return out;
  }
};

inline constexpr std::uint64_t kLocks = 100, kSemaphores = 200, kConditions = 300, kThreads = 400, kNumbers = 500, kReadWriteLocks = 600, kBarriers = 700;

struct State {
  struct Thread {
    std::uint32_t at = 0;
    bool there = false, ended = false, waits = false, woken = false, fails = false, cancelled = false;
    int reg = 0;
    auto operator<=>(const Thread&) const = default;
  };
  std::vector<Thread> threads;
  std::vector<int> variables = {0, 0}, locks = {0, 0}, semaphores = {0, 0};
  std::vector<int> writers = {0, 0};           // of read-write locks: who, plus 1
  std::vector<std::uint32_t> readers = {0, 0};  // a bit for each
  std::vector<int> arrived = {0, 0};           // at barriers for two
  bool over = false, failed = false;
  auto operator<=>(const State&) const = default;
};

class Interpreter {
 public:
  explicit Interpreter(const Source& source) : source_(source) {}

  State first() const {
    State out;
    out.threads.resize(source_.code.size());
    for (std::size_t t = 0; t + source_.created_later < source_.code.size(); ++t) out.threads[t].there = true;
    for (std::size_t t = 0; t < out.threads.size(); ++t) out.threads[t].ended = source_.code[t].empty();
    return out;
  }
  bool alive(const State& s, std::uint32_t t) const { return s.threads[t].there && !s.threads[t].ended; }
  const Instruction& next(const State& s, std::uint32_t t) const { return source_.code[t][s.threads[t].at]; }
  std::optional<std::uint64_t> waits_for(const State& s, std::uint32_t t) const {
    const Instruction& i = next(s, t);
    if (s.threads[t].cancelled) return kGivesUp;  // ahead of the request it may have had to wait
    if (s.threads[t].waits || i.what == Do::kReadLock || i.what == Do::kWriteLock || i.what == Do::kAwait) return kEverything;
    if (s.threads[t].fails || s.threads[t].cancelled) return std::nullopt;
    if (i.what == Do::kTimedLock) return kGivesUp;
    if (i.what == Do::kLock) return kLocks + i.object;
    if (i.what == Do::kAcquire) return kSemaphores + i.object;
    if (i.what == Do::kJoin) return kThreads + i.object;
    return std::nullopt;
  }
  bool enabled(const State& s, std::uint32_t t) const {
    if (s.over || !alive(s, t)) return false;
    const Instruction& i = next(s, t);
    if (s.threads[t].cancelled) return true;
    if (s.threads[t].waits) return s.threads[t].woken && (i.what == Do::kBarrier || s.locks[i.object] == 0);
    switch (i.what) {
      case Do::kLock: return s.locks[i.object] == 0;
      case Do::kAcquire: return s.semaphores[i.object] > 0;
      case Do::kJoin: return s.threads[i.object].ended;
      case Do::kReadLock: return s.writers[i.object] == 0;
      case Do::kWriteLock: return s.writers[i.object] == 0 && s.readers[i.object] == 0;
      case Do::kTimedLock: return s.locks[i.object] == 0 || s.variables[1 - i.object] != 0;  // the variable: it is late enough to give up
      case Do::kAwait: return s.variables[i.object] != i.value;
      default: return true;
    }
  }
  /// Among how many values the step chooses next, after it has chosen these; 1: no more choices.
  std::uint32_t ways(const State& s, std::uint32_t t, const std::vector<std::uint32_t>& chosen) const {
    const Instruction& i = next(s, t);
    if (s.threads[t].cancelled) return 1;
    if (i.what == Do::kAddChoose) return chosen.empty() ? 2 : chosen.size() == 1 && chosen[0] == i.value % 2 ? 3 : 1;  // a second time after one of the values
    if (i.what == Do::kReadChoose) return s.variables[i.object] != 0 && chosen.size() < i.value ? 2 : 1;             // in some states only
    if (!chosen.empty()) return 1;
    if (i.what == Do::kChoose) return i.value;
    if (i.what == Do::kChooseWay) return 2;
    if (i.what == Do::kSignal) return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(waiters(s, i.object).size()));
    return 1;
  }
  /// A thread that is cancelled touches what its operation would have touched: it is one of those that wait no more.
  std::vector<ObjectUse> pending(const State& s, std::uint32_t t) const {
    if (s.threads[t].cancelled && next(s, t).what == Do::kJoin) return {{kEverything, Use::kWrite}};  // where the other ends depends on what it finds
    std::vector<ObjectUse> out = uncancelled(s, t);
    if (s.threads[t].cancelled)
      for (ObjectUse& touch : out) touch.before = Before::kUnknown;
    return out;
  }
  std::vector<ObjectUse> uncancelled(const State& s, std::uint32_t t) const {
    const Instruction& i = next(s, t);
    if (s.threads[t].fails) return {{kEverything, Use::kWrite}};
    const auto own = [&] { return s.locks[i.object] == static_cast<int>(t) + 1 ? Before::kHeld : Before::kUnknown; };
    const auto held = [](int count) { return count > 0 ? Before::kFree : Before::kHeld; };
    if (i.what == Do::kBarrier) return {{kBarriers + i.object, Use::kWrite}};
    if (s.threads[t].waits) return {{kConditions + i.object, Use::kWrite}, {kLocks + i.object, Use::kWrite, Before::kFree}};
    switch (i.what) {
      case Do::kRead: case Do::kReadChoose: case Do::kAssert: case Do::kAbort: return {{i.object, Use::kRead}};
      case Do::kWrite: case Do::kAdd: case Do::kAddChoose: case Do::kSwapIfZero: return {{i.object, Use::kWrite}};
      case Do::kLock: case Do::kTryLock: return {{kLocks + i.object, Use::kWrite, s.locks[i.object] == 0 ? Before::kFree : Before::kHeld}};
      case Do::kUnlock: if (own() == Before::kUnknown) return {}; return {{kLocks + i.object, Use::kWrite, own()}};
      case Do::kPost: case Do::kAcquire: return {{kSemaphores + i.object, Use::kWrite, held(s.semaphores[i.object])}};
      case Do::kWait: return {{kConditions + i.object, Use::kWrite}, {kLocks + i.object, Use::kWrite, own()}};
      case Do::kSignal: case Do::kBroadcast: return {{kConditions + i.object, Use::kWrite}};
      case Do::kCreate: return {{kNumbers, Use::kWrite}};
      case Do::kJoin: return {{kThreads + i.object, Use::kWrite}};
      case Do::kReadLock: case Do::kWriteLock: return {{kReadWriteLocks + i.object, Use::kWrite}};
      case Do::kReadWriteUnlock: if (!holds(s, t, i.object)) return {}; return {{kReadWriteLocks + i.object, Use::kWrite}};
      case Do::kTimedLock: return {{kLocks + i.object, Use::kWrite, s.locks[i.object] == 0 ? Before::kFree : Before::kHeld}, {std::uint64_t{1} - i.object, Use::kRead}};
      case Do::kAwait: return {{i.object, Use::kRead}};
      case Do::kExit: case Do::kCancel: return {{kEverything, Use::kWrite}};
      default: return {};
    }
  }
  /// The touches of the step are left in `touches`.
  State step(const State& before, std::uint32_t t, std::uint32_t value, std::vector<ObjectUse>& touches) const {
    State s = before;
    State::Thread& self = s.threads[t];
    const Instruction& i = next(before, t);
    touches = pending(before, t);
    const auto waits_now = waiters(s, i.object);
    bool advances = true;
    if (self.cancelled) {  // it ends instead
      self.at = static_cast<std::uint32_t>(source_.code[t].size()) - 1;
      self.waits = self.woken = self.fails = false;
    } else if (self.fails) {
      s.failed = s.over = true;
    } else if (self.waits) {
      self.waits = self.woken = false;
      if (i.what != Do::kBarrier) s.locks[i.object] = static_cast<int>(t) + 1;
    } else switch (i.what) {
      case Do::kRead: self.reg = s.variables[i.object]; break;
      case Do::kWrite: s.variables[i.object] = i.value == 9 ? self.reg : i.value; break;
      case Do::kAdd: s.variables[i.object] += 1; break;
      case Do::kAddChoose: s.variables[i.object] += 1, self.reg = static_cast<int>(value); break;
      case Do::kReadChoose: self.reg = s.variables[i.object] * 100 + static_cast<int>(value); break;
      case Do::kSwapIfZero:
        if (s.variables[i.object] == 0) s.variables[i.object] = i.value;
        break;
      case Do::kLock: s.locks[i.object] = static_cast<int>(t) + 1; break;
      case Do::kUnlock: if (s.locks[i.object] == static_cast<int>(t) + 1) s.locks[i.object] = 0; break;
      case Do::kTryLock: self.reg = s.locks[i.object] == 0 ? 1 : 0; if (self.reg != 0) s.locks[i.object] = static_cast<int>(t) + 1; break;
      case Do::kPost: ++s.semaphores[i.object]; break;
      case Do::kAcquire: --s.semaphores[i.object]; break;
      case Do::kWait: if (s.locks[i.object] == static_cast<int>(t) + 1) s.locks[i.object] = 0; self.waits = true, advances = false; break;
      case Do::kSignal: if (!waits_now.empty()) s.threads[waits_now[value]].woken = true; break;
      case Do::kBroadcast: for (const std::uint32_t w : waits_now) s.threads[w].woken = true; break;
      case Do::kChoose: self.reg = static_cast<int>(value); break;
      case Do::kChooseWay:  // the next instruction is left out, unless it is the last one
        if (value == 0 && self.at + 2 < source_.code[t].size()) ++self.at;
        break;
      case Do::kCreate: s.threads[i.object].there = true; break;
      case Do::kJoin: break;
      case Do::kAssert: self.fails = s.variables[i.object] != i.value, advances = !self.fails; break;
      case Do::kAbort: s.failed = s.over = s.variables[i.object] != i.value; break;
      case Do::kExit: s.over = true; break;
      case Do::kReacquire: break;
      case Do::kReadLock: s.readers[i.object] |= 1u << t; break;
      case Do::kWriteLock: s.writers[i.object] = static_cast<int>(t) + 1; break;
      case Do::kReadWriteUnlock:
        if (!holds(s, t, i.object)) break;
        if (s.writers[i.object] != 0) s.writers[i.object] = 0;
        else s.readers[i.object] &= ~(1u << t);
        break;
      case Do::kBarrier:
        advances = s.arrived[i.object] % 2 != 0;
        self.waits = !advances;
        ++s.arrived[i.object];
        if (advances)
          for (std::uint32_t w = 0; w < s.threads.size(); ++w) s.threads[w].woken |= alive(s, w) && s.threads[w].waits && next(s, w).what == Do::kBarrier && next(s, w).object == i.object;
        break;
      case Do::kTimedLock: self.reg = s.locks[i.object] == 0 ? 1 : 0; if (self.reg != 0) s.locks[i.object] = static_cast<int>(t) + 1; break;
      case Do::kAwait: self.reg = s.variables[i.object]; break;
      case Do::kCancel: s.threads[i.object].cancelled |= alive(s, i.object); break;
    }
    if (advances && ++self.at == source_.code[t].size()) self.ended = true;
    if (self.ended || ways(before, t, {}) > 1) touches.push_back({kThreads + t, Use::kWrite, Before::kHeld});  // it may end behind a choice
    if (s.over) touches.push_back({kEverything, Use::kWrite});
    return s;
  }

 private:
  static bool holds(const State& s, std::uint32_t t, std::uint32_t lock) { return s.writers[lock] == static_cast<int>(t) + 1 || (s.readers[lock] >> t & 1) != 0; }
  std::vector<std::uint32_t> waiters(const State& s, std::uint32_t condition) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t t = 0; t < s.threads.size(); ++t)
      if (alive(s, t) && s.threads[t].waits && !s.threads[t].woken && next(s, t).what == Do::kWait && next(s, t).object == condition) out.push_back(t);
    return out;
  }
  const Source& source_;
};

/// The order of an execution so far: by thread, the hash of its last step and of all that comes before it.
struct TraceName {
  std::map<std::uint32_t, std::uint64_t> threads;
  std::map<std::uint64_t, std::uint64_t> writes;
  std::map<std::uint64_t, std::uint64_t> reads;  // the sum over those since the last write
  std::uint64_t everything = 0;

  void add(std::uint32_t thread, std::uint32_t value, const std::vector<ObjectUse>& touches, const State& after, const State& before) {
    std::uint64_t name = mix64(threads[thread] + thread + 1) + mix64(value + 7) + everything;
    for (const ObjectUse& touch : touches) {
      if (touch.object == kEverything) {
        for (const auto& [t, hash] : threads) name += mix64(hash ^ t);
        continue;
      }
      name += mix64(touch.object * 31 + writes[touch.object]) + (touch.use == Use::kRead ? 0 : mix64(reads[touch.object] + touch.object));
    }
    name = mix64(name);
    threads[thread] = name;
    for (const ObjectUse& touch : touches) {
      if (touch.object == kEverything) everything = name;
      else if (touch.use == Use::kRead) reads[touch.object] += mix64(name);
      else writes[touch.object] = name, reads[touch.object] = 0;
    }
    for (std::uint32_t t = 0; t < after.threads.size(); ++t)
      if (after.threads[t].there && !before.threads[t].there) threads[t] = mix64(name + t);
  }
  std::uint64_t whole() const {
    std::uint64_t out = 0;
    for (const auto& [t, hash] : threads) out += mix64(hash + t * 0x9e3779b97f4a7c15u);
    return out;
  }
};

struct Facts {
  std::set<State> ends;
  std::multiset<std::uint64_t> traces;
  std::uint64_t executions = 0;
};

/// The values that a step has chosen, as one number.
inline std::uint32_t as_one(const std::vector<std::uint32_t>& chosen) {
  std::uint32_t out = 0;
  for (std::size_t i = chosen.size(); i-- > 0;) out = out * 4 + chosen[i];
  return out;
}

/// All interleavings.
class Everything {
 public:
  Everything(const Source& source, std::uint64_t most) : interpreter_(source), most_(most) {}
  bool run() {
    walk(interpreter_.first(), {});
    return facts.executions <= most_;
  }
  Facts facts;

 private:
  void walk(const State& state, const TraceName& name) {
    if (facts.executions > most_) return;
    bool any = false;
    for (std::uint32_t t = 0; t < state.threads.size(); ++t) {
      if (!interpreter_.enabled(state, t)) continue;
      any = true;
      std::vector<std::uint32_t> chosen;
      take(state, t, name, chosen);
    }
    if (any) return;
    ++facts.executions;
    facts.ends.insert(state);
    if (const std::uint64_t trace = name.whole(); !facts.traces.contains(trace)) facts.traces.insert(trace);
  }
  void take(const State& state, std::uint32_t t, const TraceName& name, std::vector<std::uint32_t>& chosen) {
    if (const std::uint32_t ways = interpreter_.ways(state, t, chosen); ways > 1) {
      chosen.push_back(0);
      for (; chosen.back() < ways; ++chosen.back()) take(state, t, name, chosen);
      chosen.pop_back();
      return;
    }
    std::vector<ObjectUse> touches;
    const State after = interpreter_.step(state, t, as_one(chosen), touches);
    TraceName longer = name;
    longer.add(t, as_one(chosen), touches, after, state);
    walk(after, longer);
  }
  Interpreter interpreter_;
  std::uint64_t most_;
};

class SmallProgram final : public Program {
 public:
  explicit SmallProgram(const Source& source) : source_(source) {}
  const Shape& shape() const override { return shape_; }
  bool captures() const override { return false; }
  std::unique_ptr<StateSpace> open() const override { return nullptr; }
  std::unique_ptr<Narrator> narrator() const override { return nullptr; }
  std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const override;
  mutable Facts facts;

 private:
  friend class SmallExecution;
  const Source& source_;
  Shape shape_{.words = 0, .bits = 0, .processes = 64, .seals = false};
};

class SmallExecution final : public Execution, public Footprints {
 public:
  SmallExecution(const SmallProgram& program, Session& session) : program_(program), interpreter_(program.source_), session_(session), survey_(64) {}

  const std::vector<Move>& moves_taken() const override { return moves_; }
  const Footprints* watch_footprints() override { return this; }
  std::span<const ObjectUse> of_last_step() const override { return touches_; }
  const char* surprise() const override { return surprised_ ? "a surprise" : nullptr; }
  void of_pending(ProcessId process, std::vector<ObjectUse>& out) const override { out = interpreter_.pending(state_, index(process)); }
  bool is_alive(ProcessId process) const override { return index(process) < state_.threads.size() && interpreter_.alive(state_, index(process)); }
  std::optional<std::uint64_t> waits_for(ProcessId process) const override { return interpreter_.waits_for(state_, index(process)); }

  ExecutionResult run(Policy& policy) override {
    ExecutionResult result;
    state_ = interpreter_.first();
    TraceName name; std::string line;
    moves_.clear();
    look();
    policy.begin(survey_);
    while (!survey_.open().empty()) {
      const std::uint32_t thread = policy.pick({survey_, 0, {}});
      if (thread == Policy::kAbandon) return result.end = End::kAbandoned, result;
      std::vector<std::uint32_t> values;
      touches_ = interpreter_.pending(state_, thread);
      if (interpreter_.ways(state_, thread, {}) > 1) touches_.push_back({kThreads + thread, Use::kWrite, Before::kHeld});
      for (std::uint32_t ways; (ways = interpreter_.ways(state_, thread, values)) > 1;) {
        const std::uint32_t picked = policy.pick({survey_, ways, ProcessId{thread}});
        if (picked == Policy::kAbandon) return result.end = End::kAbandoned, result;
        values.push_back(picked);
      }
      const std::uint32_t value = as_one(values);
      const State before = state_;
      const std::vector<ObjectUse> foreseen = interpreter_.pending(before, thread);
      state_ = interpreter_.step(before, thread, value, touches_);
      surprised_ = state_.over && (foreseen.empty() || foreseen[0].object != kEverything);
      name.add(thread, value, touches_, state_, before);
      line += " T" + std::to_string(thread) + ":" + (before.threads[thread].cancelled ? "end" : kNames[(int)interpreter_.next(before, thread).what]);
      moves_.push_back(session_.moves().make(ProcessId{thread}, values));
      ++result.steps;
      look();
    }
    ++program_.facts.executions;
    std::this_thread::yield();  // other workers, if there are any
    program_.facts.ends.insert(state_);
    program_.facts.traces.insert(name.whole());
    if (getenv("DPOR_DBG")) std::cout << std::this_thread::get_id() << " " << std::hex << name.whole() << line << "\n";
    result.end = End::kEnded;
    if (state_.failed) result.end = End::kFailed, result.failure = {.label = "", .kind = "assertion", .message = "assertion", .location = ""};
    return result;
  }

 private:
  void look() {
    std::uint64_t open = 0, alive = 0;
    for (std::uint32_t t = 0; t < state_.threads.size(); ++t) {
      open |= std::uint64_t{interpreter_.enabled(state_, t)} << t;
      alive |= std::uint64_t{interpreter_.alive(state_, t)} << t;
    }
    survey_.bits()[0] = open;
    survey_.bits()[1] = alive;
  }

  const SmallProgram& program_;
  Interpreter interpreter_;
  Session& session_;
  Survey survey_;
  State state_;
  std::vector<ObjectUse> touches_;
  bool surprised_ = false;
  std::vector<Move> moves_;
};

inline std::unique_ptr<Execution> SmallProgram::execution(Session& session, std::uint32_t) const { return std::make_unique<SmallExecution>(*this, session); }

enum class Kind { kOnlyMemory, kAlsoLocks, kAlsoWaits, kAlsoEnds, kAlsoAborts, kAlsoRare };

inline Source random_source(std::uint64_t seed, Kind kind) {
  Rng rng(seed, 1414);
  Source out;
  const std::uint64_t threads = 2 + rng.below(3);
  const bool locks = kind != Kind::kOnlyMemory, waits = kind >= Kind::kAlsoWaits, ends = kind >= Kind::kAlsoEnds;
  if (locks && threads > 2 && rng.below(2) == 0) out.created_later = 1;
  out.exact = !waits;
  const auto object = [&] { return static_cast<std::uint8_t>(rng.below(2)); };
  for (std::uint64_t t = 0; t < threads; ++t) {
    std::vector<Instruction> code;
    if (t == 0 && out.created_later > 0) code.push_back({Do::kCreate, static_cast<std::uint8_t>(threads - 1)});
    const std::uint64_t length = 1 + rng.below(threads == 2 ? 6 : threads == 3 ? 4 : 3);
    while (code.size() < length) {
      const std::uint64_t what = kind == Kind::kAlsoRare ? rng.below(2) == 0 ? rng.below(12) : 13 + rng.below(7) : rng.below(locks ? waits ? ends ? 13 : 11 : 8 : 5);
      const std::uint8_t o = object();
      switch (what) {
        case 0: code.push_back({Do::kRead, o}); break;
        case 1: code.push_back({Do::kWrite, o, static_cast<std::uint8_t>(rng.below(3) == 0 ? 9 : rng.below(3))}); break;
        case 2: code.push_back({Do::kAdd, o}); break;
        case 3: code.push_back({Do::kSwapIfZero, o, static_cast<std::uint8_t>(1 + rng.below(2))}); break;
        case 4:
          if (const std::uint64_t how = rng.below(4); how == 3) code.push_back({Do::kChooseWay}), code.push_back({static_cast<Do>(rng.below(3)), o, 1}), code.push_back({Do::kWrite, object(), 2});
          else if (how == 0) code.push_back({Do::kChoose, 0, static_cast<std::uint8_t>(2 + rng.below(2))});
          else code.push_back({how == 1 ? Do::kAddChoose : Do::kReadChoose, o, static_cast<std::uint8_t>(1 + rng.below(2))});
          break;
        case 5: case 6: {
          code.push_back({Do::kLock, o});
          const std::uint64_t inside = rng.below(4);
          if (inside == 1) code.push_back({Do::kAdd, object()});
          if (inside == 2) code.push_back({Do::kLock, static_cast<std::uint8_t>(1 - o)}), code.push_back({Do::kUnlock, static_cast<std::uint8_t>(1 - o)});
          if (inside == 3 && waits) code.push_back({rng.below(2) == 0 ? Do::kWait : Do::kSignal, o});
          code.push_back({Do::kUnlock, o});
          break;
        }
        case 7: code.push_back({Do::kTryLock, o}), code.push_back({Do::kUnlock, o}); break;
        case 8: code.push_back({rng.below(2) == 0 ? Do::kPost : Do::kAcquire, o}); break;
        case 9: code.push_back({rng.below(2) == 0 ? Do::kSignal : Do::kBroadcast, o}); break;
        case 10: code.push_back({Do::kLock, o}), code.push_back({Do::kWait, o}), code.push_back({Do::kUnlock, o}); break;
        case 11: code.push_back({kind == Kind::kAlsoAborts ? Do::kAbort : Do::kAssert, o, static_cast<std::uint8_t>(rng.below(2))}); break;
        case 12: code.push_back({Do::kExit}); break;
        case 13: case 14:
          code.push_back({rng.below(2) == 0 ? Do::kReadLock : Do::kWriteLock, o});
          if (rng.below(2) == 0) code.push_back({Do::kAdd, object()});
          code.push_back({Do::kReadWriteUnlock, o});
          break;
        case 15: case 16: code.push_back({Do::kBarrier, o}); break;
        case 17: code.push_back({Do::kTimedLock, o}), code.push_back({Do::kUnlock, o}); break;
        case 18: code.push_back({Do::kAwait, o, static_cast<std::uint8_t>(rng.below(2))}); break;
        case 19: code.push_back({Do::kCancel, static_cast<std::uint8_t>((t + 1 + rng.below(threads - 1)) % threads)}); break;
      }
    }
    if (t == 0 && locks && rng.below(3) == 0) code.push_back({Do::kJoin, static_cast<std::uint8_t>(threads - 1)});
    out.code.push_back(std::move(code));
  }
  return out;
}

}  // namespace tarry::test::dpor
