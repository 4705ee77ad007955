// The functions that this library takes over, as glibc and the libraries have them.
#pragma once

#include <dlfcn.h>

/// TARRY_NEXT(pthread_create)(…): the next definition after ours.
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

/// Seen by the program instead of the library's.
#define TARRY_ENFORCED extern "C" __attribute__((visibility("default"), used))

/// Where the program called.
#define TARRY_PLACE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1
