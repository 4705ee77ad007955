// Liveness of C++ models: the properties that they can name, and the cases that catch wrong algorithms.
#include <gtest/gtest.h>

#include <tarry/model.h>

#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

template <class Model>
std::unique_ptr<Program> program_of() {
  static constexpr abi::Model kTable = detail::Adapter<Model>::table("model", __FILE__);
  return make_model_program(kTable);
}

template <class Model>
Searched check(LoopFairness fairness = LoopFairness::kWeak, LoopChoices choices = LoopChoices::kFair) {
  SearchOptions options;
  options.fairness = fairness;
  options.choices = choices;
  return run_search(*program_of<Model>(), "fair-cycle", "round-robin", options);
}

/// A client that asks and a server that grants, for ever.
struct RequestAndGrant {
  struct State {
    bool asked, granted;
    TARRY_FIELDS(asked, granted)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) {
      if (s.asked) return run.idle();
      s.asked = true, s.granted = false;
      return run.label("asks");
    }
    if (!s.asked) return run.idle();
    s.asked = false, s.granted = true;
    run.label("grants");
  }
  void liveness(const State& s, Liveness& live) {
    live.leads_to("requests are granted", s.asked, s.granted);
    live.infinitely_often("granted", s.granted);
    live.eventually("some request", s.asked);
  }
};

TEST(LivenessOfModels, APerpetualRequestGrantLoopIsNoBug) {
  const Searched searched = check<RequestAndGrant>();
  EXPECT_TRUE(searched.findings.empty());
  EXPECT_TRUE(searched.outcome.live);
  const auto properties = program_of<RequestAndGrant>()->properties();
  ASSERT_GE(properties.size(), 3u);
  EXPECT_EQ(properties[properties.size() - 3].name, "'requests are granted'");
}

/// The same with a server that may do something else for ever, and a third process that does nothing of interest.
struct Distracted : RequestAndGrant {
  static constexpr int processes = 3;
  void step(State& s, int p, Run& run) {
    if (p == 2) return run.label("does something else");
    RequestAndGrant::step(s, p, run);
  }
};

TEST(LivenessOfModels, AnUnfairCycleIsNoBugUnderWeakFairness) {
  EXPECT_TRUE(check<Distracted>().outcome.live);
  const Searched unfair = check<Distracted>(LoopFairness::kNone);
  ASSERT_EQ(unfair.findings.size(), 1u);
  EXPECT_EQ(unfair.findings[0].kind, FindingKind("liveness"));
  EXPECT_EQ(unfair.findings[0].steps - unfair.findings[0].loop + 1, 1u);  // the shortest loop: something else, again and again
}

/// One component with an unfair hot cycle and a fair one: the server may refuse.
struct Refusing {
  struct State {
    bool asked, refused;
    Upto<1> turn;
    TARRY_FIELDS(asked, refused, turn)
  };
  static constexpr int processes = 2;
  State initial() { return {true, false, 0}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) return s.turn = 1 - s.turn, run.label("spins");
    s.refused = !s.refused;
    run.label("refuses");
  }
  void liveness(const State& s, Liveness& live) { live.eventually("granted", !s.asked); }
};

TEST(LivenessOfModels, AFairCycleBesideAnUnfairOneIsFound) {
  const Searched searched = check<Refusing>();
  ASSERT_EQ(searched.findings.size(), 1u);
  const Finding& finding = searched.findings[0];
  EXPECT_EQ(finding.message, "'granted' never becomes true in an execution that goes on for ever");
  std::set<std::uint32_t> who;
  for (const Choice& choice : finding.schedule) who.insert(choice.number);
  EXPECT_EQ(who.size(), 2u);  // both run in the loop
  EXPECT_EQ(finding.why.front(), "the loop is weakly fair: in it process 0, process 1 run; no other process can run in it");
}

/// Process 1 can go on only while the light is green, and process 0 switches it again and again.
struct NowAndThen {
  struct State {
    bool green, through;
    TARRY_FIELDS(green, through)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) return s.green = !s.green, run.label("switches");
    if (s.through || !s.green) return run.idle();
    s.through = true;
  }
  void liveness(const State& s, Liveness& live) { live.eventually("through", s.through); }
};

TEST(LivenessOfModels, WhoCanRunOnlyNowAndThenNeedsStrongFairness) {
  EXPECT_EQ(check<NowAndThen>(LoopFairness::kWeak).findings.size(), 1u);
  EXPECT_TRUE(check<NowAndThen>(LoopFairness::kStrong).outcome.live);
}

/// Sends a message again until it is acknowledged. One place of choice loses messages and acknowledgements.
struct Retransmission {
  struct State {
    Upto<2> wire;  // 1: a message, 2: an acknowledgement
    bool received, acknowledged;
    TARRY_FIELDS(wire, received, acknowledged)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) {  // sender
      if (s.acknowledged || s.wire != 0) return run.idle();
      s.wire = 1;
      return run.label("sends");
    }
    if (p == 1) {  // the wire delivers or loses what is on it
      if (s.wire == 0) return run.idle();
      const bool lost = run.flip();
      if (!lost && s.wire == 1) s.received = true;
      if (!lost && s.wire == 2) s.acknowledged = true;
      s.wire = 0;
      return run.label(lost ? "loses it" : "delivers");
    }
    if (!s.received || s.acknowledged || s.wire != 0) return run.idle();
    s.wire = 2;
    run.label("acknowledges");
  }
  void liveness(const State& s, Liveness& live) { live.eventually("acknowledged", s.acknowledged); }
};

TEST(LivenessOfModels, RetransmissionNeedsFairChoicesAndSaysSo) {
  const Searched fair = check<Retransmission>(LoopFairness::kStrong);
  EXPECT_TRUE(fair.outcome.live);
  ASSERT_EQ(fair.outcome.notes.size(), 1u);
  EXPECT_EQ(fair.outcome.notes[0], "'acknowledged' holds because data choices are fair: the choice of process 1 at 'loses it' could go against it for ever; --choices demonic shows how");
  const Searched demonic = check<Retransmission>(LoopFairness::kStrong, LoopChoices::kDemonic);
  ASSERT_EQ(demonic.findings.size(), 1u);
  EXPECT_EQ(demonic.findings[0].why.back(), "its data choices go against the program for ever (--choices demonic)");
}

/// Two obligations that are open in turn.
struct InTurn {
  struct State {
    bool left;
    TARRY_FIELDS(left)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, Run& run) { s.left = !s.left, run.label("swaps"); }
  void liveness(const State& s, Liveness& live) {
    live.infinitely_often("left", s.left);
    live.infinitely_often("right", !s.left);
  }
};

TEST(LivenessOfModels, PropertiesThatAreHotInTurnAreNoBug) { EXPECT_TRUE(check<InTurn>().outcome.live); }

/// Ends, with the obligation open if `Meets` is false.
template <bool Meets>
struct Ending {
  struct State {
    Upto<3> at;
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, Run& run) {
    if (s.at == 3) return run.ended();
    ++s.at;
  }
  void liveness(const State& s, Liveness& live) {
    live.leads_to("one leads to the end", s.at == 1, s.at == (Meets ? 3 : 0));
    live.eventually("two", s.at == 2);
    live.infinitely_often("at the end", s.at == 3);
  }
};

TEST(LivenessOfModels, AnExecutionThatEndsMustNotOweAnything) {
  EXPECT_TRUE(check<Ending<true>>().outcome.live);
  const Searched owes = check<Ending<false>>();
  ASSERT_EQ(owes.findings.size(), 1u);
  EXPECT_EQ(owes.findings[0].kind, FindingKind("liveness"));
  EXPECT_EQ(owes.findings[0].message, "'one leads to the end' is owed and never met, and the execution ends");
  EXPECT_EQ(owes.findings[0].loop, 0u);
  EXPECT_EQ(owes.findings[0].steps, 3u);
}

/// What must be remembered is part of the state: `eventually` once, in a state that comes again.
struct Remembers {
  struct State {
    Upto<2> at;
    bool done;
    TARRY_FIELDS(at, done)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, Run& run) {
    s.at = (s.at + 1) % 3;
    run.label("goes round");
  }
  void liveness(const State& s, Liveness& live) { live.eventually("one", s.at == 1); }
};
TEST(LivenessOfModels, WhatHappenedOnceIsRemembered) {
  const Searched searched = check<Remembers>();
  EXPECT_TRUE(searched.outcome.live);
  EXPECT_EQ(searched.totals.states, 4u);  // at 0 before and after
}

struct Unsteady : Remembers {
  void liveness(const State& s, Liveness& live) {
    if (s.at == 2) live.infinitely_often("two", true);
    live.eventually("one", s.at == 1);
  }
};
/// Of one kind, but not of one name.
struct Renaming : Remembers {
  void liveness(const State& s, Liveness& live) { live.eventually(s.at == 2 ? "comes to one or two" : "comes to one or one", true); }
};
/// None at first: whoever asks the first state which there are hears of none.
struct Late : Remembers {
  void liveness(const State& s, Liveness& live) {
    if (s.at == 2) live.eventually("two", true);
  }
};
TEST(LivenessOfModels, PropertiesAreTheSameInEveryState) {
  for (const Searched& searched : {check<Unsteady>(), check<Renaming>(), check<Late>()}) {
    ASSERT_EQ(searched.findings.size(), 1u);
    EXPECT_EQ(searched.findings[0].kind, FindingKind("misuse"));
    EXPECT_EQ(searched.findings[0].message, "'liveness' must name the same properties in the same order in every state");
  }
}

/// A sealed process goes round for ever: the other one could run, so it is starved, and the loop is not fair.
struct Sealed {
  struct State {
    bool done;
    Upto<1> turn;
    TARRY_FIELDS(done, turn)
  };
  static constexpr int processes = 2;
  static constexpr bool uses_seals = true;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) {
      if (s.turn == 0) run.seal();
      s.turn = 1;
      return run.label("spins in a seal");
    }
    if (s.done) return run.ended();
    s.done = true;
  }
  void liveness(const State& s, Liveness& live) { live.eventually("done", s.done); }
};
TEST(LivenessOfModels, ASealHidesNobody) {
  EXPECT_TRUE(check<Sealed>().findings.empty());
  EXPECT_EQ(check<Sealed>(LoopFairness::kNone).findings.size(), 1u);
}

TEST(LivenessOfModels, parallel_ThePortfolioDecidesItAndOtherSearchesDoNot) {
  const auto good = program_of<RequestAndGrant>(), bad = program_of<Refusing>();
  SearchOptions options;
  options.jobs = 2;
  EXPECT_TRUE(run_search(*good, "portfolio", "round-robin", options).outcome.live);
  EXPECT_EQ(run_search(*bad, "portfolio", "round-robin", options).findings.size(), 1u);
  const Searched bfs = run_search(*bad, "bfs");
  EXPECT_TRUE(bfs.outcome.complete && bfs.findings.empty());
  EXPECT_FALSE(bfs.outcome.live);
  options.store = StoreKind::kBitstate;
  EXPECT_FALSE(run_search(*good, "portfolio", "round-robin", options).outcome.live);
}

}  // namespace
}  // namespace tarry::test
