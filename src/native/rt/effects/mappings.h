// Memory that the program maps: known, and unmapped when the execution is over.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

void remember_mappings();
void undo_mappings();

// The system calls. What concerns memory of before main needs a process of its own.
long map_memory(const long (&arguments)[6]);
long unmap_memory(const long (&arguments)[6]);
long remap_memory(const long (&arguments)[6]);
long protect_memory(const long (&arguments)[6]);
long advise_memory(const long (&arguments)[6]);
long move_break(const long (&arguments)[6]);

}  // namespace tarry::native::rt
