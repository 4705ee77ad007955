// Programs whose stacks hold code: nested functions of GNU C have trampolines there. The linker marks them (PT_GNU_STACK), and glibc gives such stacks to all
// of their threads.
#pragma once

namespace tarry::native::rt {

/// PROT_EXEC if stacks are to be executable, else 0: part of the protection of all memory that may be a stack.
int protection_of_code_on_stacks();
/// A library that was loaded while the program ran asks for it. Stacks that are there become executable.
void make_stacks_executable();

}  // namespace tarry::native::rt
