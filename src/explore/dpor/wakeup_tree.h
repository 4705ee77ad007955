// Wake-up trees: what to explore from a node, as sequences of events that share beginnings.
//
// A sequence leads to an execution that no sleep set blocks. `insert` adds one unless an execution that the tree leads to already covers it.
//
// The paper inserts all steps that do not come after the early step of a race, and then the late one. These differ between executions that differ in steps
// that have nothing to do with the race, so trees of the paper grow with the number of traces. Here a sequence holds only what is needed: the late step, the
// steps that come before it, and for each step that sleeps, or that is explored before the sequence, one step that wakes it, with every step before
// the waking one. What is left out can follow in any order that the walk finds, so nothing is lost; every sleeping step is woken, so no execution is in vain; and
// most sequences are covered by one that is in the tree already.
//
// A step that is needed is needed with the values that it chose: what it does next depends on them. Other values have sequences of their own, from executions
// that chose them. Only the last step of a sequence has open values: it is explored with all of them.
//
// A step whose process may have to wait (Event::certain) does not cover sequences that it commutes with. If it can be taken after all, it sleeps while they are
// explored, and nothing in them wakes it; the walk would then take other sequences for covered by the sleeping step. So such a sequence is weak: it covers no
// other sequence, but is continued by it.
//
// Even so, the steps that come before a late step may have exponentially many orders (Last Zero: a chain of writers, each of which reads what the one before
// it wrote), and a sequence for each keeps executions from being begun in vain. So a step of a tree is small. Above a number of steps (--plans) the walk uses
// source sets (trace_walk.h).
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014: wakeup trees. Shorter sequences: ours, after the parsimonious
// reversal of races in Abdulla, Atig, Das, Jonsson, Sagonas. Parsimonious Optimal Dynamic Partial Order Reduction. CAV 2024.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explore/dpor/event.h"
#include "explore/dpor/letter.h"
#include "explore/dpor/partial_order.h"

namespace tarry {

/// Where in `sequence` the event is, or could be, so that it comes first: the index of the first event of its process, which none before it depends on;
/// the size of the sequence if its process has no event there and it commutes with all of them; nothing if it cannot come first.
std::optional<std::size_t> can_come_first(const Event& event, const std::vector<const Event*>& sequence);

/// Steps that could be taken in the place of a step, and at last another one.
class WakeupSequence {
 public:
  /// The steps of the trace that do not come after `early`, and then `late`, whose process has taken its last step ahead of it before `before`.
  /// Requires: trace.analyse() was called.
  void begin(const PartialOrder& trace, std::uint32_t early, std::uint32_t before, const Event& late);
  /// A sequence that another worker sent: all of it is needed.
  void begin(std::span<const Event* const> sequence);

  /// Whether a sleeping step covers such a sequence: it could come first. Tells that without the sequence, where that is quickly known. `commutes`: it covers
  /// the sequence also if its process has no step there, and it commutes with all of them. If so, the race relies on what `relies_on` says.
  bool is_covered(const PartialOrder& trace, std::uint32_t early, const Event& late, const Event& sleeping, bool commutes);

  std::size_t size() const { return events_.size() - first_; }
  const Event& operator[](std::size_t i) const { return *at(i).event; }
  /// As `can_come_first`. If the event cannot come first, a step that keeps it from that is needed from now on.
  std::optional<std::size_t> place_of(const Event& event);
  /// The event was followed: it is no longer part of the sequence. The choices of its step come first from now on, because nothing can come between.
  void follow(const Event& event, std::size_t place);
  /// Does it begin with a choice of the process, whose step was followed last?
  bool chooses(std::uint32_t process) const { return size() > 0 && at(0).choice != 0 && at(0).process == process; }
  bool needs_first() const { return is_needed(at(0)); }
  /// What the process does in it does not matter any more. Requires: nothing of that is needed.
  void leave_out(std::uint32_t process);
  /// A sleeping event can come first.
  void settle_by(std::size_t place);
  bool is_done() const;
  void unsettle() { relies_on_ = Race::kUnsettled; }
  /// Calls f(event) for what is needed, in order.
  template <class Function>
  void for_needed(Function&& f) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (is_needed(at(i))) f(*at(i).event);
  }
  /// What was found stays true as long as the execution has this step. Race::kUnsettled: not even that long.
  std::uint32_t relies_on() const { return relies_on_; }

 private:
  static constexpr std::uint32_t kLate = ~std::uint32_t{0};  // as a step

  /// What is asked of an event again and again lies here side by side.
  struct Item {
    Item(const Event& from, std::uint32_t number) : reads(from.reads), writes(from.writes), event(&from), step(number), process(from.process), choice(from.choice), global(from.global) {}

    std::uint64_t reads, writes;
    const Event* event;
    std::uint32_t step, process, choice;
    bool global;
  };

  static bool depends(const Item& item, const Event& event) {
    if (item.global || event.global) return true;
    return ((item.writes & (event.reads | event.writes)) | (item.reads & event.writes)) != 0 && depend(item.event->touches, event.touches);
  }
  std::optional<std::size_t> comes_after(std::size_t place, const Event& event) const;
  const Item& at(std::size_t i) const { return events_[first_ + i]; }
  bool is_needed(const Item& item) const { return item.step == kLate || needed_[item.process] > item.step; }
  void need(std::size_t i, const Event& event);
  void need_step(std::size_t i);
  void need_choices();

  const PartialOrder* trace_ = nullptr;
  std::vector<Item> events_;
  std::size_t first_ = 0;     // those before it were followed
  bool has_choices_ = false;  // or steps behind the early one have
  const Event* late_ = nullptr;
  Clock needed_;
  std::uint32_t relies_on_ = 0;
};

/// Wake-up trees of all nodes, in one block of memory: 12 bytes for each step that is planned.
class WakeupTrees {
 public:
  /// The branches of a tree, in the order in which they are explored: the first of them. 0: there is none.
  using Tree = std::uint32_t;

  explicit WakeupTrees(const EventTable& events) : events_(events) {}

  const Event& first(Tree tree) const { return events_[plans_[tree].event]; }
  /// Calls f(event) for the first step of every branch until it returns true. Returns whether it did.
  template <class Function>
  bool any(Tree tree, Function&& f) const {
    for (; tree != 0; tree = plans_[tree].next)
      if (f(events_[plans_[tree].event])) return true;
    return false;
  }
  /// What covers a sequence: a branch that it commutes with, too; or only branches that are part of it. The latter is needed where only a part of the
  /// sequence is known, and for sequences that were sent to another worker (shared_walk.h).
  enum class Cover { kCommuting, kContained, kSent };
  /// Adds a sequence, unless it is covered. Returns whether it was added.
  bool insert(Tree& tree, WakeupSequence& sequence, Cover cover = Cover::kCommuting);
  /// The sequence that was inserted last, with Cover::kSent.
  const std::vector<const Event*>& inserted() const { return inserted_; }
  /// Adds a sequence of one step.
  void append(Tree& tree, const Event& event);
  /// What follows a step, and whether the step must be explored with all values that it chooses, not only with the values that follow.
  struct Taken {
    Tree below = 0;
    bool all_values = true;
  };
  /// Takes the first step away.
  Taken take_first(Tree& tree);
  /// Splits branches that begin with a choice of this process from the others. Returns the others.
  Tree split_choices(Tree& tree, std::uint32_t process);
  Tree copy(Tree tree);
  /// The branches of `others` come after those of `tree`.
  void join(Tree& tree, Tree others);
  void drop(Tree& tree);
  void put(Tree tree, LetterWriter& letter) const;
  Tree read(LetterReader& letter);
  void clear();
  /// Steps in all trees.
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return plans_.capacity() * sizeof(Plan); }

 private:
  struct Plan {
    std::uint32_t event : 30;   // its number
    std::uint32_t whole : 1;    // it was the last step of a sequence: it must be explored with all values
    std::uint32_t weak : 1;     // the last step of a sequence that a step before it may turn out to cover (an event that is not certain)
    std::uint32_t below, next;  // the first step that follows it; the next branch
  };
  struct Copied {
    Tree from, to;
  };

  Tree make(const Event& event);
  void free(Tree plan);

  const EventTable& events_;
  std::vector<Plan> plans_ = {{}};  // the first is none
  Tree free_ = 0;                   // linked by `next`
  std::size_t size_ = 0;
  std::vector<Tree> dropped_;
  std::vector<Copied> copied_;
  std::vector<const Event*> inserted_;
};

}  // namespace tarry
