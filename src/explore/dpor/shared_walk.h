// A walk (trace_walk.h) by several workers: together they run the executions that one worker would run.
//
// A worker that goes on with one part of the tree gives work to an idle worker like this. Let i be the first node of its stack that has more to be explored
// than what the current execution does there, and e the step that this execution takes at i. The worker gives everything behind e away: the nodes behind i,
// with their sleep sets and what is planned there. It goes on at node i as if e were explored: e sleeps from now on. So a part that was given away shares no
// node with that of its giver.
//
// An execution of the given part may have races that are to be turned round at node i or in front of it. The worker that runs it does not own these nodes. It
// sends such a race to its giver, with the steps of the execution, and the giver plans what it would have planned had it run the execution itself. If the node
// is not its own, either, it sends the race on. Node i is not left before the given part is explored. A worker whose part waits for others looks for work
// meanwhile, and may hold several such parts.
//
// Why no trace is missed, and none is run twice: the proof for one worker needs an order of the branches of a node, in which each branch is explored with all
// earlier ones asleep. Here it is the order in which they are begun, not in which they end. A race that arrives late finds branches asleep that were begun
// after the branch that it comes from. Such a branch covers the traces that it can begin: it leaves out only those that an earlier branch begins, which
// are explored there. A branch that the giver is exploring now counts as asleep for the same reason.
//
// A worker has copies of the sleep sets of the nodes in front of its part, and what it sent is planned at these copies. A race that these cover is not sent:
// whatever slept or was planned at a node still covers it later.
//
// This is for Method::kSource only. With kOptimal, tests/explore/dpor_together_test.cc missed traces of random programs. The reason, as far as we understand
// it: of two branches that commute, b begun after a, Optimal-DPOR plans the sequences from a that reverse a race with a below b, because in b the step a sleeps
// and is taken to cover all sequences that it commutes with. If b is explored while a is, such a sequence comes too late: b has relied on a, and a on b.
// With source sets a sleeping step covers only sequences that it begins, so no branch relies on what another one finds out later.
//
// All workers begin anew when a race becomes a choice point. A program whose steps touch other objects in another process (addresses that differ) is explored
// by the first worker alone.
//
// A part that is lost with its worker is never reported as explored, so the first worker never comes to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/post.h"
#include "explore/dpor/letter.h"
#include "explore/dpor/trace_walk.h"

namespace tarry {

class SharedWalk {
  friend class TraceWalk;

 public:
  SharedWalk(Session& session, TraceWalk& walk) : session_(session), walk_(walk), post_(*session.crew.post) { walk_.shared_ = this; }

  /// Runs until the tree is explored or the session wants no more, and fills in the outcome.
  void run();

 private:
  using Part = TraceWalk::Part;
  using Node = TraceWalk::Node;
  using Reversal = TraceWalk::Reversal;

  // The state that workers share: the number of the round, and what is known of it.
  static constexpr std::uint64_t kExplored = 1, kHopeless = 2, kAlone = 4, kRound = 8;
  enum Kind : std::uint32_t { kGiven, kReversals, kExploredPart };

  void begin_round(std::uint64_t state);
  void begin_anew(std::uint64_t how);
  void go_on();
  bool choose_part();
  void end_part();
  void after_execution();

  void begin_letter(Kind kind, std::uint32_t number);
  void read_letters();
  void read(std::span<const std::uint32_t> words);
  void read_part(LetterReader& letter, std::uint32_t number_of_giver);
  void read_reversals(LetterReader& letter);
  void put_steps(const PartialOrder& trace);
  void send_reversals(const PartialOrder& trace, std::span<const Reversal> reversals);
  std::uint32_t place_to_split() const;
  void give();
  void put_node(const Node& node, bool whole);
  void cut_off(std::uint32_t at);

  Session& session_;
  TraceWalk& walk_;
  Post& post_;
  std::uint64_t state_ = 0;
  bool runs_ = false;           // the part of the walk has something to run
  std::vector<Part> waiting_;   // other parts: they wait for other workers, or for this one
  std::uint32_t parts_ = 0;     // that there were
  std::uint64_t executions_ = 0;
  LetterWriter letter_;
  PartialOrder theirs_;         // an execution of another worker
};

}  // namespace tarry
