// German's directory protocol for coherent caches: clients ask a host for a line, shared or exclusively; before the host grants
// what conflicts with older grants it invalidates those and waits for the acknowledgements.
//
// The host has one inbox and defers requests while it waits for acknowledgements, as a P machine does. Clients ask whenever
// they like. Verified: while one client has the line exclusively nobody else has it, and nothing gets stuck.
//   -D N=3     how many clients (2 to 8)
//   -D BUG=1   the host grants without waiting for the acknowledgements: two clients have the line, assertion
//   -D BUG=2   clients that lose the line do not acknowledge: the host waits for ever, deadlock
//   -D BUG=3   the host does not remember that it granted exclusively: the next reader gets the line too, assertion
//
// One step is one statement of bench/peers/spin/german.pml, which is the same program.
#include <tarry/model.h>

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 2 && N <= 8, "german: -D N must be from 2 to 8");
static_assert(BUG >= 0 && BUG <= 3, "german: -D BUG must be from 0 to 3");

struct German {
  enum class Cache : std::uint8_t { kInvalid, kShared, kExclusive, count_ };
  friend const char* to_string(Cache cache) {
    constexpr const char* kNames[] = {"invalid", "shared", "exclusive"};
    return kNames[static_cast<int>(cache)];
  }

  // Messages to the host and to clients.
  enum class Request : std::uint8_t { kAskShared, kAskExclusive, kInvalidated, count_ };
  friend const char* to_string(Request request) {
    constexpr const char* kNames[] = {"ask-shared", "ask-exclusive", "invalidated"};
    return kNames[static_cast<int>(request)];
  }
  enum class Reply : std::uint8_t { kGrantShared, kGrantExclusive, kInvalidate, count_ };
  friend const char* to_string(Reply reply) {
    constexpr const char* kNames[] = {"grant-shared", "grant-exclusive", "invalidate"};
    return kNames[static_cast<int>(reply)];
  }

  enum class ClientAt : std::uint8_t {
    kStarts,
    kIdle,
    kAsksShared,
    kAsksExclusive,
    kGranted,
    kUses,
    kLost,
    kTells,
    kTold,
    count_
  };
  friend const char* to_string(ClientAt at) {
    constexpr const char* kNames[] = {"starts", "idle",  "asks-shared", "asks-exclusive", "granted", "uses",
                                      "lost",   "tells", "told"};
    return kNames[static_cast<int>(at)];
  }
  enum class HostAt : std::uint8_t {
    kListens,
    kDecides,
    kGoesOn,
    kLooksAtSharer,
    kInvalidates,
    kSkips,
    kCounts,
    kAwaits,
    kForgetsOwner,
    kGrants,
    kGrantsShared,
    kGrantsExclusive,
    kServed,
    count_
  };
  friend const char* to_string(HostAt at) {
    constexpr const char* kNames[] = {"listens",       "decides",          "goes-on", "looks-at-sharer", "invalidates",
                                      "skips",         "counts",           "awaits",  "forgets-owner",   "grants",
                                      "grants-shared", "grants-exclusive", "served"};
    return kNames[static_cast<int>(at)];
  }

  struct Message {
    Request what;
    tarry::Upto<N - 1> client;
    TARRY_FIELDS(what, client)
  };

  struct State {
    HostAt host;
    Request asked;  // what is being served, and for whom
    tarry::Upto<N - 1> asker;
    tarry::Upto<N> at_sharer;  // the next client to look at while invalidating
    tarry::Upto<N> pending;    // acknowledgements to wait for
    bool sharer[N];
    bool exclusive;  // the one sharer has the line exclusively
    tarry::Queue<Message, 2 * N> inbox;
    ClientAt client[N];
    Cache cache[N];
    bool waits[N];  // for an answer to a request
    tarry::Queue<Reply, 3> mail[N];
    TARRY_FIELDS(host, asked, asker, at_sharer, pending, sharer, exclusive, inbox, client, cache, waits, mail)
  };

  static constexpr int processes = 1 + N;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) { p == 0 ? host_step(s, run) : client_step(s, p - 1, run); }

  void client_step(State& s, int c, tarry::Run& run) {
    ClientAt& at = s.client[c];
    switch (at) {
      case ClientAt::kStarts: at = ClientAt::kIdle; return run.label("starts");
      case ClientAt::kIdle: return idle_client(s, c, run);
      case ClientAt::kAsksShared: return ask(s, c, Request::kAskShared, run);
      case ClientAt::kAsksExclusive: return ask(s, c, Request::kAskExclusive, run);
      case ClientAt::kGranted: at = ClientAt::kUses; return run.label("uses the line, {}", s.cache[c]);
      case ClientAt::kUses: at = ClientAt::kIdle; return run.label("is idle again");
      case ClientAt::kLost: at = BUG == 2 ? ClientAt::kTold : ClientAt::kTells; return run.label("has to give up the line");
      case ClientAt::kTells:
        if (s.inbox.full()) return run.blocked();
        at = ClientAt::kTold;
        return send_to_host(s, c, Request::kInvalidated, run);
      default: at = ClientAt::kIdle; return run.label("is idle again");
    }
  }

  /// Reads its mail or makes a request, whichever is possible; both may be.
  void idle_client(State& s, int c, tarry::Run& run) {
    ClientAt ways[3];
    std::uint32_t count = 0;
    if (!s.waits[c] && s.cache[c] == Cache::kInvalid) ways[count++] = ClientAt::kAsksShared;
    if (!s.waits[c] && s.cache[c] != Cache::kExclusive) ways[count++] = ClientAt::kAsksExclusive;
    if (!s.mail[c].empty()) ways[count++] = ClientAt::kIdle;
    if (count == 0) return run.blocked();
    const ClientAt way = count == 1 ? ways[0] : ways[run.choose(count)];
    if (way != ClientAt::kIdle) {
      s.client[c] = way;
      return run.label(way == ClientAt::kAsksShared ? "wants to read" : "wants to write");
    }
    const Reply reply = s.mail[c].pop();
    if (reply == Reply::kInvalidate) {
      s.cache[c] = Cache::kInvalid;
      s.client[c] = ClientAt::kLost;
    } else {
      s.cache[c] = reply == Reply::kGrantShared ? Cache::kShared : Cache::kExclusive;
      s.waits[c] = false;
      s.client[c] = ClientAt::kGranted;
    }
    run.label("receives {}", reply);
  }

  void ask(State& s, int c, Request request, tarry::Run& run) {
    if (s.inbox.full()) return run.blocked();
    s.waits[c] = true;
    s.client[c] = ClientAt::kIdle;
    send_to_host(s, c, request, run);
  }

  void send_to_host(State& s, int c, Request request, tarry::Run& run) {
    s.inbox.push({request, c});
    run.sends(0);
    run.label("sends {} to the host", request);
  }

  void host_step(State& s, tarry::Run& run) {
    HostAt& at = s.host;
    switch (at) {
      case HostAt::kListens: {
        if (s.inbox.empty()) return run.idle();
        const Message message = s.inbox.pop();
        run.expect(message.what != Request::kInvalidated, "client {} acknowledges what nobody waits for", message.client);
        s.asked = message.what;
        s.asker = message.client;
        at = HostAt::kDecides;
        return run.label("receives {} from client {}", message.what, message.client);
      }
      case HostAt::kDecides:
        at = s.asked == Request::kAskShared && !s.exclusive ? HostAt::kGoesOn : HostAt::kLooksAtSharer;
        return run.label(at == HostAt::kGoesOn ? "need not invalidate" : "has to invalidate");
      case HostAt::kGoesOn: at = HostAt::kGrants; return run.label("goes on");
      case HostAt::kLooksAtSharer:
        if (s.at_sharer == N) {
          s.at_sharer = 0;
          at = HostAt::kCounts;
          return run.label("has looked at everybody");
        }
        at = s.sharer[s.at_sharer] ? HostAt::kInvalidates : HostAt::kSkips;
        return run.label(
            s.sharer[s.at_sharer] ? "sees that client {} has the line" : "sees that client {} does not have the line",
            s.at_sharer);
      case HostAt::kInvalidates:
        if (s.mail[s.at_sharer].full()) return run.blocked();
        send_to_client(s, s.at_sharer, Reply::kInvalidate, run);
        ++s.pending;
        ++s.at_sharer;
        at = HostAt::kLooksAtSharer;
        return;
      case HostAt::kSkips:
        ++s.at_sharer;
        at = HostAt::kLooksAtSharer;
        return run.label("goes on to the next client");
      case HostAt::kCounts:
        if (BUG == 1) {
          for (bool& sharer : s.sharer) sharer = false;
          s.pending = 0;
        }
        at = s.pending > 0 ? HostAt::kAwaits : HostAt::kForgetsOwner;
        return run.label("waits for {} acknowledgements", s.pending);
      case HostAt::kAwaits: return take_acknowledgement(s, run);
      case HostAt::kForgetsOwner:
        s.exclusive = false;
        at = HostAt::kGrants;
        return run.label("notes that nobody has the line");
      case HostAt::kGrants:
        at = s.asked == Request::kAskShared ? HostAt::kGrantsShared : HostAt::kGrantsExclusive;
        return run.label("can grant");
      case HostAt::kGrantsShared: return grant(s, Reply::kGrantShared, run);
      case HostAt::kGrantsExclusive: return grant(s, Reply::kGrantExclusive, run);
      default:
        s.asked = {};
        s.asker = 0;
        at = HostAt::kListens;
        return run.label("listens again");
    }
  }

  /// The first acknowledgement in the inbox, past the requests in front of it.
  void take_acknowledgement(State& s, tarry::Run& run) {
    std::uint32_t i = 0;
    while (i < s.inbox.size() && s.inbox[i].what != Request::kInvalidated) ++i;
    if (i == s.inbox.size()) return run.blocked();
    const std::uint32_t client = s.inbox.take(i).client;
    s.sharer[client] = false;
    --s.pending;
    s.host = HostAt::kCounts;
    run.label("receives invalidated from client {}", client);
  }

  void grant(State& s, Reply reply, tarry::Run& run) {
    if (s.mail[s.asker].full()) return run.blocked();
    s.sharer[s.asker] = true;
    if (reply == Reply::kGrantExclusive) s.exclusive = BUG != 3;
    s.host = HostAt::kServed;
    send_to_client(s, s.asker, reply, run);
  }

  void send_to_client(State& s, std::uint32_t client, Reply reply, tarry::Run& run) {
    s.mail[client].push(reply);
    run.sends(1 + static_cast<int>(client));
    run.label("sends {} to client {}", reply, client);
  }

  void invariant(const State& s, tarry::Run& run) {
    int valid = 0, exclusive = 0;
    for (Cache cache : s.cache) {
      valid += cache != Cache::kInvalid;
      exclusive += cache == Cache::kExclusive;
    }
    run.expect(exclusive == 0 || valid == 1, "{} clients have the line, {} of them exclusively", valid, exclusive);
  }

  /// For formulas: --ltl "G (waits -> F !waits)".
  void labels(const State& s, tarry::Labels& labels) { labels.add("waits", s.waits[0]); }

  std::string process_name(int p) { return p == 0 ? "host" : "client " + std::to_string(p - 1); }
};
TARRY_MODEL(German)
