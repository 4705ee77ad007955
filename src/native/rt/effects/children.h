// Processes that the program has started. They run by themselves, in real time.
#pragma once

#include <cstdint>
#include <string>

namespace tarry::native::rt {

/// The program is about to start one.
void starts_process();
/// The same for a thread that only the kernel knows.
void starts_thread_of_libc();
/// It has started one, in some execution.
bool has_started_processes();
/// What that means for executions that differ; empty: none was started, in any execution.
std::string why_unrepeatable();

/// wait4 and waitid: others run until a child is there to be told of.
long wait_for_child(long number, const long (&arguments)[6], std::uintptr_t pc);

/// execve and execveat. Returns if that fails.
long become_another(long number, const long (&arguments)[6], std::uintptr_t pc);

/// No thread can go on. True: there are children, which may change that, and a moment has passed.
bool children_may_help();

}  // namespace tarry::native::rt
