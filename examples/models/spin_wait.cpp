// A spin loop: thread t sets x to 1, and N threads wait for that by looking at x again and again, with a yield in between.
//
// Figure 3 of Musuvathi and Qadeer, "Fair stateless model checking", PLDI 2008. Its states make a cycle, but only a schedule
// that starves t stays in it: under fair scheduling the program ends. Safe in all variants: verified.
//   -D N=1     how many threads spin (1 to 12)
//   -D BUG=1   the spinning threads do not yield: safe, but each breaks the good-samaritan rule
#include <tarry/model.h>

#ifndef N
#define N 1
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(N >= 1 && N <= 12, "spin_wait: -D N must be from 1 to 12");
static_assert(BUG == 0 || BUG == 1, "spin_wait: -D BUG must be 0 or 1");

struct SpinWait {
  enum class At : std::uint8_t { kLooks, kYields, kDone, count_ };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"looks", "yields", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct State {
    bool x;  // t has ended when it is set
    At u[N];
    TARRY_FIELDS(x, u)
  };

  static constexpr int processes = 1 + N;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) {
    if (p == 0) {
      if (s.x) return run.ended();
      s.x = true;
      return run.label("sets x to 1");
    }
    At& at = s.u[p - 1];
    switch (at) {
      case At::kLooks: at = s.x ? At::kDone : At::kYields; return run.label("sees that x is {}", static_cast<int>(s.x));
      case At::kYields:
        at = At::kLooks;
        if (!BUG) run.yields();
        return run.label(BUG ? "goes round" : "yields");
      default: return run.ended();
    }
  }

  std::string process_name(int p) {
    if (p == 0) return "t";
    return N == 1 ? "u" : "u" + std::to_string(p);
  }
};
TARRY_MODEL(SpinWait)
