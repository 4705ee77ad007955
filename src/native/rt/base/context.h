// Switching between threads in user mode.
//
// Every thread of the program is a *borrowed* pthread: glibc made it, with its stack and its thread-local storage, and its kernel thread
// sleeps for ever; the one controlling kernel thread puts on its registers. So errno, thread_local, pthread_self and stack protectors are the
// thread's own (docs/architecture.md).
//
// A switch is code in line, after which no register has its value any more: the compiler keeps what it needs on the stack, and a context is
// only where that is. There is no call and no return in it. The processor predicts returns by the calls before them, so on another stack
// each of them would be mispredicted, at more than the price of the switch itself.
#pragma once

#include <cstddef>
#include <cstdint>

/// The thread pointer can only be set by a system call here; switching then costs ten times as much.
extern "C" __attribute__((visibility("hidden"))) bool tarry_rt_no_fsgsbase;

namespace tarry::native::rt {

inline constexpr std::uint32_t kUsualMxcsr = 0x1f80;
inline constexpr std::uint16_t kUsualX87 = 0x037f;

struct Context {
  void* stack = nullptr;          // rsp
  std::uint64_t thread = 0;       // fs base; a switch does not save it, as it never changes
  void* frame = nullptr;          // rbp
  const void* goes_on = nullptr;  // rip
  std::uint32_t mxcsr = kUsualMxcsr;
  std::uint16_t x87 = kUsualX87;
};
static_assert(offsetof(Context, stack) == 0 && offsetof(Context, thread) == 8 && offsetof(Context, frame) == 16 &&
              offsetof(Context, goes_on) == 24 && offsetof(Context, mxcsr) == 32 && offsetof(Context, x87) == 36);

// clang-format off
#define TARRY_SAVE_CONTEXT(from)                        \
  "leaq 1f(%%rip), %%rax\n\t"                           \
  "movq %%rax, 24(" from ")\n\t"                        \
  "movq %%rsp, (" from ")\n\t"                          \
  "movq %%rbp, 16(" from ")\n\t"
#define TARRY_LOAD_CONTEXT(to)                          \
  "movq (" to "), %%rsp\n\t"                            \
  "movq 16(" to "), %%rbp\n\t"                          \
  "movq 8(" to "), %%rax\n\t"                           \
  "cmpb $0, tarry_rt_no_fsgsbase(%%rip)\n\t"            \
  "jne 5f\n\t"                                          \
  "wrfsbase %%rax\n\t"                                  \
  "jmp *24(" to ")\n"                                   \
  "5:\tmovq " to ", %%r12\n\t"                          \
  "movl $0x1002, %%edi\n\t"  /* ARCH_SET_FS */          \
  "movq %%rax, %%rsi\n\t"                               \
  "movl $158, %%eax\n\t"     /* arch_prctl */           \
  "syscall\n\t"                                         \
  "jmp *24(%%r12)\n"                                    \
  "1:"
#define TARRY_NO_REGISTER_KEPT                                                                                       \
  "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",  \
  "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc"

/// Saves the running context to `from` and goes on in `to`.
[[gnu::always_inline]] inline void switch_context(Context* from, const Context* to) {
  asm volatile(
      TARRY_SAVE_CONTEXT("%0")
      "stmxcsr 32(%0)\n\t"
      "fnstcw 36(%0)\n\t"
      "movl 32(%0), %%ecx\n\t"
      "xorl 32(%1), %%ecx\n\t"
      "testl $0xffc0, %%ecx\n\t"  // flags of what happened may differ: loading them costs more than all the rest
      "je 2f\n\t"
      "ldmxcsr 32(%1)\n"
      "2:\tmovzwl 36(%0), %%ecx\n\t"
      "cmpw 36(%1), %%cx\n\t"
      "je 3f\n\t"
      "fldcw 36(%1)\n"
      "3:\t" TARRY_LOAD_CONTEXT("%1")
      : "+D"(from), "+S"(to) : : TARRY_NO_REGISTER_KEPT);
}

/// The same where floating-point control is as usual, so that it need not be saved.
[[gnu::always_inline]] inline void switch_from_usual(Context* from, const Context* to) {
  asm volatile(
      TARRY_SAVE_CONTEXT("%0")
      "movl 32(%1), %%ecx\n\t"
      "xorl $0x1f80, %%ecx\n\t"
      "testl $0xffc0, %%ecx\n\t"
      "je 2f\n\t"
      "ldmxcsr 32(%1)\n"
      "2:\tcmpw $0x037f, 36(%1)\n\t"
      "je 3f\n\t"
      "fldcw 36(%1)\n"
      "3:\t" TARRY_LOAD_CONTEXT("%1")
      : "+D"(from), "+S"(to) : : TARRY_NO_REGISTER_KEPT);
}

/// For a kernel thread that is borrowed: saves its context, sets *ready to 1, and sleeps for ever without touching its stack.
[[gnu::always_inline]] inline void park(Context* context, int* ready) {
  asm volatile(
      TARRY_SAVE_CONTEXT("%0")
      "movq %%fs:0, %%rax\n\t"
      "movq %%rax, 8(%0)\n\t"
      "movq %1, %%rdi\n\t"
      "movl $1, (%%rdi)\n"
      "2:\tmovl $202, %%eax\n\t"  // futex
      "movl $128, %%esi\n\t"      // FUTEX_WAIT_PRIVATE
      "movl $1, %%edx\n\t"
      "xorl %%r10d, %%r10d\n\t"
      "syscall\n\t"
      "jmp 2b\n"
      "1:"
      : "+D"(context), "+S"(ready) : : TARRY_NO_REGISTER_KEPT);
}
// clang-format on

#undef TARRY_SAVE_CONTEXT
#undef TARRY_LOAD_CONTEXT
#undef TARRY_NO_REGISTER_KEPT

/// False on machines where the thread pointer can only be set by a system call.
inline bool has_fsgsbase() { return !tarry_rt_no_fsgsbase; }

}  // namespace tarry::native::rt
