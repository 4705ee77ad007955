// Libraries that the program loads and unloads while it runs.
//
// The dynamic linker has one lock. Its functions hold the lock until they return, also while constructors and destructors of a library run: a thread waits
// for the lock at a point, and what one call did happens before the next. The lock is recursive, because a constructor may load another library.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// The running thread calls a function of the dynamic linker: a point. `number`: of the call, for its name (library_calls.h).
void enter_loader(std::uint32_t number, std::uintptr_t pc);
/// The call returns. Ends the execution if it unmapped what other threads are about to use.
void leave_loader();

/// Returns what dlopen returns for a call at `caller`. The linker looks for names without a folder where the calling module says (RPATH, RUNPATH), and
/// takes the function that calls it for the caller.
void* load_library(void* (*dlopen)(const char*, int), const char* name, int mode, std::uintptr_t caller);

}  // namespace tarry::native::rt
