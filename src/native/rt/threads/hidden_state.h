// What code changes without telling: libc and other libraries are not instrumented, and the processor has state of its own.
//
// A loop that only looks may still come nearer to its end, by what such code remembers: the position in a stream or a directory, a random number, the
// processor's time stamp. Before a thread is taken to wait in a loop for the first time, one more round of it is watched: memory must be after it as it was
// before, and no time stamp may have been read.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <optional>

namespace tarry::native::rt {

/// A number for the contents of the program's memory, libraries' included, but for the stack of the running thread. Nothing: there is too much of it.
/// It is a sum over words: the difference of two fingerprints is that of the words that changed in between, whatever else changed before or after.
std::optional<std::uint64_t> fingerprint_of_memory();

/// The program's reads of the time stamp are noticed from now on, up to the first one or to `ignore_time_stamp`.
void watch_time_stamp();
void ignore_time_stamp();
/// Since it was last watched.
bool time_stamp_was_read();
/// For the handler of SIGSEGV: it was such a read, which is done again and succeeds then.
bool is_read_of_time_stamp(const ucontext_t& context);

}  // namespace tarry::native::rt
