// System calls made by the runtime's own instructions: they pass the gate (effects/gate.h), write no errno and need no thread-local storage.
#pragma once

#include <signal.h>

#include <cstdint>
#include <type_traits>

namespace tarry::native::rt {

template <class T>
long raw_argument(T value) {
  if constexpr (std::is_pointer_v<T>) return static_cast<long>(reinterpret_cast<std::uintptr_t>(value));
  else if constexpr (std::is_null_pointer_v<T>) return 0;
  else return static_cast<long>(value);
}

/// As the kernel answers: a number, or minus an error number.
template <class A = int, class B = int, class C = int, class D = int, class E = int, class F = int>
inline long raw(long number, A a = 0, B b = 0, C c = 0, D d = 0, E e = 0, F f = 0) {
  const long all[6] = {raw_argument(a), raw_argument(b), raw_argument(c), raw_argument(d), raw_argument(e), raw_argument(f)};
  long result = number;
  register long a3 asm("r10") = all[3];
  register long a4 asm("r8") = all[4];
  register long a5 asm("r9") = all[5];
  asm volatile("syscall" : "+a"(result) : "D"(all[0]), "S"(all[1]), "d"(all[2]), "r"(a3), "r"(a4), "r"(a5) : "rcx", "r11", "memory");
  return result;
}

/// The way back from a handler (effects/gate.cc): returned to, with the stack at what the kernel has kept.
extern "C" void signal_return() asm("__restore_rt");

using SignalHandler = void(int, siginfo_t*, void*);
/// With a return from the handler that is the runtime's own, too. Nothing is blocked while it runs.
void handle_signal(int signal, SignalHandler* handler, unsigned long flags);

}  // namespace tarry::native::rt
