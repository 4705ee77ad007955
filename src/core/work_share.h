// How worker processes share the tree of executions of a program that can only be run.
//
// Such a program has one worker a process (it occupies the process), so workers hand each other not states but the way to them: the
// choices of a prefix. A tree search gives away unexplored subtrees near the root of its stack when somebody is hungry, and takes
// one when it has nothing left. Work comes in rounds, one for each stratum of a bounded search: what a worker puts aside for the
// next stratum stays with it, and is shared in that round as everything else.
//
// One object a worker: it knows which worker it belongs to. explore/memory_share.h is for threads (tests), native/rt has one in
// shared memory.
//
// The tree was explored completely if every worker says so of its part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tarry {

/// A part of the tree that nobody has looked at. The words mean something to the search alone.
struct Subtree {
  std::vector<std::uint32_t> words;
  std::uint64_t cost = 0;
};

class WorkShare {
 public:
  virtual ~WorkShare() = default;

  /// Joins the others. Called before anything else, and again after `restart` and `restarted`.
  virtual void begin() = 0;
  /// Somebody waits for work that is not there. Asked once an execution: one relaxed load.
  virtual bool hungry() const = 0;
  virtual void give(std::span<const std::uint32_t> words, std::uint64_t cost) = 0;
  /// Waits for work. Nothing: all workers wait and there is none, or the workers start over, or the check is at its end.
  virtual std::optional<Subtree> take() = 0;
  /// Ends a round, after `take` gave nothing: waits for all. `left`: how much this worker has for the next one. The sum over all
  /// workers; 0 ends the search.
  virtual std::uint64_t next_round(std::uint64_t left) = 0;
  /// The tree has changed: what was given away is void and everybody starts over at the root.
  virtual void restart() = 0;
  /// Somebody said so since this worker's last `begin`. One relaxed load.
  virtual bool restarted() const = 0;
  /// This worker is done for good; the others no longer wait for it.
  virtual void leave() = 0;

  /// How the common search ended: for workers that do something else meanwhile. Every worker of it says the same.
  enum class Finished : std::uint32_t { kNo, kAll, kBound };
  virtual void finish(Finished /*how*/) {}
  virtual Finished finished() const { return Finished::kNo; }
  /// Fair scheduling: every so many yields count for all workers from now on. 0: nobody has said anything.
  virtual void set_fair(std::uint32_t /*every*/) {}
  virtual std::uint32_t fair() const { return 0; }
  /// All that take part in the search have explored what there is for fair schedules: for workers that do something else.
  virtual void prove_fair() {}
  virtual bool proved_fair() const { return false; }
};

/// A worker among others. The default is a worker that is alone.
struct Crew {
  std::uint32_t worker = 0;
  std::uint32_t workers = 1;
  WorkShare* share = nullptr;  // tree searches need one if there are several
};

}  // namespace tarry
