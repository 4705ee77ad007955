// Where the running thread goes on in the code of the program, and with which registers.
//
// The unwinder tells that from debug information, which takes half a microsecond. A thread that looks at a flag in a loop asks at every look, so what the unwinder
// finds is kept as a way: the frames of the runtime between here and the program, by their return addresses, and where on the stack they keep the registers
// that a function must preserve. The layout of a frame of the runtime follows from the address at which it goes on, as none has arrays of variable length; so
// equal return addresses at equal distances are the same way. Each way is compared with the unwinder again from time to time. A way through the handler of a
// signal is not kept: registers lie elsewhere there.
#pragma once

#include <array>
#include <cstdint>

namespace tarry::native::rt {

struct Stand {
  std::uintptr_t pc = 0;                       // where the first function of the program goes on; 0: not known
  std::uintptr_t stack = 0;                    // its stack pointer there
  std::array<std::uint64_t, 6> registers = {};  // that functions preserve: rbx, rbp, r12 to r15

  friend bool operator==(const Stand&, const Stand&) = default;
};

/// Of the running thread, which has called a function of the runtime.
Stand stand();

}  // namespace tarry::native::rt
