// The original functions of glibc and the libraries that this library intercepts.
#pragma once

#include <dlfcn.h>

/// TARRY_NEXT(pthread_create)(…) calls the next definition after ours.
#define TARRY_NEXT(name)                                                                     \
  ([] {                                                                                      \
    static auto const next = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name)); \
    return next;                                                                             \
  }())
#define TARRY_NEXT_AS(name, ...)                                                             \
  ([] {                                                                                      \
    using Function = __VA_ARGS__;                                                            \
    static auto const next = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, #name));         \
    return next;                                                                             \
  }())

/// The program sees this function instead of the library's.
#define TARRY_ENFORCED extern "C" __attribute__((visibility("default"), used))

/// The place of the call in the program.
#define TARRY_PLACE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1
