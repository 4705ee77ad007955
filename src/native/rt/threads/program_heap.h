// The program's heap, which begins anew with every execution.
//
// Each thread of the program has a region of addresses and free lists of its own, and what a thread frees goes to its own lists. So the
// addresses that a thread gets are a function of what that thread did, not of how it was interleaved with others: executions of the same
// happens-before order see the same memory. Freed blocks wait in a queue before they are used again, so that a use after free meets freed memory.
//
// But a program may depend on memory not being used again (ABA): it compares an address that it has with one that another thread put there since.
// So a block whose address another thread has, from an atomic or from a place that races, is kept aside when it is freed. Whether the next
// allocation of that size is this block is a choice of the search (reuse.h).
//
// Everything that decides where the next block lies is outside of the program's memory, except for the headers of blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "native/rt/base/heap.h"

namespace tarry::native::rt {

namespace program_heap {

/// For the thread that runs. nullptr if there is no room.
void* allocate(std::size_t size, std::size_t alignment = 16);

/// The same; `fresh`: the memory is known to be zero.
void* allocate_zero(std::size_t size, bool& fresh);

/// Nearly no cost if it is no address of the heap.
bool owns(const void* address);
/// The running thread has the address of this block, or of what lies in it (at most so far behind its start).
inline constexpr std::size_t kFarthestMember = 256;
void known_to_running(const void* address);

/// Blocks that were kept aside, of the size that fits, the last freed first. How many, at most kOffered.
inline constexpr std::uint32_t kOffered = 3;
std::uint32_t offered(std::size_t size, std::size_t alignment);
/// One of them, to be used again.
void* allocate_again(std::size_t size, std::size_t alignment, std::uint32_t which);
/// Of the class that a block, or one of this size, is in: a name of its blocks for the happens-before order.
const void* class_object(std::size_t size, std::size_t alignment);
const void* class_object(const void* block);
/// Its number, below kClasses.
inline constexpr std::uint32_t kClasses = 256;
std::uint32_t class_number(std::size_t size, std::size_t alignment);
std::uint32_t class_number(const void* block);

enum class Release { kDone, kAside, kForeign, kDouble, kInside };
/// kForeign: not a block of ours at all; kDouble: freed before; kInside: a pointer into the middle of one; kAside: done, and kept aside.
Release release(void* block);
/// Size as it was asked for; 0 if it is no live block.
std::size_t size_of(const void* block);

/// The block that an address lies in, or just behind.
struct Block {
  const void* start = nullptr;  // nullptr: none
  std::size_t size = 0;
  std::uint32_t thread = 0;     // that allocated it
  std::uint64_t number = 0;     // how many it had allocated before, in this execution
  bool freed = false;
};
Block find(const void* address);

/// The state at the start of every execution is the present one.
void set_baseline();
/// From now on every execution has a process of its own (effects/fresh.h).
void is_in_new_process();
/// The used part of each thread's region, as visit(from, to), until that says false. Returns what the last call said.
bool for_each_used(const std::function<bool(const char*, const char*)>& visit);

/// What existed at the baseline, for Pages to watch.
struct Range {
  char* from;
  char* to;
};
Range baseline_of(std::uint32_t thread);
/// All addresses that it may ever have.
Range whole();

}  // namespace program_heap

}  // namespace tarry::native::rt
