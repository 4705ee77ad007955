// The race detector: precise happens-before, called by the runtime at every access and synchronisation of the tested program.
//
// After every access is kept what may still race: FastTrack's epochs (a thread and a tick of its clock) and vector clocks. Where
// FastTrack keeps one write and one read epoch, or a vector of reads, a granule here has a short list of epochs (shadow.h), as
// each needs its place in the code for the report, and as atomic accesses do not race with each other and so need lists for
// writes too. An access is dropped from the list when a later one that is ordered after it conflicts with all that it conflicts
// with: who races with the first races with the second then. So an access is reported if and only if some earlier access
// conflicts with it and does not happen before it.
//
// Happens-before is that of C++20 [intro.races], [atomics.order], [atomics.fences]: release sequences are continued by
// read-modify-writes only; fences count; consume is acquire. A value that is read is taken to be the last one written (the
// program runs under SC).
//
// Paper: Flanagan, Freund. FastTrack: Efficient and Precise Dynamic Race Detection. PLDI 2009.
// For release sequences and fences: Lidbury, Donaldson. Dynamic Race Detection for C++11. POPL 2017.
//
// Invariants: all threads of the program run on one kernel thread, so nothing here is locked or atomic. Within an epoch no other
// thread runs: `run`, and whatever others may learn from, begins a new one. So an access that the same epoch made before is free.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "native/races/clock.h"
#include "native/races/memory.h"
#include "native/races/race_report.h"
#include "native/races/reported_pairs.h"
#include "native/races/shadow.h"
#include "native/races/sync.h"

namespace tarry::native {

class RaceDetector {
 public:
  static constexpr std::uint32_t kThreads = kMaxThreads;

  /// `time_limit` is for tests: after that many ticks, over all executions, everything is wiped once.
  RaceDetector(Memory& memory, RaceSink& sink, std::uint64_t time_limit = kMaxTime);

  /// Before each execution. Thread 0 runs, in step 0. What was reported is not reported again.
  void reset();
  /// What was reported may be reported again.
  void forget_reports() { pairs_.clear(); }
  /// Whether this execution raced or used what was free, reported or not.
  bool raced() const { return raced_; }

  /// From now on accesses, atomics and fences are those of `thread`, in step `step`. Call it at every switch and at every step.
  /// Requires: thread < kThreads; a number is not used for two threads of one execution.
  void run(std::uint32_t thread, std::uint32_t step);

  /// What the running thread does from now on is told apart from what it did: an access that it makes next is kept, with its own place in the code,
  /// though one that was just made has all its conflicts. For accesses that are scheduling points.
  void tell_apart() { begin_epoch(*current_, current_number_); }

  void thread_created(std::uint32_t parent, std::uint32_t child);
  void thread_joined(std::uint32_t joiner, std::uint32_t ended);

  /// Synchronisation objects are named by an address in them. An acquire is ordered after all releases so far.
  /// Mutex, semaphore, once, guard, condition: release and acquire at its address. Barrier: every thread releases when it comes
  /// and acquires when it goes. Read-write lock: a writer acquires address and address + 1 and releases address; a reader
  /// acquires address and releases address + 1, so that readers do not order each other. An atomic read of the address acquires,
  /// too: guards of local statics are checked by compiled code.
  void acquire(std::uint32_t thread, const void* object);
  void release(std::uint32_t thread, const void* object);
  void release_acquire(std::uint32_t thread, const void* object);
  /// The object has been destroyed, or is made anew at this address: nothing is ordered by what it was.
  void forget_object(const void* object);
  /// An operation of the object takes place, or (`makes`) it is initialized or destroyed. Its first bytes, at most eight, stand for the object: operations do
  /// not race with each other, but with whoever makes, destroys, overwrites or frees it. Before what the operation acquires and releases.
  void operates(const void* object, std::size_t size, bool makes, std::uintptr_t pc);

  /// Called when the operation takes place: nothing runs between it and the operation. 1 to 16 bytes.
  void atomic_load(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_store(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_rmw(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_failed_cas(const void* address, std::size_t size, std::memory_order failure, std::uintptr_t pc) {
    atomic_load(address, size, failure, pc);
  }
  void fence(std::memory_order order);

  /// Any size: those of up to eight bytes that are known when it is compiled are fastest.
  void read(const void* address, std::size_t size, std::uintptr_t pc) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if ((at & 7) + size <= 8) [[likely]] {
      const Stamp wanted = now_ | ((Stamp{1} << size) - 1) << (at & 7);
      const Granule* granule = shadow_.find(at);
      if (granule != nullptr && (granule->cells[0].covers_read(wanted) || granule->cells[1].covers_read(wanted))) [[likely]]
        return;
    }
    access(at, size, 0, pc);
  }
  void write(const void* address, std::size_t size, std::uintptr_t pc) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if ((at & 7) + size <= 8) [[likely]] {
      const Stamp wanted = now_ | kWrite | ((Stamp{1} << size) - 1) << (at & 7);
      const Granule* granule = shadow_.find(at);
      if (granule != nullptr && (granule->cells[0].covers_write(wanted) || granule->cells[1].covers_write(wanted))) [[likely]]
        return;
    }
    access(at, size, kWrite, pc);
  }
  /// Of copies and fills: of more than 1 GiB only the first is looked at.
  void read_range(const void* address, std::size_t size, std::uintptr_t pc) {
    access_many(reinterpret_cast<std::uintptr_t>(address), size, 0, pc, true);
  }
  void write_range(const void* address, std::size_t size, std::uintptr_t pc) {
    access_many(reinterpret_cast<std::uintptr_t>(address), size, kWrite, pc, true);
  }

  /// The bytes are new: earlier accesses, frees and synchronisation objects there are forgotten. For stacks of new threads too.
  void allocated(const void* address, std::size_t size);
  /// From now on, in this execution, accesses to some of these bytes may be wrong, by whomever and however ordered: `RaceSink::uses_gone` says.
  void gone(const void* address, std::size_t size);
  /// A write to all of it. Until they are allocated anew, accesses to these bytes are uses after free, by whomever.
  /// Of blocks over 256 KiB only the pages that were accessed before are marked.
  void freed(const void* address, std::size_t size, std::uintptr_t pc);

 private:
  struct Thread {
    std::uint32_t execution;  // the rest is valid if this is the current one
    std::uint32_t step;
    Clock clock;        // what happens before its next operation
    Clock fence;        // what happened before its last release fence
    Clock may_acquire;  // what relaxed reads have seen: an acquire fence makes it happen before
    bool fenced;        // `fence` is not empty
    bool has_seen;      // `may_acquire` is not empty
  };

  /// An access as far as it concerns one granule.
  struct Piece {
    std::uintptr_t granule;  // address of its first byte
    Stamp stamp;             // as its cell will have it
    std::uintptr_t address;  // of the whole access
    std::size_t size;
    Site place;              // as its cell will have it
  };
  /// What the cells of a granule mean to an access.
  struct Verdict {
    Stamp free = 0;        // bytes that are not the program's at present
    Cell* same = nullptr;  // of the same epoch and place: takes the bytes in
    bool covered = false;  // there is nothing to add
    bool raced = false;
  };

  Thread& thread(std::uint32_t number) {
    return number == current_number_ && current_ != nullptr ? *current_ : another_thread(number);
  }
  Thread& another_thread(std::uint32_t number);
  /// What `thread` does from now on is not known to those who have its clock.
  void begin_epoch(Thread& thread, std::uint32_t number);

  void access(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc);
  void access_many(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc, bool range);
  void access_granule(ShadowPage& page, const Piece& piece);
  bool replaces(Granule& granule, const Piece& piece);
  void check(Granule& granule, const Piece& piece);
  void judge(Cell& cell, const Piece& piece, Verdict& verdict);
  void insert(Granule& granule, const Cell& cell);
  void make_free(Granule& granule, const Piece& piece);
  void clear(Granule& granule, Stamp bytes);
  void clear_page(ShadowPage& page, std::uintptr_t begin, std::uintptr_t end);
  template <class Action>
  void for_each_cell(Granule& granule, Action action);

  void report_race(const Cell& cell, const Piece& piece);
  void report_use_after_free(const Cell& cell, const Piece& piece);
  Access access_of(const Cell& cell, const Piece& piece) const;
  Access access_of(const Piece& piece) const;

  bool may_be_gone(std::uintptr_t address) const { return address - gone_from_ < gone_size_; }
  bool uses_gone(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc);

  bool is_stale(const Cell& cell) const { return cell.time() < start_; }
  Tick tick_of(const Cell& cell) const { return static_cast<Tick>(cell.time() - start_); }

  void atomic_acquire(std::uintptr_t address, std::size_t size, std::memory_order order);
  void atomic_release(std::uintptr_t address, std::size_t size, std::memory_order order, bool keeps_sequence);

  // The fast path reads these.
  Stamp now_ = 0;  // thread and time of the epoch
  Shadow shadow_;

  RaceSink& sink_;
  const std::uint64_t time_limit_;
  ClockRoom clock_room_;
  SyncTable sync_;
  ReportedPairs pairs_;
  Shelf<Thread, 4> threads_;
  Shelf<std::uint32_t, 10> step_of_tick_;

  std::uint64_t start_ = 1;  // the time at which this execution started: tick 0
  Tick tick_ = 0;
  std::uint32_t execution_ = 0;
  std::uint32_t thread_count_ = 0;  // the most there ever were
  std::uint32_t current_number_ = 0;
  Thread* current_ = nullptr;
  bool raced_ = false;
  std::uintptr_t gone_from_ = 0, gone_size_ = 0;  // all that is gone, and what lies between
};

}  // namespace tarry::native
