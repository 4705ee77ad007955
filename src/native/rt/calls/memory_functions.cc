// memcpy, strlen and their relatives. libc is not instrumented, and compilers leave these calls to the library of the sanitizer (clang calls
// __tsan_memcpy instead, from version 16 on): what they read and write are accesses of their callers, which race and are points as others do.
//
// The engine's own calls do not come here: the linker gives it the real functions (--wrap, cmake/runtime.cmake).
//
// A copy reads before it writes, and where it is a point another thread may run in between: what was read is kept until then.
#include <strings.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "native/rt/calls/format.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

namespace {

constexpr std::size_t kNoBound = SIZE_MAX;
using Checked = void*(void*, const void*, std::size_t, std::size_t);

void* copy(void* to, const void* from, std::size_t size, std::uintptr_t who) {
  if (who == 0 || !ends_somewhere(from, size) || !ends_somewhere(to, size)) return TARRY_REAL(memmove)(to, from, size);
  reading(from, size, who);
  if (!is_point(who)) {
    writing(to, size, who);
    return TARRY_REAL(memmove)(to, from, size);
  }
  const Room between(size);
  if (between.at() != nullptr) TARRY_REAL(memmove)(between.at(), from, size);
  writing(to, size, who);
  return TARRY_REAL(memmove)(to, between.at() != nullptr ? between.at() : from, size);
}

std::size_t length(const char* text) { return TARRY_REAL(strlen)(text); }
std::size_t length(const char* text, std::size_t most) { return TARRY_REAL(strnlen)(text, most); }
/// Both, as far as `same` says that they are, and the byte that decides.
template <class Same>
void reads_both(const void* a, const void* b, std::size_t most, std::uintptr_t who, const Same& same) {
  if (who == 0) return;
  std::size_t n = 0;
  while (n < most && same(static_cast<const char*>(a)[n], static_cast<const char*>(b)[n])) ++n;
  n = std::min(n + 1, most);
  reads(a, n, who), reads(b, n, who);
}
bool equal(char a, char b) { return a == b; }
bool equal_in_text(char a, char b) { return a == b && a != 0; }
bool equal_but_for_case(char a, char b) {
  const char letter = static_cast<char>(a | 0x20);
  return equal_in_text(a, b) || ((a ^ b) == 0x20 && letter >= 'a' && letter <= 'z');
}

/// As far as what was found, or all of it.
void reads_until(const void* from, const void* found, std::size_t all, std::uintptr_t who) {
  reads(from, found == nullptr ? all : static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(from)) + 1, who);
}

/// The rest is filled with zeros.
void copy_text(char* to, const char* from, std::size_t size, std::uintptr_t who) {
  const std::size_t n = length(from, size);
  reads(from + n, n < size ? 1 : 0, who);
  copy(to, from, n, who);
  writes(to + n, size - n, who);
  TARRY_REAL(memset)(to + n, 0, size - n);
}

/// So many bytes, and a zero behind them.
void append(char* to, const char* from, std::size_t n, std::uintptr_t who) {
  const std::size_t before = length(to);
  reads(to, before + 1, who);
  copy(to + before, from, n, who);
  writes(to + before + n, 1, who);
  to[before + n] = 0;
}

/// What a text will be is known only when it has been made; it may be made of others.
void prints(const char* to, std::size_t room, const char* format, std::va_list values, std::uintptr_t who) {
  if (who == 0) return;
  prints_values(format, values, who);
  std::va_list again;
  va_copy(again, values);
  const int n = TARRY_REAL(vsnprintf)(nullptr, 0, format, again);
  va_end(again);
  if (n >= 0) writes(to, std::min(static_cast<std::size_t>(n) + 1, room), who);
}

}  // namespace

// In C's header some are two functions for C++, one for constants and one not; here they are the symbols that they are.
#define TARRY_MEMORY_FUNCTION(result, name, ...) TARRY_TAKEN_OVER_AS(result, taken_##name, #name, __VA_ARGS__)

TARRY_MEMORY_FUNCTION(void*, memcpy, void* to, const void* from, std::size_t size) { return copy(to, from, size, accessor(TARRY_CALLER)); }
TARRY_MEMORY_FUNCTION(void*, memmove, void* to, const void* from, std::size_t size) { return copy(to, from, size, accessor(TARRY_CALLER)); }
TARRY_MEMORY_FUNCTION(void*, __tsan_memcpy, void* to, const void* from, std::size_t size) { return copy(to, from, size, accessor(TARRY_CALLER)); }
TARRY_MEMORY_FUNCTION(void*, __tsan_memmove, void* to, const void* from, std::size_t size) { return copy(to, from, size, accessor(TARRY_CALLER)); }
TARRY_MEMORY_FUNCTION(void*, mempcpy, void* to, const void* from, std::size_t size) { return static_cast<char*>(copy(to, from, size, accessor(TARRY_CALLER))) + size; }
TARRY_MEMORY_FUNCTION(void*, __memcpy_chk, void* to, const void* from, std::size_t size, std::size_t room) {
  return size > room ? TARRY_REAL_AS(__memcpy_chk, Checked)(to, from, size, room) : copy(to, from, size, accessor(TARRY_CALLER));
}
TARRY_MEMORY_FUNCTION(void*, __memmove_chk, void* to, const void* from, std::size_t size, std::size_t room) {
  return size > room ? TARRY_REAL_AS(__memmove_chk, Checked)(to, from, size, room) : copy(to, from, size, accessor(TARRY_CALLER));
}
TARRY_MEMORY_FUNCTION(void*, __mempcpy_chk, void* to, const void* from, std::size_t size, std::size_t room) {
  return size > room ? TARRY_REAL_AS(__mempcpy_chk, Checked)(to, from, size, room) : static_cast<char*>(copy(to, from, size, accessor(TARRY_CALLER))) + size;
}
TARRY_MEMORY_FUNCTION(void, bcopy, const void* from, void* to, std::size_t size) { copy(to, from, size, accessor(TARRY_CALLER)); }
TARRY_MEMORY_FUNCTION(wchar_t*, wmemcpy, wchar_t* to, const wchar_t* from, std::size_t n) { return static_cast<wchar_t*>(copy(to, from, n * sizeof(wchar_t), accessor(TARRY_CALLER))); }
TARRY_MEMORY_FUNCTION(wchar_t*, wmemmove, wchar_t* to, const wchar_t* from, std::size_t n) { return static_cast<wchar_t*>(copy(to, from, n * sizeof(wchar_t), accessor(TARRY_CALLER))); }

TARRY_MEMORY_FUNCTION(void*, memset, void* to, int value, std::size_t size) {
  writes(to, size, accessor(TARRY_CALLER));
  return TARRY_REAL(memset)(to, value, size);
}
TARRY_MEMORY_FUNCTION(void*, __tsan_memset, void* to, int value, std::size_t size) {
  writes(to, size, accessor(TARRY_CALLER));
  return TARRY_REAL(memset)(to, value, size);
}
TARRY_MEMORY_FUNCTION(void*, __memset_chk, void* to, int value, std::size_t size, std::size_t room) {
  writes(to, std::min(size, room), accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__memset_chk, void*(void*, int, std::size_t, std::size_t))(to, value, size, room);
}
TARRY_MEMORY_FUNCTION(void, bzero, void* to, std::size_t size) {
  writes(to, size, accessor(TARRY_CALLER));
  TARRY_REAL(memset)(to, 0, size);
}
TARRY_MEMORY_FUNCTION(wchar_t*, wmemset, wchar_t* to, wchar_t value, std::size_t n) {
  writes(to, n * sizeof(wchar_t), accessor(TARRY_CALLER));
  return TARRY_REAL(wmemset)(to, value, n);
}

// What comes behind the first difference, or behind what was looked for, is not read.
TARRY_MEMORY_FUNCTION(int, memcmp, const void* a, const void* b, std::size_t size) {
  reads_both(a, b, size, accessor(TARRY_CALLER), equal);
  return TARRY_REAL(memcmp)(a, b, size);
}
TARRY_MEMORY_FUNCTION(int, bcmp, const void* a, const void* b, std::size_t size) {
  reads_both(a, b, size, accessor(TARRY_CALLER), equal);
  return TARRY_REAL(memcmp)(a, b, size);
}
TARRY_MEMORY_FUNCTION(void*, memchr, const void* in, int byte, std::size_t size) {
  using Find = void*(const void*, int, std::size_t);
  if (const auto who = accessor(TARRY_CALLER)) reads_until(in, TARRY_REAL_AS(memchr, Find)(in, byte, size), size, who);
  return TARRY_REAL_AS(memchr, Find)(in, byte, size);
}
TARRY_MEMORY_FUNCTION(std::size_t, strlen, const char* text) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, length(text) + 1, who);
  return length(text);
}
TARRY_MEMORY_FUNCTION(std::size_t, strnlen, const char* text, std::size_t most) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, extent(text, most), who);
  return length(text, most);
}
TARRY_MEMORY_FUNCTION(int, strcmp, const char* a, const char* b) {
  reads_both(a, b, kNoBound, accessor(TARRY_CALLER), equal_in_text);
  return TARRY_REAL(strcmp)(a, b);
}
TARRY_MEMORY_FUNCTION(int, strncmp, const char* a, const char* b, std::size_t most) {
  reads_both(a, b, most, accessor(TARRY_CALLER), equal_in_text);
  return TARRY_REAL(strncmp)(a, b, most);
}
TARRY_MEMORY_FUNCTION(int, strcasecmp, const char* a, const char* b) {
  reads_both(a, b, kNoBound, accessor(TARRY_CALLER), equal_but_for_case);
  return TARRY_REAL(strcasecmp)(a, b);
}
TARRY_MEMORY_FUNCTION(int, strncasecmp, const char* a, const char* b, std::size_t most) {
  reads_both(a, b, most, accessor(TARRY_CALLER), equal_but_for_case);
  return TARRY_REAL(strncasecmp)(a, b, most);
}
TARRY_MEMORY_FUNCTION(char*, strchr, const char* text, int character) {
  using Find = char*(const char*, int);
  if (const auto who = accessor(TARRY_CALLER)) reads_until(text, TARRY_REAL_AS(strchr, Find)(text, character), length(text) + 1, who);
  return TARRY_REAL_AS(strchr, Find)(text, character);
}
TARRY_MEMORY_FUNCTION(char*, strrchr, const char* text, int character) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, length(text) + 1, who);
  return TARRY_REAL_AS(strrchr, char*(const char*, int))(text, character);
}
TARRY_MEMORY_FUNCTION(char*, strstr, const char* text, const char* part) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, length(text) + 1, who), reads(part, length(part) + 1, who);
  return TARRY_REAL_AS(strstr, char*(const char*, const char*))(text, part);
}

TARRY_MEMORY_FUNCTION(char*, strcpy, char* to, const char* from) { return static_cast<char*>(copy(to, from, length(from) + 1, accessor(TARRY_CALLER))); }
TARRY_MEMORY_FUNCTION(char*, stpcpy, char* to, const char* from) {
  const std::size_t n = length(from);
  return static_cast<char*>(copy(to, from, n + 1, accessor(TARRY_CALLER))) + n;
}
TARRY_MEMORY_FUNCTION(char*, strncpy, char* to, const char* from, std::size_t size) { return copy_text(to, from, size, accessor(TARRY_CALLER)), to; }
TARRY_MEMORY_FUNCTION(char*, strcat, char* to, const char* from) { return append(to, from, length(from), accessor(TARRY_CALLER)), to; }
TARRY_MEMORY_FUNCTION(char*, strncat, char* to, const char* from, std::size_t most) { return append(to, from, length(from, most), accessor(TARRY_CALLER)), to; }
TARRY_MEMORY_FUNCTION(char*, strdup, const char* text) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, length(text) + 1, who);
  return TARRY_REAL(strdup)(text);
}
TARRY_MEMORY_FUNCTION(char*, strndup, const char* text, std::size_t most) {
  if (const auto who = accessor(TARRY_CALLER)) reads(text, extent(text, most), who);
  return TARRY_REAL(strndup)(text, most);
}
// With -D_FORTIFY_SOURCE. What does not fit ends the program before it is written.
TARRY_MEMORY_FUNCTION(char*, __strcpy_chk, char* to, const char* from, std::size_t room) {
  if (length(from) >= room) return TARRY_REAL_AS(__strcpy_chk, char*(char*, const char*, std::size_t))(to, from, room);
  return static_cast<char*>(copy(to, from, length(from) + 1, accessor(TARRY_CALLER)));
}
TARRY_MEMORY_FUNCTION(char*, __strncpy_chk, char* to, const char* from, std::size_t size, std::size_t room) {
  if (size > room) return TARRY_REAL_AS(__strncpy_chk, char*(char*, const char*, std::size_t, std::size_t))(to, from, size, room);
  return copy_text(to, from, size, accessor(TARRY_CALLER)), to;
}
TARRY_MEMORY_FUNCTION(char*, __strcat_chk, char* to, const char* from, std::size_t room) {
  if (length(to) + length(from) >= room) return TARRY_REAL_AS(__strcat_chk, char*(char*, const char*, std::size_t))(to, from, room);
  return append(to, from, length(from), accessor(TARRY_CALLER)), to;
}

TARRY_MEMORY_FUNCTION(int, vsnprintf, char* to, std::size_t room, const char* format, std::va_list values) {
  prints(to, room, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vsnprintf)(to, room, format, values);
}
TARRY_MEMORY_FUNCTION(int, vsprintf, char* to, const char* format, std::va_list values) {
  prints(to, kNoBound, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vsprintf)(to, format, values);
}
TARRY_MEMORY_FUNCTION(int, snprintf, char* to, std::size_t room, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  prints(to, room, format, values, accessor(TARRY_CALLER));
  const int n = TARRY_REAL(vsnprintf)(to, room, format, values);
  va_end(values);
  return n;
}
TARRY_MEMORY_FUNCTION(int, sprintf, char* to, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  prints(to, kNoBound, format, values, accessor(TARRY_CALLER));
  const int n = TARRY_REAL(vsprintf)(to, format, values);
  va_end(values);
  return n;
}
TARRY_MEMORY_FUNCTION(int, __vsnprintf_chk, char* to, std::size_t size, int flags, std::size_t room, const char* format, std::va_list values) {
  prints(to, std::min(size, room), format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vsnprintf_chk, int(char*, std::size_t, int, std::size_t, const char*, std::va_list))(to, size, flags, room, format, values);
}
TARRY_MEMORY_FUNCTION(int, __vsprintf_chk, char* to, int flags, std::size_t room, const char* format, std::va_list values) {
  prints(to, room, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vsprintf_chk, int(char*, int, std::size_t, const char*, std::va_list))(to, flags, room, format, values);
}
TARRY_MEMORY_FUNCTION(int, __snprintf_chk, char* to, std::size_t size, int flags, std::size_t room, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  prints(to, std::min(size, room), format, values, accessor(TARRY_CALLER));
  const int n = TARRY_REAL_AS(__vsnprintf_chk, int(char*, std::size_t, int, std::size_t, const char*, std::va_list))(to, size, flags, room, format, values);
  va_end(values);
  return n;
}
TARRY_MEMORY_FUNCTION(int, __sprintf_chk, char* to, int flags, std::size_t room, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  prints(to, room, format, values, accessor(TARRY_CALLER));
  const int n = TARRY_REAL_AS(__vsprintf_chk, int(char*, int, std::size_t, const char*, std::va_list))(to, flags, room, format, values);
  va_end(values);
  return n;
}

// The engine's own calls.
#define TARRY_ENGINES(result, name, parameters, ...) \
  extern "C" result __wrap_##name parameters;        \
  extern "C" result __wrap_##name parameters { return TARRY_REAL_AS(name, result parameters)(__VA_ARGS__); }
TARRY_ENGINES(void*, memcpy, (void* to, const void* from, std::size_t size), to, from, size)
TARRY_ENGINES(void*, memmove, (void* to, const void* from, std::size_t size), to, from, size)
TARRY_ENGINES(void*, memset, (void* to, int value, std::size_t size), to, value, size)
TARRY_ENGINES(int, memcmp, (const void* a, const void* b, std::size_t size), a, b, size)
TARRY_ENGINES(int, bcmp, (const void* a, const void* b, std::size_t size), a, b, size)
TARRY_ENGINES(void*, memchr, (const void* in, int byte, std::size_t size), in, byte, size)
TARRY_ENGINES(std::size_t, strlen, (const char* text), text)
TARRY_ENGINES(int, strcmp, (const char* a, const char* b), a, b)
TARRY_ENGINES(int, strncmp, (const char* a, const char* b, std::size_t most), a, b, most)
TARRY_ENGINES(int, vsnprintf, (char* to, std::size_t room, const char* format, std::va_list values), to, room, format, values)
