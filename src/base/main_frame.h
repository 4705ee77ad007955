// The frame of main: a place that the stack of the main thread has in every process, so that variables on that stack have names (enforce/region_footprint.h).
#pragma once

#include <cstdint>

namespace tarry {

/// Calls main, and stores where its frame begins. x86-64 only.
template <class Main>
[[gnu::noinline]] int call_main(Main main, int argc, char** argv, char** environment, std::uintptr_t& frame) {
  std::uintptr_t stack = 0;
  asm volatile("mov %%rsp, %0" : "=r"(stack));
  frame = stack;
  const int code = main(argc, argv, environment);
  asm volatile("" ::: "memory");  // the call is no jump, which would take place further up the stack
  return code;
}

}  // namespace tarry
