// What the program prints: standard output and standard error of an execution, kept in memory.
//
// A file in memory takes the place of descriptors 1 and 2 before main, so that every write (of the program, of stdio inside of libc, a library's own
// system calls) goes there. Both share one offset, so their texts are in the order in which they were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tarry::native::rt {

/// Puts the file in place. Once, before main.
void capture_output();

/// How much the current execution has written; what it wrote, from a byte on.
std::size_t output_size();
std::string output_from(std::size_t first);
/// What waits in stdout's buffer. For programs that did not come to their end: the buffer is lost then.
std::string unwritten_output();

/// Replay: lines are written when they are complete, so that they belong to a step. Nothing else changes by it. Before the baseline.
void write_lines_at_once();

/// The distinct outputs of complete executions, with how often they came.
void count_output();
void forget_counts();
std::vector<std::pair<std::string, std::uint64_t>> counted_outputs();

/// A descriptor of ours: moved to where programs do not look, closed in what the program starts.
int out_of_the_way(int descriptor);
bool our_descriptor(int descriptor);

}  // namespace tarry::native::rt
