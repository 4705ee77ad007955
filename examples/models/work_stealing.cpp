// Work-stealing queues: the owner pushes and pops work at one end, S stealers take it from the other. No item may be handed
// out twice. By default the THE protocol of Cilk, which locks only when owner and stealer may meet; with -D CHASE_LEV=1 the
// lock-free queue of Chase and Lev. Memory is sequentially consistent; a step is one access to it or one decision.
//
// The owner pushes K items. After every second one it pops one, after the last one two. Verified.
//   -D S=1           how many stealers (1 to 4)
//   -D K=3           how many items (1 to 8)
//   -D R=K           how often each stealer tries (1 to 8)
//   -D CHASE_LEV=1   Chase-Lev instead of THE
//   -D BUG=1         THE: pop reads the head before it moves the tail. Chase-Lev: pop takes the last item without a
//                    compare-and-swap. An item is handed out twice, assertion
//
// bench/peers/spin/the.pml and chaselev.pml are the same programs, statement for statement. Registers are cleared where SPIN
// clears them, so that the states are the same ones.
#include <tarry/model.h>

#ifndef S
#define S 1
#endif
#ifndef K
#define K 3
#endif
#ifndef R
#define R K
#endif
#ifndef CHASE_LEV
#define CHASE_LEV 0
#endif
#ifndef BUG
#define BUG 0
#endif
static_assert(S >= 1 && S <= 4, "work_stealing: -D S must be from 1 to 4");
static_assert(K >= 1 && K <= 8, "work_stealing: -D K must be from 1 to 8");
static_assert(R >= 1 && R <= 8, "work_stealing: -D R must be from 1 to 8");
static_assert(CHASE_LEV == 0 || CHASE_LEV == 1, "work_stealing: -D CHASE_LEV must be 0 or 1");
static_assert(BUG == 0 || BUG == 1, "work_stealing: -D BUG must be 0 or 1");

using Item = tarry::Upto<K>;       // 1 to K; 0 is none
using Index = tarry::Upto<K + 1>;  // into the queue; a stealer may reach past its end for a moment

/// How many items the owner pops after it has pushed `pushed` of them.
inline int pops_after(int pushed) { return pushed == K ? 2 : pushed % 2 == 0 ? 1 : 0; }

/// Hands the item out.
template <class State>
void take(State& s, Item& item, tarry::Run& run) {
  run.label("has item {}", item);
  run.expect(!s.taken[item - 1u], "item {} is handed out twice", item);
  s.taken[item - 1u] = true;
  item = 0;
}

/// Every item was handed out or is still there.
template <class State>
void expect_all_items(const State& s, std::uint32_t left, tarry::Run& run) {
  std::uint32_t taken = 0;
  for (bool t : s.taken) taken += t;
  run.expect(taken + left == K, "{} items were handed out and {} are left of {}", taken, left, K);
}

inline std::string name_of(int p) { return p == 0 ? "owner" : "stealer " + std::to_string(p); }

#if !CHASE_LEV

struct Cilk {
  enum class OwnerAt : std::uint8_t {
    kTop,
    kPushes,
    kStores,
    kPublishes,
    kCounts,
    kPlans,
    kPlansNone,
    kLoops,
    kPops,
    kLooks,
    kFindsNothing,
    kClaims,
    kReadsHead,
    kCompares,
    kTakes,
    kRetreats,
    kLocks,
    kReclaims,
    kRereadsHead,
    kRecompares,
    kGivesUp,
    kGaveUp,
    kTakesLocked,
    kUnlocks,
    kGotIt,
    kHandsOut,
    kWentEmpty,
    kDone,
    count_
  };
  friend const char* to_string(OwnerAt at) {
    constexpr const char* kNames[] = {"top",          "pushes",     "stores",     "publishes", "counts",        "plans",
                                      "plans-none",   "loops",      "pops",       "looks",     "finds-nothing", "claims",
                                      "reads-head",   "compares",   "takes",      "retreats",  "locks",         "reclaims",
                                      "rereads-head", "recompares", "gives-up",   "gave-up",   "takes-locked",  "unlocks",
                                      "got-it",       "hands-out",  "went-empty", "done"};
    return kNames[static_cast<int>(at)];
  }
  enum class At : std::uint8_t {
    kTop,
    kLocks,
    kReadsHead,
    kClaims,
    kReadsTail,
    kCompares,
    kRetreats,
    kRetreated,
    kTakes,
    kUnlocks,
    kGotIt,
    kHandsOut,
    kWentEmpty,
    kDone,
    count_
  };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"top",       "locks", "reads-head", "claims", "reads-tail", "compares",   "retreats",
                                      "retreated", "takes", "unlocks",    "got-it", "hands-out",  "went-empty", "done"};
    return kNames[static_cast<int>(at)];
  }

  struct Stealer {
    At at;
    tarry::Upto<R> tries;
    Item item;
    Index head, tail;
    TARRY_FIELDS(at, tries, item, head, tail)
  };

  struct State {
    Index head, tail;
    Item buffer[K];
    bool locked;
    bool taken[K];
    OwnerAt owner;
    Item pushed;          // how many
    tarry::Upto<2> pops;  // to do
    Item item;
    Index my_head, my_tail;  // the owner's registers
    Stealer stealer[S];
    TARRY_FIELDS(head, tail, buffer, locked, taken, owner, pushed, pops, item, my_head, my_tail, stealer)
  };

  static constexpr int processes = 1 + S;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) { p == 0 ? own(s, run) : steal(s, s.stealer[p - 1], run); }

  void own(State& s, tarry::Run& run) {
    OwnerAt& at = s.owner;
    switch (at) {
      case OwnerAt::kTop:
        at = s.pushed < K ? OwnerAt::kPushes : OwnerAt::kDone;
        return run.label(at == OwnerAt::kDone ? "has pushed everything" : "pushes");
      case OwnerAt::kPushes:
        s.my_tail = s.tail;
        at = OwnerAt::kStores;
        return run.label("reads tail {}", s.tail);
      case OwnerAt::kStores:
        s.buffer[s.my_tail] = s.pushed + 1;
        at = OwnerAt::kPublishes;
        return run.label("stores item {} at {}", s.pushed + 1, s.my_tail);
      case OwnerAt::kPublishes: return set_tail(s, s.my_tail + 1, OwnerAt::kCounts, run);
      case OwnerAt::kCounts:
        s.my_tail = 0;
        ++s.pushed;
        at = OwnerAt::kPlans;
        return run.label("has pushed {}", s.pushed);
      case OwnerAt::kPlans:
        s.pops = pops_after(s.pushed);
        at = s.pops > 0 ? OwnerAt::kLoops : OwnerAt::kPlansNone;
        return run.label("is to pop {}", s.pops);
      case OwnerAt::kPlansNone: at = OwnerAt::kLoops; return run.label("goes on");
      case OwnerAt::kLoops:
        at = s.pops > 0 ? OwnerAt::kPops : OwnerAt::kTop;
        return run.label(s.pops > 0 ? "pops" : "has popped enough");
      case OwnerAt::kPops:
        s.my_tail = s.tail > 0 ? s.tail - 1 : 0;
        at = OwnerAt::kLooks;
        return run.label("reads tail {}", s.tail);
      case OwnerAt::kLooks:
        at = s.tail == 0 ? OwnerAt::kFindsNothing : BUG ? OwnerAt::kReadsHead : OwnerAt::kClaims;
        return run.label(s.tail == 0 ? "finds nothing" : "goes for the item at {}", s.my_tail);
      case OwnerAt::kFindsNothing: at = OwnerAt::kGotIt; return run.label("has nothing");
      case OwnerAt::kClaims: return set_tail(s, s.my_tail, BUG ? OwnerAt::kCompares : OwnerAt::kReadsHead, run);
      case OwnerAt::kReadsHead: return read_head(s, BUG ? OwnerAt::kClaims : OwnerAt::kCompares, run);
      case OwnerAt::kCompares: return compare(s, OwnerAt::kRetreats, OwnerAt::kTakes, run);
      case OwnerAt::kTakes: return read_item(s, OwnerAt::kGotIt, run);
      case OwnerAt::kRetreats: return set_tail(s, s.my_tail + 1, OwnerAt::kLocks, run);
      case OwnerAt::kLocks:
        if (s.locked) return run.blocked();
        s.locked = true;
        at = OwnerAt::kReclaims;
        return run.label("locks");
      case OwnerAt::kReclaims: return set_tail(s, s.my_tail, OwnerAt::kRereadsHead, run);
      case OwnerAt::kRereadsHead: return read_head(s, OwnerAt::kRecompares, run);
      case OwnerAt::kRecompares: return compare(s, OwnerAt::kGivesUp, OwnerAt::kTakesLocked, run);
      case OwnerAt::kGivesUp: return set_tail(s, s.my_tail + 1, OwnerAt::kGaveUp, run);
      case OwnerAt::kGaveUp: at = OwnerAt::kUnlocks; return run.label("has nothing");
      case OwnerAt::kTakesLocked: return read_item(s, OwnerAt::kUnlocks, run);
      case OwnerAt::kUnlocks:
        s.locked = false;
        at = OwnerAt::kGotIt;
        return run.label("unlocks");
      case OwnerAt::kGotIt:
        at = s.item > 0 ? OwnerAt::kHandsOut : OwnerAt::kWentEmpty;
        return run.label(s.item > 0 ? "got item {}" : "got nothing", s.item);
      case OwnerAt::kHandsOut:
      case OwnerAt::kWentEmpty:
        if (at == OwnerAt::kHandsOut) take(s, s.item, run);
        else run.label("goes on");
        s.my_head = s.my_tail = 0;
        --s.pops;
        at = OwnerAt::kLoops;
        return;
      default: return run.ended();
    }
  }

  void set_tail(State& s, std::uint32_t tail, OwnerAt then, tarry::Run& run) {
    s.tail = tail;
    s.owner = then;
    run.label("sets tail to {}", tail);
  }
  void read_head(State& s, OwnerAt then, tarry::Run& run) {
    s.my_head = s.head;
    s.owner = then;
    run.label("reads head {}", s.head);
  }
  void compare(State& s, OwnerAt passed, OwnerAt free, tarry::Run& run) {
    const bool conflict = s.my_head > s.my_tail;
    if (conflict) s.my_head = 0;
    s.owner = conflict ? passed : free;
    run.label(conflict ? "sees that the head has passed" : "sees that the item is free");
  }
  void read_item(State& s, OwnerAt then, tarry::Run& run) {
    s.item = s.buffer[s.my_tail];
    s.owner = then;
    run.label("takes item {} at {}", s.item, s.my_tail);
  }

  void steal(State& s, Stealer& me, tarry::Run& run) {
    At& at = me.at;
    switch (at) {
      case At::kTop:
        at = me.tries < R ? At::kLocks : At::kDone;
        return run.label(at == At::kDone ? "has tried often enough" : "steals");
      case At::kLocks:
        if (s.locked) return run.blocked();
        s.locked = true;
        at = At::kReadsHead;
        return run.label("locks");
      case At::kReadsHead:
        me.head = s.head;
        at = At::kClaims;
        return run.label("reads head {}", s.head);
      case At::kClaims:
        s.head = me.head + 1;
        at = At::kReadsTail;
        return run.label("sets head to {}", s.head);
      case At::kReadsTail:
        me.tail = s.tail;
        at = At::kCompares;
        return run.label("reads tail {}", s.tail);
      case At::kCompares:
        at = me.head + 1 > me.tail ? At::kRetreats : At::kTakes;
        if (at == At::kRetreats) me.tail = 0;
        return run.label(at == At::kRetreats ? "sees that there is nothing" : "sees that the item is free");
      case At::kRetreats:
        s.head = me.head;
        at = At::kRetreated;
        return run.label("sets head to {}", s.head);
      case At::kRetreated: at = At::kUnlocks; return run.label("has nothing");
      case At::kTakes:
        me.item = s.buffer[me.head];
        at = At::kUnlocks;
        return run.label("takes item {} at {}", me.item, me.head);
      case At::kUnlocks:
        s.locked = false;
        at = At::kGotIt;
        return run.label("unlocks");
      case At::kGotIt:
        at = me.item > 0 ? At::kHandsOut : At::kWentEmpty;
        return run.label(me.item > 0 ? "got item {}" : "got nothing", me.item);
      case At::kHandsOut:
      case At::kWentEmpty:
        if (at == At::kHandsOut) take(s, me.item, run);
        else run.label("goes on");
        me.head = me.tail = 0;
        ++me.tries;
        at = At::kTop;
        return;
      default: return run.ended();
    }
  }

  void at_end(const State& s, tarry::Run& run) { expect_all_items(s, s.tail - s.head, run); }

  std::string process_name(int p) { return name_of(p); }
};
TARRY_MODEL(Cilk)

#else

struct ChaseLev {
  enum class OwnerAt : std::uint8_t {
    kTop,
    kReadsBottom,
    kReadsTop,
    kStores,
    kPublishes,
    kCounts,
    kPlans,
    kPlansNone,
    kLoops,
    kPops,
    kLooks,
    kFindsNothing,
    kClaims,
    kRereadsTop,
    kCompares,
    kRestores,
    kRestored,
    kTakes,
    kTakesLast,
    kSwaps,
    kSwapped,
    kFailed,
    kWon,
    kResets,
    kGotIt,
    kHandsOut,
    kWentEmpty,
    kDone,
    count_
  };
  friend const char* to_string(OwnerAt at) {
    constexpr const char* kNames[] = {"top",        "reads-bottom", "reads-top",  "stores",   "publishes", "counts",
                                      "plans",      "plans-none",   "loops",      "pops",     "looks",     "finds-nothing",
                                      "claims",     "rereads-top",  "compares",   "restores", "restored",  "takes",
                                      "takes-last", "swaps",        "swapped",    "failed",   "won",       "resets",
                                      "got-it",     "hands-out",    "went-empty", "done"};
    return kNames[static_cast<int>(at)];
  }
  enum class At : std::uint8_t {
    kTop,
    kReadsTop,
    kReadsBottom,
    kCompares,
    kFindsNothing,
    kTakes,
    kSwaps,
    kWon,
    kLost,
    kHandsOut,
    kGivesUp,
    kDone,
    count_
  };
  friend const char* to_string(At at) {
    constexpr const char* kNames[] = {"top",   "reads-top", "reads-bottom", "compares",  "finds-nothing", "takes",
                                      "swaps", "won",       "lost",         "hands-out", "gives-up",      "done"};
    return kNames[static_cast<int>(at)];
  }

  struct Stealer {
    At at;
    tarry::Upto<R> tries;
    Item item;
    Index top, bottom;
    TARRY_FIELDS(at, tries, item, top, bottom)
  };

  struct State {
    Index top, bottom;
    Item buffer[K];
    bool taken[K];
    OwnerAt owner;
    Item pushed;          // how many
    tarry::Upto<2> pops;  // to do
    Item item;
    Index my_top, my_bottom;  // the owner's registers
    Stealer stealer[S];
    TARRY_FIELDS(top, bottom, buffer, taken, owner, pushed, pops, item, my_top, my_bottom, stealer)
  };

  static constexpr int processes = 1 + S;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) { p == 0 ? own(s, run) : steal(s, s.stealer[p - 1], run); }

  void own(State& s, tarry::Run& run) {
    OwnerAt& at = s.owner;
    switch (at) {
      case OwnerAt::kTop:
        at = s.pushed < K ? OwnerAt::kReadsBottom : OwnerAt::kDone;
        return run.label(at == OwnerAt::kDone ? "has pushed everything" : "pushes");
      case OwnerAt::kReadsBottom: return read_bottom(s, OwnerAt::kReadsTop, run);
      case OwnerAt::kReadsTop:  // to see whether there is room; there is
        at = OwnerAt::kStores;
        return run.label("reads top {}", s.top);
      case OwnerAt::kStores:
        s.buffer[s.my_bottom] = s.pushed + 1;
        at = OwnerAt::kPublishes;
        return run.label("stores item {} at {}", s.pushed + 1, s.my_bottom);
      case OwnerAt::kPublishes: return set_bottom(s, s.my_bottom + 1, OwnerAt::kCounts, run);
      case OwnerAt::kCounts:
        s.my_bottom = 0;
        ++s.pushed;
        at = OwnerAt::kPlans;
        return run.label("has pushed {}", s.pushed);
      case OwnerAt::kPlans:
        s.pops = pops_after(s.pushed);
        at = s.pops > 0 ? OwnerAt::kLoops : OwnerAt::kPlansNone;
        return run.label("is to pop {}", s.pops);
      case OwnerAt::kPlansNone: at = OwnerAt::kLoops; return run.label("goes on");
      case OwnerAt::kLoops:
        at = s.pops > 0 ? OwnerAt::kPops : OwnerAt::kTop;
        return run.label(s.pops > 0 ? "pops" : "has popped enough");
      case OwnerAt::kPops: return read_bottom(s, OwnerAt::kLooks, run);
      case OwnerAt::kLooks:
        if (s.my_bottom == 0) {
          at = OwnerAt::kFindsNothing;
          return run.label("finds nothing");
        }
        --s.my_bottom;
        at = OwnerAt::kClaims;
        return run.label("goes for the item at {}", s.my_bottom);
      case OwnerAt::kFindsNothing: at = OwnerAt::kGotIt; return run.label("has nothing");
      case OwnerAt::kClaims: return set_bottom(s, s.my_bottom, OwnerAt::kRereadsTop, run);
      case OwnerAt::kRereadsTop:
        s.my_top = s.top;
        at = OwnerAt::kCompares;
        return run.label("reads top {}", s.top);
      case OwnerAt::kCompares:
        if (s.my_top > s.my_bottom) {
          s.my_bottom = 0;
          at = OwnerAt::kRestores;
          return run.label("sees that the item is gone");
        }
        at = s.my_top == s.my_bottom ? OwnerAt::kTakesLast : OwnerAt::kTakes;
        if (at == OwnerAt::kTakes) s.my_top = 0;
        return run.label(at == OwnerAt::kTakes ? "sees more than one item" : "sees one item");
      case OwnerAt::kRestores: return set_bottom(s, s.my_top, OwnerAt::kRestored, run);
      case OwnerAt::kRestored: at = OwnerAt::kGotIt; return run.label("has nothing");
      case OwnerAt::kTakes: return read_item(s, OwnerAt::kGotIt, run);
      case OwnerAt::kTakesLast: return read_item(s, OwnerAt::kSwaps, run);
      case OwnerAt::kSwaps: {
        const bool won = BUG || s.top == s.my_top;
        if (won) s.top = s.my_top + 1;
        at = won ? OwnerAt::kSwapped : OwnerAt::kFailed;
        return run.label(won ? "moves top to {}" : "cannot move top, which is {}", s.top);
      }
      case OwnerAt::kSwapped: at = OwnerAt::kWon; return run.label("has won the last item");
      case OwnerAt::kFailed:
        s.item = 0;
        at = OwnerAt::kResets;
        return run.label("has lost the last item");
      case OwnerAt::kWon: at = OwnerAt::kResets; return run.label("goes on");
      case OwnerAt::kResets: return set_bottom(s, s.my_top + 1, OwnerAt::kGotIt, run);
      case OwnerAt::kGotIt:
        at = s.item > 0 ? OwnerAt::kHandsOut : OwnerAt::kWentEmpty;
        return run.label(s.item > 0 ? "got item {}" : "got nothing", s.item);
      case OwnerAt::kHandsOut:
      case OwnerAt::kWentEmpty:
        if (at == OwnerAt::kHandsOut) take(s, s.item, run);
        else run.label("goes on");
        s.my_top = s.my_bottom = 0;
        --s.pops;
        at = OwnerAt::kLoops;
        return;
      default: return run.ended();
    }
  }

  void read_bottom(State& s, OwnerAt then, tarry::Run& run) {
    s.my_bottom = s.bottom;
    s.owner = then;
    run.label("reads bottom {}", s.bottom);
  }
  void set_bottom(State& s, std::uint32_t bottom, OwnerAt then, tarry::Run& run) {
    s.bottom = bottom;
    s.owner = then;
    run.label("sets bottom to {}", bottom);
  }
  void read_item(State& s, OwnerAt then, tarry::Run& run) {
    s.item = s.buffer[s.my_bottom];
    s.owner = then;
    run.label("takes item {} at {}", s.item, s.my_bottom);
  }

  void steal(State& s, Stealer& me, tarry::Run& run) {
    At& at = me.at;
    switch (at) {
      case At::kTop:
        at = me.tries < R ? At::kReadsTop : At::kDone;
        return run.label(at == At::kDone ? "has tried often enough" : "steals");
      case At::kReadsTop:
        me.top = s.top;
        at = At::kReadsBottom;
        return run.label("reads top {}", s.top);
      case At::kReadsBottom:
        me.bottom = s.bottom;
        at = At::kCompares;
        return run.label("reads bottom {}", s.bottom);
      case At::kCompares:
        at = me.top >= me.bottom ? At::kFindsNothing : At::kTakes;
        if (at == At::kFindsNothing) me.top = me.bottom = 0;
        return run.label(at == At::kFindsNothing ? "finds nothing" : "goes for the item at {}", me.top);
      case At::kTakes:
        me.item = s.buffer[me.top];
        at = At::kSwaps;
        return run.label("reads item {} at {}", me.item, me.top);
      case At::kSwaps: {
        const bool won = s.top == me.top;
        if (won) s.top = me.top + 1;
        at = won ? At::kWon : At::kLost;
        return run.label(won ? "moves top to {}" : "cannot move top, which is {}", s.top);
      }
      case At::kWon: at = At::kHandsOut; return run.label("has won item {}", me.item);
      case At::kLost: at = At::kGivesUp; return run.label("has lost item {}", me.item);
      case At::kHandsOut:
      case At::kGivesUp:
      case At::kFindsNothing:
        if (at == At::kHandsOut) take(s, me.item, run);
        else run.label("goes on");
        me.item = 0;
        me.top = me.bottom = 0;
        ++me.tries;
        at = At::kTop;
        return;
      default: return run.ended();
    }
  }

  void at_end(const State& s, tarry::Run& run) { expect_all_items(s, s.bottom - s.top, run); }

  std::string process_name(int p) { return name_of(p); }
};
TARRY_MODEL(ChaseLev)

#endif
