// What the kernel keeps for each thread: scheduling policy and priority, processors, nice value, timer slack, priority of input and output, name.
//
// All threads of the program run on one kernel thread, so these are kept here, in the program's memory. They are checked as the kernel checks them, and change
// nothing else: every schedule is possible with any of them.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// Before the baseline: main begins with what the process has.
void make_attributes();
/// A new thread has what its creator has.
void inherit_attributes(std::uint32_t parent, std::uint32_t child);

/// A system call that concerns them, of a thread of the program. False: it is none of these, and the kernel is to perform it. `result` is as the kernel gives it.
bool call_attributes(long number, const long (&arguments)[6], std::uintptr_t pc, long& result);

/// The processor that the running thread is told to be on.
int processor_of_running(std::uintptr_t pc);
/// getcpu, as the kernel answers. Both may be nullptr.
long tell_processor(unsigned* processor, unsigned* node, std::uintptr_t pc);

/// mlock and its relatives: arguments are checked, and nothing is locked, as the memory of the search would be as well. The same as above.
bool call_locks_of_memory(long number, const long (&arguments)[6], long& result);

}  // namespace tarry::native::rt
