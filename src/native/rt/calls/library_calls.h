// Functions of libraries that the program calls and the runtime does not take over.
//
// A list of dangerous functions would never end, so the list is one of harmless functions (library_table.cc). A function that is on no list may use any
// state that threads share: its calls are scheduling points that depend on everything. What it reads and writes in the program's memory is not seen, and
// the verdict says so.
#pragma once

#include <cstdint>
#include <string>

namespace tarry::native::rt {

/// Routes the calls that instrumented modules make to functions of libraries through stubs. Requires: find_modules was called, and the baseline is not set yet.
void watch_library_calls();

/// The name of the function that an operation with Op::kLibraryCall calls. `number`: the argument of the operation.
const char* name_of_library_call(std::uintptr_t number);

/// Returns the functions that the program called while there were other threads, and that may have read or written memory that threads share, unseen. Sorted;
/// empty if there are none.
std::string unseen_calls();

/// Tells whether an instrumented module calls the function: a state that no function of the program changes needs no points where it is read.
bool program_imports(const char* name);

/// The running thread calls a function that uses the time zone. `sets`: the function first sets the zone by the environment, as tzset does. A point if the
/// program has a function that changes either.
void uses_time_zone(bool sets, std::uintptr_t pc);

}  // namespace tarry::native::rt
