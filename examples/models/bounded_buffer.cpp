// A bounded buffer guarded by a monitor: a mutex, and conditions on which producers wait for room and consumers for items.
// N producers put K items each and N consumers take K items each.
//
// A wait releases the mutex and sleeps in one step; who was woken takes the mutex again before it goes on. notify_one wakes
// any one of the sleepers. Verified.
//   -D N=2           how many producers, and how many consumers (1 to 4)
//   -D K=2           items for each of them (1 to 4)
//   -D SIZE=1        room in the buffer (1 to 4)
//   -D NOTIFY_ALL=1  one condition for both sides, and every notify wakes all who sleep: slower, but right
//   -D BUG=1         `if` instead of `while` round the wait: somebody takes from an empty buffer, or puts into a full one,
//                    assertion
//   -D BUG=2         one condition for both sides, and still notify_one: it may wake a thread that cannot go on while those that
//                    could sleep for ever, deadlock
// Both bugs need N >= 2.
#include <tarry/model.h>

#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
#ifndef SIZE
#define SIZE 1
#endif
#ifndef NOTIFY_ALL
#define NOTIFY_ALL 0
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 1 && N <= 4, "bounded_buffer: -D N must be from 1 to 4");
static_assert(K >= 1 && K <= 4, "bounded_buffer: -D K must be from 1 to 4");
static_assert(SIZE >= 1 && SIZE <= 4, "bounded_buffer: -D SIZE must be from 1 to 4");
static_assert(NOTIFY_ALL == 0 || NOTIFY_ALL == 1, "bounded_buffer: -D NOTIFY_ALL must be 0 or 1");
static_assert(BUG >= 0 && BUG <= 2, "bounded_buffer: -D BUG must be from 0 to 2");
static_assert(BUG == 0 || N >= 2, "bounded_buffer: -D BUG needs -D N=2 or more");

struct BoundedBuffer {
  enum class At : std::uint8_t { kLocks, kChecks, kSleeps, kWoken, kActs, kNotifies, kUnlocks, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"locks", "checks", "sleeps", "woken", "acts", "notifies", "unlocks", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct State {
    At at[2 * N];                 // producers first
    tarry::Upto<K> items[2 * N];  // put or taken so far
    tarry::Upto<SIZE> filled;
    bool locked;
    TARRY_FIELDS(at, items, filled, locked)
  };

  static constexpr int processes = 2 * N;
  static constexpr bool kOneCondition = NOTIFY_ALL || BUG == 2;

  State initial() { return {}; }

  static bool produces(int p) { return p < N; }

  void step(State& s, int p, tarry::Run& run) {
    At& at = s.at[p];
    switch (at) {
      case At::kLocks:
        if (s.locked) return run.blocked();
        s.locked = true;
        at = At::kChecks;
        return run.label("locks");
      case At::kChecks:
        if (s.filled == (produces(p) ? SIZE : 0)) {
          s.locked = false;
          at = At::kSleeps;
          return run.label(produces(p) ? "waits for room" : "waits for an item");
        }
        at = At::kActs;
        return run.label(produces(p) ? "sees room" : "sees an item");
      case At::kSleeps: return run.blocked();
      case At::kWoken:
        if (s.locked) return run.blocked();
        s.locked = true;
        at = BUG == 1 ? At::kActs : At::kChecks;
        return run.label("wakes up and locks");
      case At::kActs: return act(s, p, run);
      case At::kNotifies: return notify(s, p, run);
      case At::kUnlocks:
        s.locked = false;
        at = s.items[p] < K ? At::kLocks : At::kDone;
        return run.label("unlocks");
      default: return run.ended();
    }
  }

  void act(State& s, int p, tarry::Run& run) {
    s.at[p] = At::kNotifies;
    run.label(produces(p) ? "puts item {}" : "takes item {}", s.items[p] + 1);
    const bool possible = s.filled != (produces(p) ? SIZE : 0);
    run.expect(possible, produces(p) ? "puts an item into a full buffer" : "takes an item from an empty buffer");
    if (!possible) return;
    ++s.items[p];
    s.filled = produces(p) ? s.filled + 1 : s.filled - 1;
  }

  void notify(State& s, int p, tarry::Run& run) {
    s.at[p] = At::kUnlocks;
    int sleepers[2 * N];
    std::uint32_t count = 0;
    for (int q = 0; q < 2 * N; ++q)
      if (s.at[q] == At::kSleeps && (kOneCondition || produces(q) != produces(p))) sleepers[count++] = q;
    if (count == 0) return run.label("notifies nobody");
    if (NOTIFY_ALL) {
      for (std::uint32_t i = 0; i < count; ++i) s.at[sleepers[i]] = At::kWoken;
      return run.label("wakes {} threads", count);
    }
    const int q = sleepers[count == 1 ? 0 : run.choose(count)];
    s.at[q] = At::kWoken;
    run.label("wakes {}", process_name(q));
  }

  std::string process_name(int p) { return (produces(p) ? "producer " : "consumer ") + std::to_string(p % N); }
};
TARRY_MODEL(BoundedBuffer)
