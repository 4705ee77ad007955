// Functions of libraries that are taken over by their names alone, whatever they take: a stub in assembly saves all argument registers, calls a hook, and goes
// on to the real function.
//
// A stub pushes its number and jumps to the code that the file has for all of its stubs. There, behind `push %rbp; mov %rsp, %rbp`, the number is at
// 8(%rbp) and the return address at 16(%rbp).
#pragma once

/// Six words from -8(%rbp) down, then the vectors.
#define TARRY_KEEP_ARGUMENTS                                                                                                                      \
  " push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n sub $136, %rsp\n and $-16, %rsp\n"                             \
  " movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"                                              \
  " movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
#define TARRY_PUT_ARGUMENTS_BACK                                                                                                                  \
  " movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"                                              \
  " movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n lea -56(%rbp), %rsp\n"                     \
  " pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"

/// The beginning of that code, and its end, with the number still to be taken off the stack.
#define TARRY_BEGIN_STUBS(name)                                                                                                                   \
  ".text\n.type " name ",@function\n" name ":\n .cfi_startproc\n .cfi_def_cfa_offset 16\n push %rbp\n .cfi_def_cfa_offset 24\n"                     \
  " .cfi_offset %rbp, -24\n mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
#define TARRY_END_STUBS(name, leave) " pop %rbp\n .cfi_def_cfa %rsp, 16\n add $8, %rsp\n .cfi_def_cfa_offset 8\n " leave "\n .cfi_endproc\n.size " name ",.-" name "\n"

/// One stub. `count` is a symbol of the assembler, set to 0 ahead of the first: they are numbered as they come.
#define TARRY_LIBRARY_STUB(name, count, code)                                                                                                     \
  asm(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n .cfi_startproc\n push $" count "\n .cfi_def_cfa_offset 16\n"                \
      " jmp " code "\n .cfi_endproc\n.size " #name ",.-" #name "\n.set " count ", " count "+1");
