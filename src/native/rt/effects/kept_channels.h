// Pipes, event counters, sockets and message queues that constructors have made before main: every execution is to find in them what the first one found.
//
// What lies in a pipe and the value of an eventfd are put back after an execution. What cannot be put back is a limit as soon as the program uses it: messages in
// a socket or a queue, System V semaphores and queues, a pipe of which the program has closed an end (our own copy keeps it open). What the
// process inherited from the tool is not touched.
#pragma once

namespace tarry::native::rt {

/// First of all: what is open already was inherited.
void know_inherited_descriptors();

/// At the baseline, of each descriptor that is open: `copy` is the same, out of the program's way.
void remember_channel(int descriptor, int copy);
void undo_channels();

/// The program is about to close the descriptor.
void closes_kept(int descriptor);
/// The program is about to use it, or waits for what others do to it. Ends the execution with a limit if what it would find is not known.
void uses_kept(int descriptor);
/// An end of a pipe from before main was closed in this execution: a thread that waits for its other end may wait for what has come.
bool closed_kept();

/// A System V semaphore set or message queue: its number was asked for in this execution; it is about to be used, which is a limit if it was not.
void got_number(long system_call, long number);
void uses_number(long system_call, long number);

}  // namespace tarry::native::rt
