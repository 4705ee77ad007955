// System calls by our own instructions: `syscall` is a function that the program also calls, and that this library intercepts.
#pragma once

namespace tarry::enforce::rt {

/// Returns the kernel's answer: a number, or a negative error number.
inline long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result = number;
  register long d4 asm("r10") = d;
  register long d5 asm("r8") = e;
  register long d6 asm("r9") = f;
  asm volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c), "r"(d4), "r"(d5), "r"(d6) : "rcx", "r11", "memory");
  return result;
}
inline long raw_address(const volatile void* address) { return static_cast<long>(reinterpret_cast<unsigned long>(address)); }

}  // namespace tarry::enforce::rt
