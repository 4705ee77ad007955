// Shares the tree of executions between worker processes, for a program that can only be run.
//
// Such a program has one worker per process (it occupies the process). So workers exchange prefixes of choices instead of states.
// A tree search hands out unexplored subtrees near the root of its stack when another worker is idle, and takes one when it has
// nothing left. Work comes in rounds, one per stratum of a bounded search. What a worker sets aside for the next stratum stays
// with that worker, and is shared in that round like all other work.
//
// There is one object per worker; it knows its worker. explore/memory_share.h is for threads (tests); native/rt has an
// implementation in shared memory.
//
// The tree was explored completely if every worker reports this for its part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/post.h"

namespace tarry {

/// An unexplored part of the tree. Only the search can interpret the words.
struct Subtree {
  std::vector<std::uint32_t> words;
  std::uint64_t cost = 0;
};

class WorkShare {
 public:
  virtual ~WorkShare() = default;

  /// Joins the other workers. Called first, and again after `restart` and `restarted`.
  virtual void begin() = 0;
  /// Returns whether a worker waits for work. Called once per execution: one relaxed load.
  virtual bool hungry() const = 0;
  virtual void give(std::span<const std::uint32_t> words, std::uint64_t cost) = 0;
  /// Waits for work. Returns nothing if all workers wait and there is none, if the workers start over, or if the check ends.
  virtual std::optional<Subtree> take() = 0;
  /// Ends a round, after `take` returned nothing, and waits for all workers. `left` is the work that this worker has for the next
  /// round. Returns the sum over all workers; 0 ends the search.
  virtual std::uint64_t next_round(std::uint64_t left) = 0;
  /// Announces that the tree has changed: subtrees that were handed out are void, and all workers start over at the root.
  virtual void restart() = 0;
  /// Returns whether a worker called `restart` since this worker's last `begin`. One relaxed load.
  virtual bool restarted() const = 0;
  /// Declares that this worker is done; the others no longer wait for it.
  virtual void leave() = 0;

  /// How the shared search ended, for workers that do something else meanwhile. Every worker of the search reports the same.
  enum class Finished : std::uint32_t { kNo, kAll, kBound };
  virtual void finish(Finished /*how*/) {}
  virtual Finished finished() const { return Finished::kNo; }
  /// Fair scheduling: from now on every `every`-th yield counts for all workers. 0: not set.
  virtual void set_fair(std::uint32_t /*every*/) {}
  virtual std::uint32_t fair() const { return 0; }
  /// Announces that the search has explored everything for fair schedules, for workers that do something else.
  virtual void prove_fair() {}
  virtual bool proved_fair() const { return false; }

  /// How far the worker is that looks for a proof by itself, by partial-order reduction. It begins with a short look.
  enum class Reduction : std::uint32_t { kLooks, kUndecided, kProved };
  virtual void set_reduction(Reduction /*how*/) {}
  virtual Reduction reduction() const { return Reduction::kUndecided; }
};

/// One worker among others. By default the worker is alone.
struct Crew {
  std::uint32_t worker = 0;
  std::uint32_t workers = 1;
  WorkShare* share = nullptr;  // tree searches need one if there are several workers
  Post* post = nullptr;        // partial-order reduction by several workers needs one; without it each worker is alone
};

}  // namespace tarry
