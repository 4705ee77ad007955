// Allocations and accesses of an execution that is recorded: traces name blocks of the heap by the code that allocated them, and name the caller of the code
// that made an access.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::native::rt {

/// By the running thread, just now. Of very many blocks only the first are kept.
void keep_allocation(const void* block);
/// The stack of that call; empty if it was not kept.
std::vector<std::uintptr_t> allocated_by(const void* block);
/// The running thread is about to access something, or to free it, in this step.
void keep_access(std::uint32_t step, std::uintptr_t pc);
/// The stack of an access; the place alone if it was not kept.
std::vector<std::uintptr_t> accessed_by(std::uint32_t thread, std::uint32_t step, std::uintptr_t pc);

}  // namespace tarry::native::rt
