// The race detector: precise happens-before. The runtime calls it at every access and synchronisation of the tested program.
//
// The detector stores all accesses that may still race, with FastTrack's epochs (a thread and a tick of its clock) and vector
// clocks. FastTrack stores one write epoch and one read epoch, or a vector of reads. Here a granule has a short list of epochs
// (shadow.h), for two reasons: each epoch needs its place in the code for the report, and atomic accesses do not race with each
// other, so writes need lists too. An access is dropped from the list when a later access is ordered after it and conflicts with
// everything that it conflicts with: an access that races with the first then also races with the second. So an access is
// reported if and only if some earlier access conflicts with it and does not happen before it.
//
// Happens-before is that of C++20 [intro.races], [atomics.order], [atomics.fences]: only read-modify-writes continue release
// sequences; fences count; consume is acquire. A read is assumed to return the last value written (the program runs under SC).
//
// Paper: Flanagan, Freund. FastTrack: Efficient and Precise Dynamic Race Detection. PLDI 2009.
// For release sequences and fences: Lidbury, Donaldson. Dynamic Race Detection for C++11. POPL 2017.
//
// Invariants: all threads of the program run on one kernel thread, so nothing here is locked or atomic. Within an epoch no other
// thread runs: `run`, and every operation that other threads may learn from, begins a new epoch. So an access that the same epoch
// made before costs nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "native/races/vector_clock.h"
#include "native/races/memory.h"
#include "native/races/race_report.h"
#include "native/races/reported_pairs.h"
#include "native/races/shadow.h"
#include "native/races/sync_table.h"

namespace tarry::native {

class RaceDetector {
 public:
  static constexpr std::uint32_t kThreads = kMaxThreads;

  /// `time_limit` is for tests: after that many ticks, over all executions, everything is wiped once.
  RaceDetector(Memory& memory, RaceSink& sink, std::uint64_t time_limit = kMaxTime);

  /// Call it before each execution. Thread 0 runs, in step 0. Reported races are not reported again.
  void reset();
  /// Allows reported races to be reported again.
  void forget_reports() { pairs_.clear(); }
  /// Returns whether this execution raced or used freed memory, reported or not.
  bool raced() const { return raced_; }

  /// Says that from now on accesses, atomics and fences belong to `thread`, in step `step`. Call it at every switch and at every
  /// step. Requires: thread < kThreads; a number is not used for two threads of one execution.
  void run(std::uint32_t thread, std::uint32_t step);

  /// Separates later accesses of the running thread from earlier ones: the next access is stored with its own place in the code,
  /// even if an access just made has all its conflicts. For accesses that are scheduling points.
  void tell_apart() { begin_epoch(*current_, current_number_); }

  void thread_created(std::uint32_t parent, std::uint32_t child);
  void thread_joined(std::uint32_t joiner, std::uint32_t ended);

  /// Synchronisation objects are named by an address in them. An acquire is ordered after all earlier releases. Mutex, semaphore,
  /// once, guard, condition: release and acquire at its address. Barrier: every thread releases when it arrives and acquires when
  /// it leaves. Read-write lock: a writer acquires address and address + 1 and releases address; a reader acquires address and
  /// releases address + 1, so readers do not order each other. An atomic read of the address also acquires: compiled code checks
  /// the guards of local statics.
  void acquire(std::uint32_t thread, const void* object);
  void release(std::uint32_t thread, const void* object);
  void release_acquire(std::uint32_t thread, const void* object);
  /// Forgets an object that was destroyed or newly created at this address: its earlier operations order nothing.
  void forget_object(const void* object);
  /// Records that an operation of the object happens, or (`makes`) that it is initialized or destroyed. Its first bytes, at most
  /// eight, stand for the object. Operations do not race with each other, but with an access that creates, destroys, overwrites
  /// or frees the object. Call it before the acquires and releases of the operation.
  void operates(const void* object, std::size_t size, bool makes, std::uintptr_t pc);

  /// Call it when the operation happens: no other thread may run in between. 1 to 16 bytes.
  void atomic_load(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_store(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_rmw(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc);
  void atomic_failed_cas(const void* address, std::size_t size, std::memory_order failure, std::uintptr_t pc) {
    atomic_load(address, size, failure, pc);
  }
  void fence(std::memory_order order);

  /// Records an access of any size. Sizes of up to eight bytes that are known at compile time are fastest.
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
  /// For copies and fills: beyond 1 GiB only the first part is checked.
  void read_range(const void* address, std::size_t size, std::uintptr_t pc) {
    access_many(reinterpret_cast<std::uintptr_t>(address), size, 0, pc, true);
  }
  void write_range(const void* address, std::size_t size, std::uintptr_t pc) {
    access_many(reinterpret_cast<std::uintptr_t>(address), size, kWrite, pc, true);
  }

  /// Forgets earlier accesses, frees and synchronisation objects of these bytes, because they are new. Also for stacks of new
  /// threads.
  void allocated(const void* address, std::size_t size);
  /// Says that from now on, in this execution, any access to these bytes may be wrong, whatever its thread and order:
  /// `RaceSink::uses_gone` decides.
  void gone(const void* address, std::size_t size);
  /// Counts as a write to all bytes. Until the bytes are allocated again, every access to them is a use after free. Of blocks
  /// over 256 KiB only the pages that were accessed before are marked.
  void freed(const void* address, std::size_t size, std::uintptr_t pc);

 private:
  struct Thread {
    std::uint32_t execution;  // the other members are valid if this is the current execution
    std::uint32_t step;
    Clock clock;        // everything that happens before its next operation
    Clock fence;        // everything that happened before its last release fence
    Clock may_acquire;  // seen by relaxed reads: an acquire fence makes it happen before
    bool fenced;        // `fence` is not empty
    bool has_seen;      // `may_acquire` is not empty
  };

  /// The part of an access that concerns one granule.
  struct Piece {
    std::uintptr_t granule;  // address of its first byte
    Stamp stamp;             // for its cell
    std::uintptr_t address;  // of the whole access
    std::size_t size;
    Site place;              // for its cell
  };
  /// The result of comparing an access with the cells of a granule.
  struct Verdict {
    Stamp free = 0;        // bytes that are freed now
    Cell* same = nullptr;  // of the same epoch and place: absorbs the bytes
    bool covered = false;  // nothing needs to be added
    bool raced = false;
  };

  Thread& thread(std::uint32_t number) {
    return number == current_number_ && current_ != nullptr ? *current_ : another_thread(number);
  }
  Thread& another_thread(std::uint32_t number);
  /// Starts a new epoch: clocks that other threads have do not cover what `thread` does from now on.
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

  std::uint64_t start_ = 1;  // the time at which this execution started: its tick 0
  Tick tick_ = 0;
  std::uint32_t execution_ = 0;
  std::uint32_t thread_count_ = 0;  // the largest number so far
  std::uint32_t current_number_ = 0;
  Thread* current_ = nullptr;
  bool raced_ = false;
  std::uintptr_t gone_from_ = 0, gone_size_ = 0;  // a range that contains everything that is gone
};

}  // namespace tarry::native
