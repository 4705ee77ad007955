/* What a test of threaded code can tell Tarry. Nothing of it is needed: programs are checked as they are.
 *
 *   tarry::choose(n)      a value from 0 to n - 1; every one is explored. Without Tarry: 0
 *   TARRY_EXPECT(cond)    cond must be true; if not, that is a finding. Without Tarry: the program aborts, as assert does
 *   tarry::expect(cond)   the same, as a function
 *   tarry::yield()        this thread cannot do anything useful until another one does something: for loops that poll
 *   tarry::seal(), tarry::unseal()   what is between them is not interrupted by other threads. A thread that blocks unseals
 *   tarry::cover(text)   the situation that the text names was met. Which ones were, in any execution, is told with the verdict
 *   tarry::under_control()           does Tarry run this program right now?
 *
 * In C: tarry_choose, TARRY_EXPECT, tarry_yield, tarry_seal, tarry_unseal, tarry_cover, tarry_under_control.
 *
 * There is nothing to link: the functions below are those of Tarry's runtime if it is in the process, and else they do nothing. */
#pragma once

#ifdef __cplusplus
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#else
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) uint32_t tarry_rt_choose(uint32_t n);
__attribute__((weak)) void tarry_rt_expect_failed(const char* text, const char* file, uint32_t line);
__attribute__((weak)) void tarry_rt_yield(void);
__attribute__((weak)) void tarry_rt_seal(void);
__attribute__((weak)) void tarry_rt_unseal(void);
__attribute__((weak)) void tarry_rt_cover(const char* text);
__attribute__((weak)) int tarry_rt_under_control(void);

static inline int tarry_under_control(void) { return tarry_rt_under_control != 0 && tarry_rt_under_control() != 0; }

static inline uint32_t tarry_choose(uint32_t n) { return tarry_rt_choose != 0 ? tarry_rt_choose(n) : 0; }

static inline void tarry_expect_failed(const char* text, const char* file, uint32_t line) {
  if (tarry_rt_expect_failed != 0) tarry_rt_expect_failed(text, file, line); /* comes back if the program runs without Tarry */
  fprintf(stderr, "%s:%u: expected: %s\n", file, (unsigned)line, text);
  abort();
}

static inline void tarry_yield(void) {
  if (tarry_rt_yield != 0) tarry_rt_yield();
}

static inline void tarry_seal(void) {
  if (tarry_rt_seal != 0) tarry_rt_seal();
}

static inline void tarry_unseal(void) {
  if (tarry_rt_unseal != 0) tarry_rt_unseal();
}

static inline void tarry_cover(const char* text) {
  if (tarry_rt_cover != 0) tarry_rt_cover(text);
}

#ifdef __cplusplus
}  // extern "C"
#endif

#define TARRY_EXPECT(condition) ((condition) ? (void)0 : tarry_expect_failed(#condition, __FILE__, __LINE__))

#ifdef __cplusplus
namespace tarry {

inline std::uint32_t choose(std::uint32_t n) { return tarry_choose(n); }
inline void yield() { tarry_yield(); }
inline void seal() { tarry_seal(); }
inline void unseal() { tarry_unseal(); }
inline void cover(const char* text) { tarry_cover(text); }
inline bool under_control() { return tarry_under_control() != 0; }

/// TARRY_EXPECT says which condition it was; this one only where.
inline void expect(bool condition, const char* file = __builtin_FILE(), std::uint32_t line = static_cast<std::uint32_t>(__builtin_LINE())) {
  if (!condition) tarry_expect_failed("the condition", file, line);
}

/// A seal for a scope.
class Sealed {
 public:
  Sealed() { seal(); }
  ~Sealed() { unseal(); }
  Sealed(const Sealed&) = delete;
  Sealed& operator=(const Sealed&) = delete;
};

}  // namespace tarry
#endif
