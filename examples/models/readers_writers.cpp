// Readers and writers of one document, writers first: a writer works alone, readers share, and no reader goes in while a
// writer waits. Each thread visits K times.
//
// Coming and going are one step each, as under a lock. Who may not go in sleeps until it is woken, and then looks again:
// the last reader to leave wakes a writer; a writer wakes another one, or all readers if there is none. Verified.
//   -D R=2     how many readers (1 to 6)
//   -D W=2     how many writers (1 to 6)
//   -D K=2     visits of each of them (1 to 4)
//   -D BUG=1   readers look and go in without the lock, in two steps: a reader meets a writer, assertion
//   -D BUG=2   a writer that leaves wakes only writers: readers sleep for ever, deadlock
//   -D BUG=3   every reader that leaves wakes a writer, which does not look again: it meets a reader, assertion (needs R >= 2)
#include <tarry/model.h>

#ifndef R
#define R 2
#endif
#ifndef W
#define W 2
#endif
#ifndef K
#define K 2
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(R >= 1 && R <= 6, "readers_writers: -D R must be from 1 to 6");
static_assert(W >= 1 && W <= 6, "readers_writers: -D W must be from 1 to 6");
static_assert(K >= 1 && K <= 4, "readers_writers: -D K must be from 1 to 4");
static_assert(BUG >= 0 && BUG <= 3, "readers_writers: -D BUG must be from 0 to 3");
static_assert(BUG != 3 || R >= 2, "readers_writers: -D BUG=3 needs -D R=2 or more");

struct ReadersWriters {
  enum class At : std::uint8_t { kOutside, kEnters, kInside, kSleeps, kWoken, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"outside", "enters", "inside", "sleeps", "woken", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct State {
    At at[R + W];  // readers first
    tarry::Upto<K> visits[R + W];
    TARRY_FIELDS(at, visits)
  };

  static constexpr int processes = R + W;

  State initial() { return {}; }

  static bool reads(int p) { return p < R; }

  static int readers(const State& s, At at) {
    int count = 0;
    for (int p = 0; p < R; ++p) count += s.at[p] == at;
    return count;
  }
  static int writers(const State& s, At at) {
    int count = 0;
    for (int p = R; p < R + W; ++p) count += s.at[p] == at;
    return count;
  }
  static bool may_enter(const State& s, int p) {
    if (writers(s, At::kInside) != 0) return false;
    if (reads(p)) return writers(s, At::kSleeps) + writers(s, At::kWoken) == 0;
    return readers(s, At::kInside) == 0;
  }

  void step(State& s, int p, tarry::Run& run) {
    At& at = s.at[p];
    switch (at) {
      case At::kOutside:
      case At::kWoken: {
        const bool trusts = BUG == 3 && at == At::kWoken && !reads(p);
        if (!trusts && !may_enter(s, p)) {
          at = At::kSleeps;
          return run.label("has to wait");
        }
        if (BUG == 1 && reads(p)) {
          at = At::kEnters;
          return run.label("sees that it may go in");
        }
        return enter(s, p, run);
      }
      case At::kEnters: return enter(s, p, run);
      case At::kSleeps: return run.blocked();
      case At::kInside: return leave(s, p, run);
      default: return run.ended();
    }
  }

  void enter(State& s, int p, tarry::Run& run) {
    s.at[p] = At::kInside;
    ++s.visits[p];
    run.label(reads(p) ? "reads" : "writes");
  }

  void leave(State& s, int p, tarry::Run& run) {
    s.at[p] = s.visits[p] < K ? At::kOutside : At::kDone;
    if (reads(p)) {
      if ((readers(s, At::kInside) == 0 || BUG == 3) && writers(s, At::kSleeps) != 0) return wake_a_writer(s, run);
      return run.label("leaves");
    }
    if (writers(s, At::kSleeps) != 0) return wake_a_writer(s, run);
    if (BUG == 2) return run.label("leaves");
    const int woken = readers(s, At::kSleeps);
    for (int q = 0; q < R; ++q)
      if (s.at[q] == At::kSleeps) s.at[q] = At::kWoken;
    run.label("leaves and wakes {} readers", woken);
  }

  void wake_a_writer(State& s, tarry::Run& run) {
    const int asleep = writers(s, At::kSleeps);
    std::uint32_t skip = asleep == 1 ? 0 : run.choose(static_cast<std::uint32_t>(asleep));
    for (int q = R; q < R + W; ++q) {
      if (s.at[q] != At::kSleeps || skip-- != 0) continue;
      s.at[q] = At::kWoken;
      return run.label("leaves and wakes {}", process_name(q));
    }
  }

  void invariant(const State& s, tarry::Run& run) {
    const int reading = readers(s, At::kInside), writing = writers(s, At::kInside);
    run.expect(writing == 0 || reading + writing == 1, "{} readers and {} writers are inside", reading, writing);
  }

  std::string process_name(int p) { return reads(p) ? "reader " + std::to_string(p) : "writer " + std::to_string(p - R); }
};
TARRY_MODEL(ReadersWriters)
