// Programs whose stacks hold code: nested functions of GNU C have trampolines there. The linker marks them (PT_GNU_STACK), and glibc gives such stacks to all
// of their threads.
#pragma once

namespace tarry::native::rt {

/// Returns PROT_EXEC if stacks must be executable, else 0: part of the protection of all memory that may be a stack.
int protection_of_code_on_stacks();
/// From now on they are.
void hold_code_on_stacks();

}  // namespace tarry::native::rt
