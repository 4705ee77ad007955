// Who allocated the blocks of the program's heap, in an execution that is recorded: traces name memory by it.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::native::rt {

/// By the running thread, just now. Of very many blocks only the first are kept.
void keep_allocation(const void* block);
/// The stack of that call; empty if it was not kept.
std::vector<std::uintptr_t> allocated_by(const void* block);
/// Before each execution.
void forget_allocations();

}  // namespace tarry::native::rt
