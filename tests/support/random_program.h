// Small random programs, as models, for tests that compare searches with each other and with brute force.
//
// A program is a function of its seed and shape: straight code for two to four processes over a few shared variables, locks
// and mailboxes, with jumps, data choices, created processes and assertions strewn in. Every field has a handful of values and
// the product of the lengths of the processes is bounded, so that all states of a program can be counted in a moment.
//
//   const RandomProgram program(seed);
//   const Everything all = brute_force(model_of(program));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tarry/model.h>

namespace tarry::test {

/// Splitmix64 (Steele, Lea and Flood, 2014): the same numbers with every standard library.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// What programs may contain.
struct Features {
  bool cycles = true;      // jumps backwards; without them every execution ends
  bool assertions = true;  // deadlocks are possible in any case
  bool choices = true;     // data choices
  bool creation = true;    // processes that are created by others
  bool last_checks = false;  // a process may expect something in the very step that says that it has ended
  bool accepting = false;  // accepting steps
  bool seals = false;      // seals and unseals, for sealed_model_of
};

enum class Op : std::uint8_t {
  kSet,      // shared a = b
  kAdd,      // shared a = shared a + 1, round
  kLoad,     // local = shared a
  kStore,    // shared a = local
  kCount,    // local = local + 1, round
  kChoose,   // local = one of b values
  kLock,     // lock a
  kUnlock,   // unlock a, if it is ours
  kSend,     // local to mailbox a; waits for room if b is 0, else it is lost
  kReceive,  // from mailbox a into local; waits
  kServe,    // the same, and may wait for ever
  kExpect,   // shared a is not b
  kSkip,     // the next instruction is skipped if shared a is b
  kBack,     // to instruction `to`
  kBackIf,   // to instruction `to` if local is not b
  kCreate,   // the next process that was not created yet, if there is one
  kSeal,
  kUnseal,
  kEnd
};

struct Instruction {
  Op op = Op::kEnd;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t to = 0;
  bool yields = false;
  bool accepts = false;
};

struct RandomProgram {
  static constexpr std::uint32_t kProcesses = 5;  // those created later included
  static constexpr std::uint32_t kLength = 7;
  static constexpr std::uint32_t kValues = 3;
  static constexpr std::uint32_t kShared = 2;
  static constexpr std::uint32_t kLocks = 2;
  static constexpr std::uint32_t kMailboxes = 2;
  static constexpr std::uint32_t kMostPlaces = 1200;  // the product of the places of all processes

  std::uint32_t started = 0;  // processes that are there from the beginning
  std::vector<std::vector<Instruction>> code;
  Instruction last_checks[kProcesses] = {};  // kExpect, or kEnd for none

  explicit RandomProgram(std::uint64_t seed, const Features& shape = {}) {
    SplitMix random(seed);
    started = 2;
    if (random.one_in(2)) ++started;
    if (random.one_in(6)) ++started;
    const std::uint32_t created = shape.creation && random.one_in(3) ? 1 : 0;
    std::uint32_t places = 1;
    for (std::uint32_t p = 0; p < started + created; ++p) {
      std::uint32_t length = 2 + random.below(kLength - 2);
      while (length > 1 && places * (length + 1) > kMostPlaces) --length;
      places *= length + 1;
      code.push_back(process(random, length, shape, created != 0));
    }
    for (std::uint32_t p = 0; shape.last_checks && p < code.size(); ++p)
      if (random.one_in(2)) last_checks[p] = {.op = Op::kExpect, .a = random.below(2), .b = random.below(kValues)};
    if (created != 0) code[0][random.below(static_cast<std::uint32_t>(code[0].size()))] = {.op = Op::kCreate};
    if (shape.seals) seal(random);
  }

  std::string text() const {
    static constexpr const char* kNames[] = {"set",  "add",    "load",    "store",   "count", "choose",
                                             "lock", "unlock", "send",    "receive", "serve", "expect",
                                             "skip", "back",   "back-if", "create",  "seal",  "unseal", "end"};
    std::string out = std::to_string(started) + " processes at the start\n";
    for (std::size_t p = 0; p < code.size(); ++p) {
      out += "process " + std::to_string(p) + ":\n";
      for (const Instruction& i : code[p]) {
        out += std::string("  ") + kNames[static_cast<int>(i.op)] + " a=" + std::to_string(i.a) + " b=" + std::to_string(i.b) +
               " to=" + std::to_string(i.to) + (i.yields ? " yields" : "") + (i.accepts ? " accepts" : "") + "\n";
      }
    }
    return out;
  }

 private:
  /// Some processes seal, and most of those unseal some steps later. What is between may wait, end, or jump out.
  void seal(SplitMix& random) {
    for (std::vector<Instruction>& process : code) {
      if (random.one_in(3)) continue;
      const auto length = static_cast<std::uint32_t>(process.size());
      const std::uint32_t from = random.below(length), to = from + 1 + random.below(3);
      process[from] = {.op = Op::kSeal};
      if (to < length && !random.one_in(6)) process[to] = {.op = Op::kUnseal};
    }
  }

  static std::vector<Instruction> process(SplitMix& random, std::uint32_t length, const Features& shape, bool creates) {
    std::vector<Instruction> out;
    while (out.size() < length) {
      const auto at = static_cast<std::uint32_t>(out.size());
      Instruction i{.a = random.below(2), .b = random.below(kValues), .accepts = random.one_in(8)};
      i.accepts = i.accepts && shape.accepting;
      switch (random.below(20)) {
        case 0:
        case 1: i.op = Op::kSet; break;
        case 2:
        case 3: i.op = Op::kAdd; break;
        case 4: i.op = Op::kLoad; break;
        case 5: i.op = Op::kStore; break;
        case 6: i.op = Op::kCount; break;
        case 7:
          i.op = shape.choices ? Op::kChoose : Op::kCount;
          i.b = 2 + random.below(kValues - 1);
          break;
        case 8:
        case 9:  // mostly with its unlock, so that not every other program deadlocks
          i.op = Op::kLock;
          if (at + 2 < length && !random.one_in(8)) {
            out.push_back(i);
            out.push_back({.op = random.one_in(2) ? Op::kAdd : Op::kLoad, .a = random.below(2)});
            i.op = Op::kUnlock;
          }
          break;
        case 10:
        case 11: i.op = Op::kSend; break;
        case 12: i.op = random.one_in(5) ? Op::kReceive : Op::kServe; break;
        case 13: i.op = shape.assertions && !random.one_in(4) ? Op::kExpect : Op::kAdd; break;
        case 14: i.op = Op::kSkip; break;
        case 15:
        case 16:
        case 17:
          if (!shape.cycles || at == 0) continue;
          i.op = random.one_in(3) ? Op::kBack : Op::kBackIf;
          i.to = random.below(at);
          i.yields = !random.one_in(3);
          break;
        case 18:
          if (at == 0) continue;
          i.op = creates && random.one_in(2) ? Op::kCreate : Op::kEnd;
          break;
        default: i.op = Op::kStore; break;
      }
      out.push_back(i);
    }
    return out;
  }
};

/// Runs the program that `current` points to when the model is made.
struct RandomModel {
  using P = RandomProgram;
  using Value = Upto<P::kValues - 1>;

  struct State {
    Upto<P::kLength> at[P::kProcesses];
    Value local[P::kProcesses];
    Value shared[P::kShared];
    Upto<P::kProcesses> holder[P::kLocks];  // process + 1
    Queue<Value, 2> mail[P::kMailboxes];
    Upto<P::kProcesses> created;
    TARRY_FIELDS(at, local, shared, holder, mail, created)
  };

  static constexpr int max_processes = P::kProcesses;

  // Not thread_local: a parallel search makes a model in each of its workers.
  inline static const RandomProgram* current = nullptr;
  const RandomProgram program = *current;

  int processes(const State& s) const { return static_cast<int>(s.created); }

  State initial() {
    State s{};
    s.created = program.started;
    return s;
  }

  void step(State& s, int p, Run& run) { interpret(s, p, run); }

  /// `Recorder`: Run, or what a reference takes for it.
  template <class Recorder>
  void interpret(State& s, int p, Recorder& run) const {
    const std::vector<Instruction>& code = program.code[static_cast<std::size_t>(p)];
    if (s.at[p] >= code.size()) {
      if (const Instruction& last = program.last_checks[p]; last.op == Op::kExpect) run.expect(s.shared[last.a] != last.b, "in the end x{} is {}", last.a, last.b);
      return run.ended();
    }
    const Instruction& i = code[s.at[p]];
    Value& local = s.local[p];
    ++s.at[p];
    if (i.yields) run.yields();
    if (i.accepts) run.accepts();
    switch (i.op) {
      case Op::kSet: s.shared[i.a] = i.b; return run.label("x{} = {}", i.a, i.b);
      case Op::kAdd: s.shared[i.a] = round(s.shared[i.a]); return run.label("x{} becomes {}", i.a, s.shared[i.a]);
      case Op::kLoad: local = s.shared[i.a]; return run.label("reads x{}: {}", i.a, local);
      case Op::kStore: s.shared[i.a] = local; return run.label("x{} = {}", i.a, local);
      case Op::kCount: local = round(local); return run.label("counts to {}", local);
      case Op::kChoose: local = run.choose(i.b); return run.label("chooses {}", local);
      case Op::kLock:
        if (s.holder[i.a] != 0) return run.blocked();
        s.holder[i.a] = p + 1;
        return run.label("locks {}", i.a);
      case Op::kUnlock:
        if (static_cast<int>(s.holder[i.a]) == p + 1) s.holder[i.a] = 0;
        return run.label("unlocks {}", i.a);
      case Op::kSend:
        if (s.mail[i.a].full()) return i.b == 0 ? run.blocked() : run.label("finds mailbox {} full", i.a);
        s.mail[i.a].push(local);
        run.sends(static_cast<int>(i.a));
        return run.label("sends {} to mailbox {}", local, i.a);
      case Op::kReceive:
      case Op::kServe:
        if (s.mail[i.a].empty()) return i.op == Op::kServe ? run.idle() : run.blocked();
        local = s.mail[i.a].pop();
        return run.label("receives {} from mailbox {}", local, i.a);
      case Op::kExpect:
        run.expect(s.shared[i.a] != i.b, "x{} is {}", i.a, i.b);
        return run.label("looks whether x{} is {}", i.a, i.b);
      case Op::kSkip:
        if (s.shared[i.a] == i.b && s.at[p] < code.size()) ++s.at[p];
        return run.label("looks at x{}", i.a);
      case Op::kBack: s.at[p] = i.to; return run.label("goes back to {}", i.to);
      case Op::kBackIf:
        if (local != i.b) s.at[p] = i.to;
        return run.label("goes to {}", s.at[p]);
      case Op::kCreate:
        if (s.created < program.code.size()) ++s.created;
        return run.label("there are {} processes", s.created);
      case Op::kSeal: run.seal(); return run.label("seals");
      case Op::kUnseal: run.unseal(); return run.label("unseals");
      case Op::kEnd: s.at[p] = code.size(); return run.label("ends");
    }
  }

  static std::uint32_t round(std::uint32_t value) { return (value + 1) % P::kValues; }
};

/// The same, for programs with seals.
struct SealedRandomModel : RandomModel {
  static constexpr bool uses_seals = true;
};

inline const abi::Model& sealed_model_of(const RandomProgram& program) {
  static constexpr abi::Model kTable = detail::Adapter<SealedRandomModel>::table("sealed random", __FILE__);
  RandomModel::current = &program;
  return kTable;
}

/// The model of the program. It is the current one until the next call; instances that exist keep theirs.
inline const abi::Model& model_of(const RandomProgram& program) {
  static constexpr abi::Model kTable = detail::Adapter<RandomModel>::table("random", __FILE__);
  RandomModel::current = &program;
  return kTable;
}

}  // namespace tarry::test
