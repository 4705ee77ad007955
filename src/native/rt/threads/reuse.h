// Memory that is used again at once. Whether the next block is one that was just freed, and whose address another thread still has, is a choice of the
// search: a program that compares addresses may take the new block for the old one (ABA).
//
// A thread has an address if it loaded it from an atomic, or from a place where accesses race. That it was freed and what may get it are dependent in
// the happens-before order; programs without such a block have no choice, and no step more.
//
// An allocation that comes too early for a block that another thread frees later on is a point from the next execution on, as accesses that race are:
// it may come after that. What is remembered is the class of sizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/thread_identity.h"

namespace tarry::native::rt {

/// How often in an execution. Set once, before the first.
void allow_reuses(std::uint32_t most);
std::uint32_t allowed_reuses();

/// The running thread has this value, from memory that others change. Pointers may carry tags in bits that addresses leave free.
inline void has_value(std::uint64_t value) {
  const void* const address = reinterpret_cast<const void*>(value & 0x0000fffffffffff0);
  if (program_heap::owns(address)) [[unlikely]] program_heap::known_to_running(address);
  if (may_be_on_stack(reinterpret_cast<std::uintptr_t>(address))) [[unlikely]] value_may_be_on_stack(reinterpret_cast<std::uintptr_t>(address));
}

/// Returns a block to use again for a request of the program, or nullptr. `who`: the place that asks, if others may run before it gets the block; else 0.
void* used_again(std::size_t size, std::size_t alignment, std::uintptr_t who);
/// This one was freed, and kept aside.
/// A block is about to be freed: others may run before, where footprints are asked for and blocks of its class are used again.
void about_to_free(const void* block, std::uintptr_t who);
void kept_aside(const void* block);
/// In some execution there were more blocks to use again than that.
bool met_most_reuses();

}  // namespace tarry::native::rt
