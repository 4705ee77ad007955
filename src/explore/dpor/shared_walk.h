// A walk (trace_walk.h) by several workers: together they run the executions that one worker would run.
//
// A worker that goes on with one part of the tree gives work to an idle worker like this. Let i be the first node of its stack that has more to be explored
// than what the current execution does there, and e the step that this execution takes at i. The worker gives everything behind e away: the nodes behind i,
// with their sleep sets and what is planned there. It goes on at node i as if e were explored: e sleeps from now on. So a part that was given away shares no
// node with that of its giver.
//
// An execution of the given part may have races to reverse at node i or before it. The worker that runs it does not own these nodes. It
// sends such a race to its giver, with the steps of the execution, and the giver plans what it would have planned had it run the execution itself. If the node
// is not its own, either, it sends the race on. With Method::kOptimal it sends the sequence that reverses the race instead. Node i is not left before the given
// part is explored. A worker whose part waits for others looks for work meanwhile, and may hold several such parts.
//
// A worker has copies of the nodes in front of its part. They hold what slept or was planned there when the part was given, and what the worker has sent. They
// keep it from sending what need not be sent.
//
// Why no trace is missed, and none is run twice, with Method::kSource: the proof for one worker needs an order of the branches of a node, in which each branch is
// explored with all earlier ones asleep. Here it is the order in which they are begun, not in which they end. A race that arrives late finds branches asleep
// that were begun after the branch that it comes from. Such a branch covers the traces that it can begin: it leaves out only those that an earlier branch
// begins, which are explored there. A branch that the giver is exploring now counts as asleep for the same reason. A sequence in a copy covers others: if the
// giver did not plan it, a branch that was begun later than the part covered it, and what the copy covers is found from that branch.
//
// Why, with Method::kOptimal. One worker may take a sequence v at a node N for covered by a sleeping step f that v only commutes with. It relies on the races of
// f: if v goes on with a step that wakes f, then the reversal of this race was planned in front of N, before the branch that leads to N began. This fails if f
// is explored by another worker meanwhile, because then each branch may rely on the other. (That was tried, and about one random program in 100 lost a trace.)
// So steps that sleep at a node are of two kinds. An open one covers only sequences that contain it and that it can begin, as with source sets. The others cover
// sequences that they commute with, too. A node is late from the moment when it gives a part away, or when a sequence of another worker is planned there. All
// that sleeps at a late node is open in the branches that begin from then on, and in all nodes behind them (Node::open: the first entries of Node::sleep).
//
//   Claim: let w be a sequence from a node N that no open step can begin (as a part of w), and that no other sleeping step could begin or commutes with. Then an
//   execution that is run behind N contains w and what comes before it, in this order up to independent steps. It may be one in vain.
//
//   Proof, by induction on when nodes are left. If a branch of N could begin w or commutes with w, take the first such branch: its node fulfils the claim for
//   the rest of w. Otherwise each branch q of N commutes with a longest beginning w_q of w and depends on the next step e, and so does each sleeping step of N
//   that is not open. Take q with the longest w_q, the first one if there are several.
//   (1) q is a branch of N. The node behind q fulfils the claim for w_q e: an open step that could begin w_q e could begin w, and one that is not open and
//       commutes with w_q e would be longer than q. So an execution behind q contains w_q e. It has a race of q and e. Its reversal u begins with w_q e, up to
//       steps that are not part of w. If a branch of N, or a sleeping step that is not open, could begin u or commutes with u, so it does with w_q e, and is
//       longer than q. An open step of N cannot begin u, because it slept in the execution. So u was planned at N, and the branch for it is longer than q, a
//       contradiction. This does not depend on when u arrives. Therefore the steps taken from N itself, those given away included, cover at N whatever they
//       commute with; only behind the branches of N they do not.
//   (2) q slept at N, not open. It was taken at a node A in front of N, A was not late when its branch b that leads to N began, and q was explored by then. So up
//       to that time everything at A went as with one worker: the reversal u of q and e was planned at A before b began, and since no step on the way to N is
//       a late node's branch, the wake-up tree handed down to N holds the rest of u, or a branch for u came earlier, and sleeps at N. Both are longer than q.
//   The root has no sleeping steps, so every trace is run. Two executions that came to an end differ, because what sleeps, open or not, is not taken before a
//   dependent step. But an open step may sleep to the end: then an execution is in vain, as with source sets.
//
// Sequences are sent as far as they are needed (wakeup_tree.h), not as whole executions. At the giver only steps that are part of such a sequence cover it, and
// so does a sequence that was sent earlier: if all its steps are in a later one and can come first there, what covers the one can begin the other. For steps
// that only commute with what was sent this is not so. A branch that only commutes with it may sleep while it is explored, and nothing in it wakes that branch:
// so it is weak (wakeup_tree.h), and the node is late.
//
// Each worker decides for itself whether it goes on by first steps only (TraceWalk::by_source): then every sleeping step counts as open, which is always sound. Nodes
// that it gives away are late, and what sleeps there is open. What it sends to its giver are whole sequences nevertheless, since the giver relies on them.
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
  using Sequence = TraceWalk::Sequence;

  // The state that workers share: the number of the round, and what is known of it.
  static constexpr std::uint64_t kExplored = 1, kHopeless = 2, kAlone = 4, kRound = 8;
  enum Kind : std::uint32_t { kGiven, kReversals, kSequences, kExploredPart };

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
  void read_sequences(LetterReader& letter);
  void send_sequences(std::span<const Sequence> sequences);
  std::uint32_t place_to_split() const;
  void give();
  void put_node(const Node& node, std::uint32_t number, std::uint32_t at);
  void read_node(LetterReader& letter, Node& node);
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
