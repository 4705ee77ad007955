// Leader election in a one-way ring, after Le Lann: everybody sends its id all the way round and remembers the largest id it
// sees. When a node's own id is back it has seen all of them, and it is the leader if its own is the largest.
//
//   -D N=4     how many nodes (2 to 10)
//   -D BUG=1   a node stops when it has seen the largest id, without waiting for its own, and passes nothing on any more:
//              others wait for ever, deadlock
//   -D BUG=2   a node compares an id with the one it saw last, not with the largest: several leaders, assertion
//
// One step is one statement of bench/peers/spin/lelann.pml, which is the same program.
#include <tarry/model.h>

#ifndef N
#define N 4
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 2 && N <= 10, "lelann: -D N must be from 2 to 10");
static_assert(BUG >= 0 && BUG <= 2, "lelann: -D BUG must be from 0 to 2");

struct LeLann {
  enum class At : std::uint8_t { kStarts, kSends, kListens, kLooks, kPassesOn, kForgets, kConcludes, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"starts", "sends", "listens", "looks", "passes-on", "forgets", "concludes", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct State {
    At at[N];
    tarry::Upto<N> held[N];     // the id that was received last
    tarry::Upto<N> largest[N];  // of those that were seen
    tarry::Queue<tarry::Upto<N>, N> inbox[N];
    bool elected;
    TARRY_FIELDS(at, held, largest, inbox, elected)
  };

  static constexpr int processes = N;

  State initial() { return {}; }

  static std::uint32_t id_of(int p) { return static_cast<std::uint32_t>(p + 1); }
  static int next(int p) { return (p + 1) % N; }

  void step(State& s, int p, tarry::Run& run) {
    At& at = s.at[p];
    auto& held = s.held[p];
    auto& largest = s.largest[p];
    switch (at) {
      case At::kStarts:
        largest = id_of(p);
        at = At::kSends;
        return run.label("knows its own id {}", id_of(p));
      case At::kSends: return send(s, p, id_of(p), At::kListens, run);
      case At::kListens:
        if (s.inbox[p].empty()) return run.blocked();
        held = s.inbox[p].pop();
        if (held > largest || BUG == 2) largest = held;
        at = At::kLooks;
        return run.label("receives id {}", held);
      case At::kLooks:
        at = held == (BUG == 1 ? static_cast<std::uint32_t>(N) : id_of(p)) ? At::kConcludes : At::kPassesOn;
        return run.label(at == At::kConcludes ? "stops listening" : "sees that {} is not its own id", held);
      case At::kPassesOn: return send(s, p, held, At::kForgets, run);
      case At::kForgets:
        held = 0;
        at = At::kListens;
        return run.label("listens again");
      case At::kConcludes:
        held = 0;
        at = At::kDone;
        if (largest != id_of(p)) return run.label("concludes that {} leads", largest);
        run.expect(!s.elected, "node {} with id {} is a second leader", p, id_of(p));
        s.elected = true;
        return run.label("leads");
      default: return run.ended();
    }
  }

  void send(State& s, int p, std::uint32_t id, At then, tarry::Run& run) {
    if (s.inbox[next(p)].full()) return run.blocked();
    s.inbox[next(p)].push(id);
    s.at[p] = then;
    run.sends(next(p));
    run.label("sends id {} to node {}", id, next(p));
  }

  /// For formulas: --ltl "F done".
  void labels(const State& s, tarry::Labels& labels) {
    bool done = true;
    for (const At at : s.at) done = done && at == At::kDone;
    labels.add("done", done);
  }

  std::string process_name(int p) { return "node " + std::to_string(p); }
};
TARRY_MODEL(LeLann)
