// Processes that the program has started. They run by themselves, in real time.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// wait4 and waitid: others run until a child is there to be told of.
long wait_for_child(long number, const long (&arguments)[6], std::uintptr_t pc);

/// No thread can go on. True: there are children, which may change that, and a moment has passed.
bool children_may_help();

}  // namespace tarry::native::rt
