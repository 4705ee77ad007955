// Dining philosophers: N philosophers round a table, one fork between two neighbours. Each eats once.
//
// By default everybody takes the fork with the smaller number first, which cannot deadlock: verified.
//   -D N=5         how many philosophers (2 to 16)
//   -D BUG=1       everybody takes the left fork first and waits for the right one: deadlock
//   -D TRYLOCK=1   the left fork, then a try for the right one; who fails puts the left one back and starts again.
//                  Safe, but the philosophers may do this for ever (a livelock): figure 1 of Musuvathi and Qadeer,
//                  "Fair stateless model checking", PLDI 2008.
//
// One step is one access to a fork, or the look at what came of it. bench/peers/spin/phil.pml is the same program.
#include <tarry/model.h>

#ifndef N
#define N 5
#endif
#ifndef BUG
#define BUG 0
#endif
#ifndef TRYLOCK
#define TRYLOCK 0
#endif
static_assert(N >= 2 && N <= 16, "philosophers: -D N must be from 2 to 16");
static_assert(BUG == 0 || BUG == 1, "philosophers: -D BUG must be 0 or 1");
static_assert(TRYLOCK == 0 || TRYLOCK == 1, "philosophers: -D TRYLOCK must be 0 or 1");
static_assert(BUG + TRYLOCK <= 1, "philosophers: -D BUG=1 and -D TRYLOCK=1 exclude each other");

struct Philosophers {
  enum class At : std::uint8_t { kHungry, kHasFirst, kGotBoth, kGotOne, kGivesUp, kReady, kEating, kHasSecond, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"hungry", "has-first", "got-both",   "got-one", "gives-up",
                                      "ready",  "eating",    "has-second", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct State {
    At at[N];
    bool fork[N];  // taken
    TARRY_FIELDS(at, fork)
  };

  static constexpr int processes = N;

  State initial() { return {}; }

  // The last philosopher breaks the circle, unless everybody is to reach to the left first.
  static constexpr bool kOrdered = !BUG && !TRYLOCK;
  static int first(int p) { return kOrdered && p == N - 1 ? 0 : p; }
  static int second(int p) { return kOrdered && p == N - 1 ? p : (p + 1) % N; }

  void step(State& s, int p, tarry::Run& run) {
    At& at = s.at[p];
    bool& one = s.fork[first(p)];
    bool& two = s.fork[second(p)];
    switch (at) {
      case At::kHungry:
        if (one) return run.blocked();
        one = true;
        at = At::kHasFirst;
        return run.label("takes fork {}", first(p));
      case At::kHasFirst:
        if (two) {
          if (!TRYLOCK) return run.blocked();
          at = At::kGotOne;
          return run.label("tries fork {}, which is taken", second(p));
        }
        two = true;
        at = At::kGotBoth;
        return run.label("takes fork {}", second(p));
      case At::kGotBoth: at = At::kReady; return run.label("has both forks");
      case At::kGotOne: at = At::kGivesUp; return run.label("has one fork only");
      case At::kGivesUp:
        one = false;
        at = At::kHungry;
        run.yields();
        return run.label("puts fork {} back", first(p));
      case At::kReady:
        at = At::kEating;
        run.expect(eating(s) <= N / 2, "{} philosophers eat with {} forks", eating(s), N);
        return run.label("eats");
      case At::kEating:
        one = false;
        at = At::kHasSecond;
        return run.label("puts fork {} down", first(p));
      case At::kHasSecond:
        two = false;
        at = At::kDone;
        return run.label("puts fork {} down", second(p));
      default: return run.ended();
    }
  }

  static int eating(const State& s) {
    int count = 0;
    for (At at : s.at) count += at == At::kEating;
    return count;
  }

  std::string process_name(int p) { return "philosopher " + std::to_string(p); }
};
TARRY_MODEL(Philosophers)
