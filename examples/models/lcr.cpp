// Leader election in a one-way ring, after Le Lann, Chang and Roberts: a node passes on only ids larger than its own; whoever
// receives its own id is the leader and announces it once round the ring.
//
// Ids fall along the ring, which is the worst case: about N*N/2 messages. A step takes a message out of the node's inbox and
// acts on it, or sends one, as in P. Verified: there is one leader, and everybody learns of it.
//   -D N=5     how many nodes (2 to 12)
//   -D BUG=1   nodes pass on every id that is not their own: a second leader, assertion
//   -D BUG=2   the leader announces nothing: everybody waits for ever, deadlock
//
// bench/peers/spin/lcrp.pml is the same program.
#include <tarry/model.h>

#ifndef N
#define N 5
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 2 && N <= 12, "lcr: -D N must be from 2 to 12");
static_assert(BUG >= 0 && BUG <= 2, "lcr: -D BUG must be from 0 to 2");

struct Lcr {
  enum class At : std::uint8_t { kStarts, kListens, kPassesOn, kAnnounces, kPassesLeaderOn, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"starts", "listens", "passes-on", "announces", "passes-leader-on", "done"};
    return kNames[static_cast<int>(at)];
  }

  enum class Kind : std::uint8_t { kElect, kLeader, count_ };
  friend const char* to_string(Kind kind) { return kind == Kind::kElect ? "elect" : "leader"; }

  struct Message {
    Kind kind;
    tarry::Upto<N> id;
    TARRY_FIELDS(kind, id)
  };

  struct State {
    At at[N];
    tarry::Upto<N> held[N];  // the id to pass on
    tarry::Queue<Message, N> inbox[N];
    bool elected;
    TARRY_FIELDS(at, held, inbox, elected)
  };

  static constexpr int processes = N;

  State initial() { return {}; }

  static std::uint32_t id_of(int p) { return static_cast<std::uint32_t>(N - p); }
  static int next(int p) { return (p + 1) % N; }

  void step(State& s, int p, tarry::Run& run) {
    At& at = s.at[p];
    switch (at) {
      case At::kStarts: return send(s, p, {Kind::kElect, id_of(p)}, At::kListens, run);
      case At::kListens: return receive(s, p, run);
      case At::kPassesOn: return send(s, p, {Kind::kElect, s.held[p]}, At::kListens, run);
      case At::kAnnounces: return send(s, p, {Kind::kLeader, id_of(p)}, At::kListens, run);
      case At::kPassesLeaderOn: return send(s, p, {Kind::kLeader, s.held[p]}, At::kDone, run);
      default: return run.ended();
    }
  }

  void send(State& s, int p, Message message, At then, tarry::Run& run) {
    if (s.inbox[next(p)].full()) return run.blocked();
    s.inbox[next(p)].push(message);
    s.held[p] = 0;
    s.at[p] = then;
    run.sends(next(p));
    run.label("sends {}({}) to node {}", message.kind, message.id, next(p));
  }

  void receive(State& s, int p, tarry::Run& run) {
    if (s.inbox[p].empty()) return run.blocked();
    const Message got = s.inbox[p].pop();
    if (got.kind == Kind::kLeader) {
      const bool round = got.id == id_of(p);
      s.at[p] = round ? At::kDone : At::kPassesLeaderOn;
      if (!round) s.held[p] = got.id;
      return run.label("learns that {} leads", got.id);
    }
    if (got.id == id_of(p)) {
      run.expect(!s.elected, "node {} with id {} is a second leader", p, got.id);
      s.elected = true;
      s.at[p] = BUG == 2 ? At::kListens : At::kAnnounces;
      return run.label("receives its own id {} and leads", got.id);
    }
    if (got.id > id_of(p) || BUG == 1) {
      s.held[p] = got.id;
      s.at[p] = At::kPassesOn;
      return run.label("receives elect({})", got.id);
    }
    run.label("drops elect({}), which is below its own id {}", got.id, id_of(p));
  }

  /// For formulas: --ltl "F done".
  void labels(const State& s, tarry::Labels& labels) {
    bool done = true;
    for (const At at : s.at) done = done && at == At::kDone;
    labels.add("done", done);
  }

  std::string process_name(int p) { return "node " + std::to_string(p); }
};
TARRY_MODEL(Lcr)
