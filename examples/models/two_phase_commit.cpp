// Two-phase commit of one transaction: a coordinator asks N participants to prepare, collects their votes, decides, and tells
// everybody until everybody has acknowledged. Any message may be lost, and the coordinator may lose patience at any time.
//
// Verified: nobody commits what another aborts. The coordinator may resend for ever when every message is lost.
//   -D N=2     how many participants (1 to 4)
//   -D BUG=1   votes that do not come count as yes: one commits what it never prepared or has aborted, assertion
//   -D BUG=2   the coordinator waits for all votes however long it takes: a lost message stops it for ever, deadlock
//
// One step is one statement of bench/peers/spin/tpc.pml, which is the same program.
#include <tarry/model.h>

#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 1 && N <= 4, "two_phase_commit: -D N must be from 1 to 4");
static_assert(BUG >= 0 && BUG <= 2, "two_phase_commit: -D BUG must be from 0 to 2");

struct TwoPhaseCommit {
  enum class Order : std::uint8_t { kPrepare, kCommit, kAbort, count_ };
  friend const char* to_string(Order order) {
    constexpr const char* kNames[] = {"prepare", "commit", "abort"};
    return kNames[static_cast<int>(order)];
  }
  enum class Answer : std::uint8_t { kYes, kNo, kAck, count_ };
  friend const char* to_string(Answer answer) {
    constexpr const char* kNames[] = {"yes", "no", "ack"};
    return kNames[static_cast<int>(answer)];
  }
  enum class Decision : std::uint8_t { kNone, kCommit, kAbort, count_ };
  friend const char* to_string(Decision decision) {
    constexpr const char* kNames[] = {"none", "commit", "abort"};
    return kNames[static_cast<int>(decision)];
  }
  enum class Result : std::uint8_t { kWorking, kPrepared, kCommitted, kAborted, count_ };
  friend const char* to_string(Result result) {
    constexpr const char* kNames[] = {"working", "prepared", "committed", "aborted"};
    return kNames[static_cast<int>(result)];
  }

  enum class CoordinatorAt : std::uint8_t {
    kStarts,
    kBegins,
    kLooksWhomToAsk,
    kAsks,
    kAsked,
    kCollects,
    kDecides,
    kLooksWhomToTell,
    kLooksForAck,
    kChooses,
    kTells,
    kAwaitsAck,
    kFinishes,
    kEnds,
    kDone,
    count_
  };
  friend const char* to_string(CoordinatorAt at) {
    constexpr const char* kNames[] = {"starts",   "begins",     "looks-whom-to-ask",  "asks",          "asked",
                                      "collects", "decides",    "looks-whom-to-tell", "looks-for-ack", "chooses",
                                      "tells",    "awaits-ack", "finishes",           "ends",          "done"};
    return kNames[static_cast<int>(at)];
  }
  enum class At : std::uint8_t {
    kStarts,
    kListens,
    kToPrepare,
    kToCommit,
    kToAbort,
    kVotes,
    kVotedYes,
    kVotedNo,
    kSendsYes,
    kSendsNo,
    kIgnores,
    kCommits,
    kAborts,
    kAcknowledges,
    kHandled,
    count_
  };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"starts",  "listens",   "to-prepare", "to-commit",    "to-abort",
                                      "votes",   "voted-yes", "voted-no",   "sends-yes",    "sends-no",
                                      "ignores", "commits",   "aborts",     "acknowledges", "handled"};
    return kNames[static_cast<int>(at)];
  }

  struct Message {
    Answer answer;
    tarry::Upto<N - 1> from;
    TARRY_FIELDS(answer, from)
  };

  struct State {
    CoordinatorAt coordinator;
    tarry::Upto<N> whom;  // the participant whose turn it is
    tarry::Upto<N> votes;
    bool all_yes;  // so far
    Decision decision;
    bool acknowledged[N];
    tarry::Queue<Message, N + 1> inbox;
    At at[N];
    Result result[N];
    tarry::Queue<Order, 2> mail[N];
    TARRY_FIELDS(coordinator, whom, votes, all_yes, decision, acknowledged, inbox, at, result, mail)
  };

  static constexpr int processes = 1 + N;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) { p == 0 ? coordinate(s, run) : take_part(s, p - 1, run); }

  void coordinate(State& s, tarry::Run& run) {
    CoordinatorAt& at = s.coordinator;
    switch (at) {
      case CoordinatorAt::kStarts: at = CoordinatorAt::kBegins; return run.label("has a transaction");
      case CoordinatorAt::kBegins:
        s.all_yes = true;
        at = CoordinatorAt::kLooksWhomToAsk;
        return run.label("begins");
      case CoordinatorAt::kLooksWhomToAsk:
        if (s.whom < N) {
          at = CoordinatorAt::kAsks;
          return run.label("turns to participant {}", s.whom);
        }
        s.whom = 0;
        at = CoordinatorAt::kCollects;
        return run.label("has asked everybody");
      case CoordinatorAt::kAsks:
        if (send_order(s, s.whom, Order::kPrepare, run)) {
          at = CoordinatorAt::kAsked;
        } else {
          ++s.whom;
          at = CoordinatorAt::kLooksWhomToAsk;
        }
        return;
      case CoordinatorAt::kAsked:
        ++s.whom;
        at = CoordinatorAt::kLooksWhomToAsk;
        return run.label("goes on to the next one");
      case CoordinatorAt::kCollects: return collect(s, run);
      case CoordinatorAt::kDecides:
        s.decision = s.all_yes ? Decision::kCommit : Decision::kAbort;
        s.all_yes = false;
        at = CoordinatorAt::kLooksWhomToTell;
        return run.label("decides: {}", s.decision);
      case CoordinatorAt::kLooksWhomToTell:
        if (s.whom < N) {
          at = CoordinatorAt::kLooksForAck;
          return run.label("turns to participant {}", s.whom);
        }
        s.whom = 0;
        at = CoordinatorAt::kFinishes;
        return run.label("has told everybody");
      case CoordinatorAt::kLooksForAck:
        if (!s.acknowledged[s.whom]) {
          at = CoordinatorAt::kChooses;
          return run.label("has no acknowledgement of participant {}", s.whom);
        }
        run.label("has the acknowledgement of participant {}", s.whom);
        ++s.whom;
        at = CoordinatorAt::kLooksWhomToTell;
        return;
      case CoordinatorAt::kChooses: at = CoordinatorAt::kTells; return run.label("is about to tell participant {}", s.whom);
      case CoordinatorAt::kTells:
        send_order(s, s.whom, s.decision == Decision::kCommit ? Order::kCommit : Order::kAbort, run);
        at = CoordinatorAt::kAwaitsAck;
        return;
      case CoordinatorAt::kAwaitsAck:
        at = CoordinatorAt::kLooksForAck;
        if (!s.inbox.empty() && run.choose(2) == 0) {
          const Message message = s.inbox.pop();
          if (message.answer == Answer::kAck) s.acknowledged[message.from] = true;
          return run.label("receives {} from participant {}", message.answer, message.from);
        }
        return run.label("loses patience");
      case CoordinatorAt::kFinishes:
        for (bool& acknowledged : s.acknowledged) acknowledged = false;
        at = CoordinatorAt::kEnds;
        return run.label("forgets the transaction");
      case CoordinatorAt::kEnds: at = CoordinatorAt::kDone; return run.label("ends");
      default: return run.ended();
    }
  }

  /// A vote that has come, or no more waiting for those that have not; both may be possible.
  void collect(State& s, tarry::Run& run) {
    const bool may_stop = s.votes == N || BUG != 2;
    if (s.inbox.empty() && !may_stop) return run.blocked();
    if (!s.inbox.empty() && (!may_stop || run.choose(2) == 0)) {
      const Message message = s.inbox.pop();
      if (message.answer != Answer::kAck) ++s.votes;
      if (message.answer == Answer::kNo) s.all_yes = false;
      return run.label("receives {} from participant {}", message.answer, message.from);
    }
    const bool all = s.votes == N;
    if (!all && BUG != 1) s.all_yes = false;
    s.votes = 0;
    s.coordinator = CoordinatorAt::kDecides;
    run.label(all ? "has all votes" : "loses patience");
  }

  void take_part(State& s, int i, tarry::Run& run) {
    At& at = s.at[i];
    Result& result = s.result[i];
    switch (at) {
      case At::kStarts: at = At::kListens; return run.label("starts");
      case At::kListens: {
        if (s.mail[i].empty()) return run.idle();
        const Order order = s.mail[i].pop();
        at = order == Order::kPrepare ? At::kToPrepare : order == Order::kCommit ? At::kToCommit : At::kToAbort;
        return run.label("receives {}", order);
      }
      case At::kToPrepare:
        at = result == Result::kWorking ? At::kVotes : At::kIgnores;
        return run.label(at == At::kVotes ? "is asked to prepare" : "has voted before");
      case At::kToCommit: at = At::kCommits; return run.label("is told to commit");
      case At::kToAbort: at = At::kAborts; return run.label("is told to abort");
      case At::kVotes:
        result = run.choose(2) == 0 ? Result::kPrepared : Result::kAborted;
        at = result == Result::kPrepared ? At::kVotedYes : At::kVotedNo;
        return run.label("is {}", result);
      case At::kVotedYes: at = At::kSendsYes; return run.label("votes yes");
      case At::kVotedNo: at = At::kSendsNo; return run.label("votes no");
      case At::kSendsYes: at = At::kHandled; return send_answer(s, i, Answer::kYes, run);
      case At::kSendsNo: at = At::kHandled; return send_answer(s, i, Answer::kNo, run);
      case At::kIgnores: at = At::kHandled; return run.label("does not vote again");
      case At::kCommits:
        run.expect(s.decision == Decision::kCommit, "participant {} commits, the decision is {}", i, s.decision);
        run.expect(result == Result::kPrepared || result == Result::kCommitted, "participant {} is {} and commits", i, result);
        result = Result::kCommitted;
        at = At::kAcknowledges;
        return run.label("commits");
      case At::kAborts:
        run.expect(result != Result::kCommitted, "participant {} has committed and aborts", i);
        result = Result::kAborted;
        at = At::kAcknowledges;
        return run.label("aborts");
      case At::kAcknowledges: at = At::kHandled; return send_answer(s, i, Answer::kAck, run);
      default: at = At::kListens; return run.label("listens again");
    }
  }

  /// Whether the message arrives. What is sent to a full mailbox is lost.
  bool send_order(State& s, std::uint32_t to, Order order, tarry::Run& run) {
    if (s.mail[to].full() || run.choose(2) != 0) {
      run.label("sends {} to participant {}: lost", order, to);
      return false;
    }
    s.mail[to].push(order);
    run.sends(1 + static_cast<int>(to));
    run.label("sends {} to participant {}", order, to);
    return true;
  }

  void send_answer(State& s, int from, Answer answer, tarry::Run& run) {
    if (s.inbox.full() || run.choose(2) != 0) return run.label("sends {} to the coordinator: lost", answer);
    s.inbox.push({answer, from});
    run.sends(0);
    run.label("sends {} to the coordinator", answer);
  }

  void invariant(const State& s, tarry::Run& run) {
    bool committed = false, aborted = false;
    for (Result result : s.result) {
      committed |= result == Result::kCommitted;
      aborted |= result == Result::kAborted;
    }
    run.expect(!committed || !aborted, "one participant has committed and another has aborted");
  }

  std::string process_name(int p) { return p == 0 ? "coordinator" : "participant " + std::to_string(p - 1); }
};
TARRY_MODEL(TwoPhaseCommit)
