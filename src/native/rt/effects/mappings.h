// Memory that the program maps: known, and unmapped when nothing refers to it any more. Libraries map, too, and keep it: the files of a locale. So memory
// is put back first, in which they keep where it is.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

void remember_mappings();
/// They are gone with the process of the execution; else they are undone after the program's memory was put back.
void forget_mappings();

/// What was unmapped in this execution, and where the program asked for it.
struct Unmapped {
  std::uintptr_t from, to;
  std::uintptr_t pc;
};
/// Returns the last unmapping of the address in this execution, or nullptr.
const Unmapped* unmapped_last(std::uintptr_t address);

/// Ends the execution if the dynamic linker unmapped what another thread is about to use. Within the linker, whose locks are held, this cannot be told.
void fail_if_unmapped_in_use();

// The system calls. What concerns memory of before main needs a process of its own.
long map_memory(const long (&arguments)[6], std::uintptr_t pc);
long unmap_memory(const long (&arguments)[6], std::uintptr_t pc);
long remap_memory(const long (&arguments)[6], std::uintptr_t pc);
long protect_memory(const long (&arguments)[6]);
long advise_memory(const long (&arguments)[6], std::uintptr_t pc);
long move_break(const long (&arguments)[6]);

}  // namespace tarry::native::rt
