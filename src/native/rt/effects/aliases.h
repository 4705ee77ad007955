// Memory that the program sees under two addresses, or beside its addresses by calls on a file. Accesses are compared by address, so what threads do
// to it in two ways is taken for independent: the verdict says so. It is noticed when it comes to be: one mapping of a file is none.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// The program has memory of that kind.
void has_alias();
bool has_aliases();

/// Memory at an address is that of a file from an offset on, shared or not.
void mapped_file(std::uintptr_t at, std::uintptr_t size, int file, std::uintptr_t offset, bool shared);
/// It is no longer there.
void unmapped(std::uintptr_t from, std::uintptr_t to);

void moved(std::uintptr_t from, std::uintptr_t to, std::uintptr_t where);

// System V.
long attach_memory(const long (&arguments)[6]);
long detach_memory(const long (&arguments)[6]);

/// Some file is mapped so that what is written there is seen by others.
bool maps_files();
/// Ahead of a system call that may read or write such a file.
void accesses_file(long number, const long (&arguments)[6]);
/// A file was opened by this name.
void opened_file(int descriptor, const char* path);

}  // namespace tarry::native::rt
