/* Functions with which a test of threaded code talks to Tarry. They are optional: Tarry also checks programs that do not use them.
 *
 *   tarry::choose(n)      returns a value from 0 to n - 1; Tarry explores every value. Without Tarry: returns 0
 *   tarry::input(name, low, high, value)
 *                         returns an input of the program. Tarry explores every value from low to high ('tarry check', 'tarry verify').
 *                         Otherwise, under 'tarry run' too: returns value. Without value: low
 *   TARRY_EXPECT(cond)    reports a finding if cond is false. Without Tarry: aborts, as assert does
 *   tarry::expect(cond)   the same, as a function
 *   tarry::yield()        says that this thread cannot make progress until another thread does something: for loops that poll
 *   tarry::seal(), tarry::unseal()   keep other threads from running in between. A thread that blocks loses its seal
 *   tarry::cover(text)    records that this execution reached the situation that the text names. The verdict lists the situations
 *                         reached in any execution
 *   tarry::under_control()           returns whether Tarry runs this program now
 *
 * In C: tarry_choose, tarry_input, TARRY_EXPECT, tarry_yield, tarry_seal, tarry_unseal, tarry_cover, tarry_under_control.
 *
 * There is nothing to link: the functions call Tarry's runtime if it is in the process; otherwise they do nothing. */
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
__attribute__((weak)) int64_t tarry_rt_input(const char* name, int64_t low, int64_t high, int64_t value);
__attribute__((weak)) void tarry_rt_expect_failed(const char* text, const char* file, uint32_t line);
__attribute__((weak)) void tarry_rt_yield(void);
__attribute__((weak)) void tarry_rt_seal(void);
__attribute__((weak)) void tarry_rt_unseal(void);
__attribute__((weak)) void tarry_rt_cover(const char* text);
__attribute__((weak)) int tarry_rt_under_control(void);

static inline int tarry_under_control(void) { return tarry_rt_under_control != 0 && tarry_rt_under_control() != 0; }

static inline uint32_t tarry_choose(uint32_t n) { return tarry_rt_choose != 0 ? tarry_rt_choose(n) : 0; }

/* Always inline: the place of the call identifies the input. */
__attribute__((always_inline)) static inline int64_t tarry_input(const char* name, int64_t low, int64_t high, int64_t value) {
  return tarry_rt_input != 0 ? tarry_rt_input(name, low, high, value) : value;
}

static inline void tarry_expect_failed(const char* text, const char* file, uint32_t line) {
  if (tarry_rt_expect_failed != 0) tarry_rt_expect_failed(text, file, line); /* returns if the program runs without Tarry */
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
__attribute__((always_inline)) inline std::int64_t input(const char* name, std::int64_t low, std::int64_t high, std::int64_t value) { return tarry_input(name, low, high, value); }
__attribute__((always_inline)) inline std::int64_t input(const char* name, std::int64_t low, std::int64_t high) { return tarry_input(name, low, high, low); }
inline void yield() { tarry_yield(); }
inline void seal() { tarry_seal(); }
inline void unseal() { tarry_unseal(); }
inline void cover(const char* text) { tarry_cover(text); }
inline bool under_control() { return tarry_under_control() != 0; }

/// Checks a condition, and reports the place if it is false. TARRY_EXPECT also reports the text of the condition.
inline void expect(bool condition, const char* file = __builtin_FILE(), std::uint32_t line = static_cast<std::uint32_t>(__builtin_LINE())) {
  if (!condition) tarry_expect_failed("the condition", file, line);
}

/// Holds a seal for a scope.
class Sealed {
 public:
  Sealed() { seal(); }
  ~Sealed() { unseal(); }
  Sealed(const Sealed&) = delete;
  Sealed& operator=(const Sealed&) = delete;
};

}  // namespace tarry
#endif
