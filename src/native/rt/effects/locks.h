// Locks of files and ends of named pipes, for which threads of the program wait: a thread tries, and tries again after another thread releases the
// lock or opens an end. A thread blocks in the kernel only for what other processes hold.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// flock.
long lock_file(const long (&arguments)[6], std::uintptr_t pc);
/// fcntl with F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW.
long lock_part(const long (&arguments)[6], std::uintptr_t pc);
/// Around a call that closes the descriptor, and may give up its locks.
void before_closing(int descriptor);
void after_closing();

/// Whether opening the name so waits for the other end.
bool opens_end(int folder, const char* path, long flags);
long open_end(int folder, const char* path, long flags, std::uintptr_t pc);

}  // namespace tarry::native::rt
