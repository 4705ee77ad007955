// What the program did, told to the parts that derive order from it: the race detector and the happens-before signature.
//
// Accesses that were found to race are remembered by their place in the code; from then on they are scheduling points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/abi/messages.h"
#include "native/races/order.h"
#include "native/races/race_detector.h"
#include "native/rt/base/lasting.h"
#include "native/rt/base/operation.h"
#include "native/rt/base/runtime.h"
#include "native/rt/threads/footprint.h"

namespace tarry::native::rt {

/// Places in the code, as a hash set of addresses.
class PlaceSet {
 public:
  bool empty() const { return count_ == 0; }
  bool full() const;
  bool contains(std::uintptr_t pc) const;
  /// True if it is new.
  bool add(std::uintptr_t pc);
  std::vector<std::uintptr_t> all() const;

 private:
  static constexpr std::uint32_t kRoom = 1 << 14;
  std::uintptr_t places_[kRoom] = {};
  std::uint32_t count_ = 0;
};

/// How the program is watched: set once, before the first execution; `order` and `footprint` for each run (NativeExecution::run). And what is at hand of what
/// was seen.
struct Watch {
  RaceDetector* races = nullptr;  // nullptr: races are ignored
  Order* order = nullptr;         // nullptr: not asked for
  StepFootprint* footprint = nullptr;  // nullptr: not asked for
  bool every_access = false;      // each is a scheduling point
  PlaceSet racing;                // accesses that are points because they race; the same throughout each execution
  Lasting<std::vector<std::uintptr_t>> found_racing;  // in this execution: points from the next one on
  bool used_freed = false;        // by the last access; the detector must not be left in its middle, so it is told later
  std::uint32_t step = 0;         // that is being taken
  bool frees = false;             // it is not an access that is told, but that memory is freed
  bool interruptions = false;     // handlers or asynchronous cancellation may strike at plain accesses (interruptions.h)
  bool annotates = false;         // the program says what is ordered, by annotations
  bool ignores = false;           // and which accesses are ignored
  bool passes_over_all = false;   // at present: all accesses
  bool every_load = false;        // also those of a thread that looks again and again before it sleeps (spin.h)
  PlaceSet wide;                  // with every_access: accesses of more than eight bytes
  bool asks_for_regions = false;  // what regions read is asked for (region_reads.h)
  bool in_region = false;         // and the program is in one
  bool weak_atomics = false;      // an order weaker than sequential consistency was used

  /// What was found to race becomes a point.
  void reset();
};
inline constexpr Watch& g_watch = RoomOf<Watch>::part;  // a name of the part
inline std::vector<std::uintptr_t>& found_racing() { return *g_watch.found_racing; }
[[noreturn]] void fail_for_use();

/// The access is a scheduling point from now on, between executions. False if it is one already.
bool make_point(std::uintptr_t pc);

/// Looks up the functions of AddressSanitizer. Call once, before the first execution: a failed symbol lookup allocates memory for its caller, and the first
/// execution would have other addresses than later ones.
void look_for_asan();
/// AddressSanitizer has found an error and writes its report, after which it calls abort().
bool asan_reports();

/// Makes the detector and says where its reports go.
void watch_races();
void watch_order();

/// Each of these is made at most once; a run uses it or not. nullptr: orders were not asked for.
Order* order_of_steps();
StepFootprint* footprints_of_steps();

/// Steps have more points if they tell footprints. This place is among the points of a finding whose schedule was made so.
std::uintptr_t place_of_footprints();

/// A thread is about to perform its pending operation. `expires`: it will find that its time is out.
void performing(std::uint32_t thread, std::uint32_t step, const Operation& operation, bool expires);
/// It asked for a number and got it.
void decided(std::uint32_t thread, std::uint32_t value);
void created(std::uint32_t parent, std::uint32_t child);
void joined(std::uint32_t joiner, std::uint32_t ended);
/// The running thread has come to its end: no thread may access its stack any more.
void ended();

/// The running thread worked on something that others may share, without a point.
void looked_at(const void* object);
void changed(const void* object);
/// The running thread has looked at the whole state of the program, as it is now.
void looked_at_all();
/// It may have used any state that threads share, without a point.
void did_anything();

/// The running thread goes on from a handler of its own for a crash: the access that crashed takes place now, so if it races that is told.
void tell_race_held_back();

// Synchronisation, by the running thread.
void acquire(const void* object);
void release(const void* object);

/// The running thread performs an operation of a synchronisation object, whose point is behind it; or it makes or destroys the object. The object has to be
/// there, and no other thread may overwrite, destroy or free it at the same time. Ahead of what the operation acquires or releases. `size`: at most 8, of the
/// bytes that stand for the object. Ends the execution if it is not there.
void operates(const void* object, std::uintptr_t pc, std::size_t size = 8);
void makes(const void* object, std::uintptr_t pc, std::size_t size = 8);

// Memory of the program's heap.
void allocated(const void* block, std::size_t size);
void freeing(const void* block, std::size_t size, std::uintptr_t pc);

// Memory that the program maps, or is about to unmap.
/// Forgets what was done to memory that lay there before.
void mapped(const void* from, std::size_t size);
/// Counts as a write to all of it. Later accesses are uses after free, unless the program handles SIGSEGV: then they may be meant.
void unmapping(const void* from, std::size_t size, std::uintptr_t pc);

/// Ends the execution if the access that was just told used what was freed. After every access.
inline void fail_if_freed() { if (g_watch.used_freed) [[unlikely]] fail_for_use(); }

/// The place of an access as the detector gets it: races of those that the program told us to pass over are none.
std::uintptr_t place_if_passed_over(std::uintptr_t pc, bool writes);
inline std::uintptr_t told_place(std::uintptr_t pc, bool writes) { return g_watch.ignores ? place_if_passed_over(pc, writes) : pc; }

/// Recording: who makes the access that is about to be told.
void record_access(std::uintptr_t pc);

// Annotations of the program (annotations.cc).
/// By what name the detector knows the order that annotations of an address make: accesses to the address itself do not touch it.
inline const void* annotated(const void* address) { return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) ^ std::uintptr_t{1} << 46); }
/// Races on these bytes are none, until the execution ends.
void bless(const void* address, std::size_t size);
void forget_object(const void* object);

// Plain accesses, ahead of them. May let other threads run.
/// Another thread, or an interruption, can come in the middle of an access at this place. Says so in the verdict if such an access has more than
/// eight bytes, as it is taken as one step. With every access as a point; else accesses that are points are looked at themselves.
void found_torn(std::uintptr_t pc);
/// An access at this place is a scheduling point.
bool is_point(std::uintptr_t pc);
void reading(const void* address, std::size_t size, std::uintptr_t pc);
void writing(const void* address, std::size_t size, std::uintptr_t pc);

}  // namespace tarry::native::rt
