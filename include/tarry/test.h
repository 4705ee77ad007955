/* Functions with which a test of threaded code talks to Tarry. They are optional: Tarry also checks programs that do not use them.
 *
 *   tarry::choose(n)      returns a value from 0 to n - 1; Tarry explores every value. Without Tarry: returns 0
 *   tarry::input(name, low, high, value)
 *                         returns an input of the program. Tarry explores every value from low to high ('tarry check', 'tarry verify').
 *                         Otherwise, under 'tarry run' too: returns value. Without value: low
 *   tarry::Region region("name");
 *                         marks a part of the program that runs again and again, until the end of the scope. 'tarry verify' and 'tarry run'
 *                         verify and enforce this part by itself (docs/enforce.md). region.ignore(object): its present value does not matter
 *   TARRY_EXPECT(cond)    reports a finding if cond is false. Without Tarry: aborts, as assert does
 *   tarry::expect(cond)   the same, as a function
 *   tarry::yield()        says that this thread cannot make progress until another thread does something: for loops that poll
 *   tarry::seal(), tarry::unseal()   keep other threads from running in between. A thread that blocks loses its seal
 *   tarry::cover(text)    records that this execution reached the situation that the text names. The verdict lists the situations
 *                         reached in any execution
 *   tarry::under_control()           returns whether Tarry runs this program now
 *
 * In C: tarry_choose, tarry_input, tarry_enter_region, tarry_leave_region, tarry_ignore_in_region, TARRY_EXPECT, tarry_yield, tarry_seal, tarry_unseal, tarry_cover, tarry_under_control.
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
__attribute__((weak)) void tarry_rt_enter_region(const char* name);
__attribute__((weak)) void tarry_rt_leave_region(void);
__attribute__((weak)) void tarry_rt_ignore_in_region(const void* object, size_t size);
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

/* The place of the call identifies the region, too. */
__attribute__((always_inline)) static inline void tarry_enter_region(const char* name) {
  if (tarry_rt_enter_region != 0) tarry_rt_enter_region(name);
}
__attribute__((always_inline)) static inline void tarry_leave_region(void) {
  if (tarry_rt_leave_region != 0) tarry_rt_leave_region();
}
static inline void tarry_ignore_in_region(const void* object, size_t size) {
  if (tarry_rt_ignore_in_region != 0) tarry_rt_ignore_in_region(object, size);
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

/// Marks a scope as a region. The main thread enters it while there is no other thread, and all threads that are created in it are joined before its end.
class Region {
 public:
  __attribute__((always_inline)) explicit Region(const char* name) { tarry_enter_region(name); }
  __attribute__((always_inline)) ~Region() { tarry_leave_region(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Says that what the region does, and whether it is right, does not depend on the value that the object has at the entry.
  template <class T>
  void ignore(const T& object) { tarry_ignore_in_region(&object, sizeof(object)); }
};

}  // namespace tarry
#endif
