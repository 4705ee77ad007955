// The functions that the runtime takes over, as the libraries have them.
#pragma once

#include <dlfcn.h>

/// TARRY_REAL(pthread_create)(…): the next definition after ours.
#define TARRY_REAL(name)                                                                           \
  ([] {                                                                                            \
    static auto const real = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name));       \
    return real;                                                                                   \
  }())
/// The same for those that no header declares.
#define TARRY_REAL_AS(name, ...)                                                                   \
  ([] {                                                                                            \
    using Function = __VA_ARGS__;                                                                  \
    static auto const real = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, #name));               \
    return real;                                                                                   \
  }())

/// Seen by the program instead of the library's.
#define TARRY_TAKEN_OVER extern "C" __attribute__((visibility("default"), used))

/// The same for functions of C++ libraries, by the symbols that these have.
#define TARRY_TAKEN_OVER_AS(result, name, symbol, ...)       \
  TARRY_TAKEN_OVER result name(__VA_ARGS__) __asm__(symbol); \
  TARRY_TAKEN_OVER result name(__VA_ARGS__)
#define TARRY_REAL_SYMBOL(symbol, type)                                          \
  ([] {                                                                          \
    static auto const real = reinterpret_cast<type>(::dlsym(RTLD_NEXT, symbol)); \
    return real;                                                                 \
  }())
