// Where a thread can be interrupted between two plain accesses: by the handler of a signal, or by asynchronous cancellation.
//
// An interruption is seen only by code that touches what the thread works on: the handler, the cleanup handlers of a thread that is cancelled, other threads
// that look at what it left. The accesses of a thread to such locations become scheduling points, where interruptions strike. They are found as races are:
// in one execution by their addresses, and are points from the next one on. What is known of addresses is kept over all executions, as these are the
// same in each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::native::rt {

/// The running thread is about to make a plain access. Requires: g_watch.interruptions.
void may_be_interrupted(const void* address, std::size_t size, bool writes, std::uintptr_t pc);

/// Returns whether, since the last call, handlers touched locations that they were not known to touch: then the search begins anew.
bool learned_of_interruptions();

}  // namespace tarry::native::rt
