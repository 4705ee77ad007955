// Stacks of the program, walked by the runtime's own unwinder.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::native::rt {

/// A function that is being executed: where it goes on, and where its part of the stack begins; the next one's begins where it ends.
struct Frame {
  std::uintptr_t pc;
  std::uintptr_t from;
};

/// Frames of the calling thread, innermost first.
std::vector<Frame> frames_here();
/// Of these, places in the program: without the runtime's own.
std::vector<std::uintptr_t> places_of(const std::vector<Frame>& frames);
inline std::vector<std::uintptr_t> backtrace() { return places_of(frames_here()); }

/// Of a system call: the place in the program, as the call itself is in libc. `pc` if there is none.
std::uintptr_t calling_place(std::uintptr_t pc);

}  // namespace tarry::native::rt
