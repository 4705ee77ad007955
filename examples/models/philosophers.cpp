// Dining philosophers: N philosophers round a table, one fork between two neighbours.
//
// By default everybody takes the fork with the smaller number first, which cannot deadlock: verified.
//   -D N=5         how many philosophers (2 to 16)
//   -D BUG=1       everybody takes the left fork first and waits for the right one: deadlock
//   -D TRYLOCK=1   the left fork, then a try for the right one; who fails puts the left one back and starts again.
//                  Safe, but the philosophers may do this for ever (a livelock): figure 1 of Musuvathi and Qadeer,
//                  "Fair stateless model checking", PLDI 2008.
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

struct Philosophers {
  enum class At : std::uint8_t { kHungry, kHasFirst, kFailed, kReady, kEating, kHasSecond, kDone, count_ };

  struct State {
    At at[N];
    bool fork[N];
    tarry::Upto<N> eating;
    TARRY_FIELDS(at, fork, eating)
  };

  static constexpr int processes = N;

  State initial() { return {}; }

  static int first(int p) { return !BUG && !TRYLOCK && p == N - 1 ? 0 : p; }
  static int second(int p) { return !BUG && !TRYLOCK && p == N - 1 ? p : (p + 1) % N; }

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
          at = At::kFailed;
          return run.label("finds fork {} taken", second(p));
        }
        two = true;
        at = At::kReady;
        return run.label("takes fork {}", second(p));
      case At::kFailed:
        one = false;
        at = At::kHungry;
        run.yields();
        return run.label("puts fork {} back", first(p));
      case At::kReady:
        ++s.eating;
        at = At::kEating;
        run.expect(s.eating <= N / 2, "{} philosophers eat with {} forks", s.eating, N);
        return run.label("eats");
      case At::kEating:
        --s.eating;
        one = false;
        at = At::kHasSecond;
        return run.label("puts fork {} down", first(p));
      case At::kHasSecond:
        two = false;
        at = At::kDone;
        return run.label("puts fork {} down", second(p));
      default:
        return run.ended();
    }
  }

  std::string process_name(int p) { return "philosopher " + std::to_string(p); }
};
TARRY_MODEL(Philosophers)
