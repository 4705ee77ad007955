#include "native/rt/context.h"

#include <asm/prctl.h>
#include <sys/auxv.h>

// Stack of a suspended context, from its stack pointer up: mxcsr and x87 control word, r15, r14, r13, r12, rbx, rbp, return address.
// Control words are reloaded only where they differ, and the return is an indirect jump: a `ret` would be mispredicted every time.
asm(R"(
.text
.macro TARRY_SAVE
 pushq %rbp
 pushq %rbx
 pushq %r12
 pushq %r13
 pushq %r14
 pushq %r15
 subq $8,%rsp
 stmxcsr (%rsp)
 fnstcw 4(%rsp)
.endm
.macro TARRY_RESTORE
 xorl (%rsp),%r8d
 testl $0xffc0,%r8d
 je 1f
 ldmxcsr (%rsp)
1:
 cmpw 4(%rsp),%r9w
 je 2f
 fldcw 4(%rsp)
2:
 addq $8,%rsp
 popq %r15
 popq %r14
 popq %r13
 popq %r12
 popq %rbx
 popq %rbp
 popq %rcx
 jmp *%rcx
.endm

.type tarry_rt_switch_fast,@function
tarry_rt_switch_fast:
 TARRY_SAVE
 movl (%rsp),%r8d
 movzwl 4(%rsp),%r9d
 movq %rsp,(%rdi)
 movq (%rsi),%rsp
 movq 8(%rsi),%rax
 wrfsbase %rax
 TARRY_RESTORE
.size tarry_rt_switch_fast,.-tarry_rt_switch_fast

.type tarry_rt_switch_slow,@function
tarry_rt_switch_slow:
 TARRY_SAVE
 movl (%rsp),%r8d
 movzwl 4(%rsp),%r9d
 movq %rsp,(%rdi)
 movq (%rsi),%rsp
 movq 8(%rsi),%rsi
 movl $0x1002,%edi
 movl $158,%eax
 syscall
 TARRY_RESTORE
.size tarry_rt_switch_slow,.-tarry_rt_switch_slow

.globl tarry_rt_park
.hidden tarry_rt_park
.type tarry_rt_park,@function
tarry_rt_park:
 TARRY_SAVE
 movq %rsp,(%rdi)
 movq %fs:0,%rax
 movq %rax,8(%rdi)
 movq %rsi,%rdi
 movl $1,(%rdi)
1:
 movl $202,%eax
 movl $128,%esi
 movl $1,%edx
 xorl %r10d,%r10d
 syscall
 jmp 1b
.size tarry_rt_park,.-tarry_rt_park
)");
static_assert(ARCH_SET_FS == 0x1002);

extern "C" {
void tarry_rt_switch_fast(tarry::native::rt::Context* from, const tarry::native::rt::Context* to);
void tarry_rt_switch_slow(tarry::native::rt::Context* from, const tarry::native::rt::Context* to);
}

namespace tarry::native::rt {
namespace {
constexpr unsigned long kFsgsbaseBit = 1 << 1;  // of AT_HWCAP2: the kernel lets user code write the thread pointer
const bool g_fsgsbase = (::getauxval(AT_HWCAP2) & kFsgsbaseBit) != 0;
}  // namespace

bool has_fsgsbase() { return g_fsgsbase; }

void switch_context(Context* from, const Context* to) {
  if (g_fsgsbase) tarry_rt_switch_fast(from, to);
  else tarry_rt_switch_slow(from, to);
}

}  // namespace tarry::native::rt
