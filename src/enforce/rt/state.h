// The state of the library in the process, for the files that share it: control.cc (events), start.cc (start and end, sets) and regions.cc.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "enforce/admission.h"
#include "enforce/rt/bindings.h"
#include "enforce/rt/control.h"
#include "enforce/rt/run_log.h"
#include "enforce/run_block.h"

namespace tarry::enforce::rt {

inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// State of a thread of the program. Plain data: it is used until the thread is gone.
struct Self {
  std::uint32_t number = kNobody;
  std::uint32_t open = kFree;   // a plain access that was admitted and may not be done yet
  bool has_baton = false;
  std::uint64_t random = 0;
  const char* stack = nullptr;
  std::uint64_t stack_size = 0;
};
extern constinit thread_local Self t_self;

/// Memory that was mapped for a set.
struct MappedRoom {
  void* at = nullptr;
  std::uint64_t size = 0;
};

using Rooms = std::array<MappedRoom, 5>;

/// The global state.
struct Control {
  RunBlock* block = nullptr;
  const char* sets = nullptr;        // the file of sets
  // Of the set that is enforced:
  ImageView image;
  std::uint32_t set = 0;             // its number
  Admission* admission = nullptr;
  Bindings bindings;
  bool has_memory = false;           // it has objects on heaps or stacks
  bool has_regions = false;          // the same for all sets of a run
  std::uintptr_t* bases = nullptr;   // load addresses of its modules
  std::uintptr_t* points = nullptr;  // a hash table
  std::uint64_t point_slots = 0;
  std::uint32_t threads = 0;         // number of its threads
  Rooms rooms;
  std::uint32_t room_count = 0;

  RunLog log;
  std::atomic<std::uint32_t> created{1};
  alignas(64) std::atomic<std::uint32_t> live{0};
  std::atomic<std::uint32_t> ending{0};  // threads that do not live any more, but may not have completed their last event
  std::atomic<std::uint32_t> waiting{0};
  std::atomic<std::uint32_t> unforeseen_sleeps{0};  // threads that sleep where no admissible trace does
  alignas(64) std::atomic<std::uint32_t> baton{0};  // if threads run one at a time: 0 free, 1 taken, 2 taken with waiters
  std::atomic<bool> finished{false};
};
extern Control* g_control;

inline std::uint64_t value_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Reports an unverified event. The mode decides what happens after it.
void unverified(Unverified::Why why, const Actual& actual, std::uint32_t expected, const char* text, std::uint32_t cell = 0);
void give_baton();

/// Enforces this set from now on, and frees the memory of the one before. Requires: no event is under way.
void install(const ImageView& image);
/// Takes the newest set, if it is not yet taken. Requires: no event is under way.
void take_newest_set();

}  // namespace tarry::enforce::rt
