// Functions that read numbers and texts, by a format or without: the text that they read, the texts that they print, and what they store count as accesses
// of their callers (told_access.h).
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>

#include "native/rt/calls/format.h"
#include "native/rt/calls/library_calls.h"
#include "native/rt/posix/stream.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

#define TARRY_TEXT(result, name, ...) TARRY_TAKEN_OVER_AS(result, told_##name, #name, __VA_ARGS__)

namespace {

/// A number at the start of a text: what was read of it, and where it ends.
template <class Read>
auto number_in(const char* text, char** end, std::uintptr_t who, const Read& read) {
  if (who == 0 || text == nullptr) return read(text, end);
  char* stopped = nullptr;
  read(text, &stopped);
  reads(text, static_cast<std::size_t>(stopped - text) + 1, who);
  const auto value = read(text, &stopped);  // as it is at that point
  if (end != nullptr) {
    writes(end, sizeof(*end), who);
    *end = stopped;
  }
  return value;
}

}  // namespace

#define TARRY_INTEGER(T, name)                                                                                                       \
  TARRY_TEXT(T, name, const char* text, char** end, int base) {                                                                      \
    return number_in(text, end, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(name)(from, to, base); }); \
  }
TARRY_INTEGER(long, strtol)
TARRY_INTEGER(unsigned long, strtoul)
TARRY_INTEGER(long long, strtoll)
TARRY_INTEGER(unsigned long long, strtoull)
#undef TARRY_INTEGER
#define TARRY_REAL_NUMBER(T, name)                                                                                                   \
  TARRY_TEXT(T, name, const char* text, char** end) {                                                                                \
    return number_in(text, end, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(name)(from, to); });     \
  }
TARRY_REAL_NUMBER(float, strtof)
TARRY_REAL_NUMBER(double, strtod)
TARRY_REAL_NUMBER(long double, strtold)
#undef TARRY_REAL_NUMBER
TARRY_TEXT(int, atoi, const char* text) {
  return static_cast<int>(number_in(text, nullptr, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(strtol)(from, to, 10); }));
}
TARRY_TEXT(long, atol, const char* text) {
  return number_in(text, nullptr, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(strtol)(from, to, 10); });
}
TARRY_TEXT(long long, atoll, const char* text) {
  return number_in(text, nullptr, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(strtoll)(from, to, 10); });
}
TARRY_TEXT(double, atof, const char* text) {
  return number_in(text, nullptr, accessor(TARRY_CALLER), [&](const char* from, char** to) { return TARRY_REAL(strtod)(from, to); });
}

// ---------------------------------------------------------------- reading by a format

namespace {

int scan_text(const char* text, const char* format, std::va_list values, std::uintptr_t who) {
  reads_text(text, who);
  reads_text(format, who);
  Stored stored(format, values, who);
  const int count = TARRY_REAL(vsscanf)(text, format, values);
  stored.tell(count);
  return count;
}
int scan_stream(FILE* stream, const char* format, std::va_list values, std::uintptr_t who) {
  uses_stream(stream, who);
  reads_text(format, who);
  Stored stored(format, values, who);
  const int count = TARRY_REAL(vfscanf)(stream, format, values);
  stored.tell(count);
  return count;
}
template <class Char>
void prints_texts(const FILE* stream, const Char* format, std::va_list values, std::uintptr_t who) {
  uses_stream(stream, who);
  prints_values(format, values, who);
}

}  // namespace

#define TARRY_WITH_VALUES(call)       \
  std::va_list values;                \
  va_start(values, format);           \
  const int result = call;            \
  va_end(values);                     \
  return result
#define TARRY_SCANS(sscanf, vsscanf, fscanf, vfscanf, scanf, vscanf)                                                                                                    \
  TARRY_TEXT(int, vsscanf, const char* text, const char* format, std::va_list values) { return scan_text(text, format, values, accessor(TARRY_CALLER)); }               \
  TARRY_TEXT(int, sscanf, const char* text, const char* format, ...) { TARRY_WITH_VALUES(scan_text(text, format, values, accessor(TARRY_CALLER))); }                     \
  TARRY_TEXT(int, vfscanf, FILE* stream, const char* format, std::va_list values) { return scan_stream(stream, format, values, accessor(TARRY_CALLER)); }                \
  TARRY_TEXT(int, fscanf, FILE* stream, const char* format, ...) { TARRY_WITH_VALUES(scan_stream(stream, format, values, accessor(TARRY_CALLER))); }                     \
  TARRY_TEXT(int, vscanf, const char* format, std::va_list values) { return scan_stream(stdin, format, values, accessor(TARRY_CALLER)); }                                \
  TARRY_TEXT(int, scanf, const char* format, ...) { TARRY_WITH_VALUES(scan_stream(stdin, format, values, accessor(TARRY_CALLER))); }
TARRY_SCANS(sscanf, vsscanf, fscanf, vfscanf, scanf, vscanf)
TARRY_SCANS(__isoc99_sscanf, __isoc99_vsscanf, __isoc99_fscanf, __isoc99_vfscanf, __isoc99_scanf, __isoc99_vscanf)
#undef TARRY_SCANS

TARRY_TEXT(int, vfprintf, FILE* stream, const char* format, std::va_list values) {
  prints_texts(stream, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vfprintf)(stream, format, values);
}
TARRY_TEXT(int, vprintf, const char* format, std::va_list values) {
  prints_texts(stdout, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vfprintf)(stdout, format, values);
}
TARRY_TEXT(int, fprintf, FILE* stream, const char* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stream, format, values, accessor(TARRY_CALLER)), TARRY_REAL(vfprintf)(stream, format, values)));
}
TARRY_TEXT(int, printf, const char* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stdout, format, values, accessor(TARRY_CALLER)), TARRY_REAL(vfprintf)(stdout, format, values)));
}
namespace {
using Checked = int(FILE*, int, const char*, std::va_list);
}
TARRY_TEXT(int, __fprintf_chk, FILE* stream, int flag, const char* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stream, format, values, accessor(TARRY_CALLER)), TARRY_REAL_AS(__vfprintf_chk, Checked)(stream, flag, format, values)));
}
TARRY_TEXT(int, __printf_chk, int flag, const char* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stdout, format, values, accessor(TARRY_CALLER)), TARRY_REAL_AS(__vfprintf_chk, Checked)(stdout, flag, format, values)));
}

TARRY_TEXT(int, __vfprintf_chk, FILE* stream, int flag, const char* format, std::va_list values) {
  prints_texts(stream, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vfprintf_chk, Checked)(stream, flag, format, values);
}
TARRY_TEXT(int, __vprintf_chk, int flag, const char* format, std::va_list values) {
  prints_texts(stdout, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vfprintf_chk, Checked)(stdout, flag, format, values);
}

namespace {

int print_to_descriptor(int file, const char* format, std::va_list values, std::uintptr_t caller) {
  prints_texts(nullptr, format, values, accessor(caller));
  return TARRY_REAL(vdprintf)(file, format, values);
}

/// Into memory that is allocated for it.
int print_anew(char** to, const char* format, std::va_list values, std::uintptr_t caller) {
  prints_texts(nullptr, format, values, accessor(caller));
  char* text = nullptr;
  const int length = TARRY_REAL(vasprintf)(&text, format, values);
  writes(to, sizeof(*to), accessor(caller));
  *to = length < 0 ? nullptr : text;
  return length;
}

}  // namespace

TARRY_TEXT(int, vdprintf, int file, const char* format, std::va_list values) { return print_to_descriptor(file, format, values, TARRY_CALLER); }
TARRY_TEXT(int, dprintf, int file, const char* format, ...) { TARRY_WITH_VALUES(print_to_descriptor(file, format, values, TARRY_CALLER)); }
TARRY_TEXT(int, __vdprintf_chk, int file, int /*flag*/, const char* format, std::va_list values) { return print_to_descriptor(file, format, values, TARRY_CALLER); }
TARRY_TEXT(int, __dprintf_chk, int file, int /*flag*/, const char* format, ...) { TARRY_WITH_VALUES(print_to_descriptor(file, format, values, TARRY_CALLER)); }
TARRY_TEXT(int, vasprintf, char** to, const char* format, std::va_list values) { return print_anew(to, format, values, TARRY_CALLER); }
TARRY_TEXT(int, asprintf, char** to, const char* format, ...) { TARRY_WITH_VALUES(print_anew(to, format, values, TARRY_CALLER)); }
TARRY_TEXT(int, __vasprintf_chk, char** to, int /*flag*/, const char* format, std::va_list values) { return print_anew(to, format, values, TARRY_CALLER); }
TARRY_TEXT(int, __asprintf_chk, char** to, int /*flag*/, const char* format, ...) { TARRY_WITH_VALUES(print_anew(to, format, values, TARRY_CALLER)); }

// Wide characters. How much would be printed into memory is not known ahead, as these functions fail where there is too little room.
namespace {

using CheckedWide = int(FILE*, int, const wchar_t*, std::va_list);

template <class Print>
int print_wide(wchar_t* to, std::size_t room, const wchar_t* format, std::va_list values, std::uintptr_t who, const Print& print) {
  prints_values(format, values, who);
  Landing landing(to, room <= SIZE_MAX / sizeof(wchar_t) ? room * sizeof(wchar_t) : SIZE_MAX, who);
  auto* const at = static_cast<wchar_t*>(landing.at());
  const int n = print(at);
  if (n >= 0) landing.written((static_cast<std::size_t>(n) + 1) * sizeof(wchar_t));
  else if (room > 0) landing.written(std::min(TARRY_REAL(wcsnlen)(at, room) + 1, room) * sizeof(wchar_t));
  return n;
}

}  // namespace

TARRY_TEXT(int, vfwprintf, FILE* stream, const wchar_t* format, std::va_list values) {
  prints_texts(stream, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vfwprintf)(stream, format, values);
}
TARRY_TEXT(int, vwprintf, const wchar_t* format, std::va_list values) {
  prints_texts(stdout, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL(vfwprintf)(stdout, format, values);
}
TARRY_TEXT(int, fwprintf, FILE* stream, const wchar_t* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stream, format, values, accessor(TARRY_CALLER)), TARRY_REAL(vfwprintf)(stream, format, values)));
}
TARRY_TEXT(int, wprintf, const wchar_t* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stdout, format, values, accessor(TARRY_CALLER)), TARRY_REAL(vfwprintf)(stdout, format, values)));
}
TARRY_TEXT(int, __vfwprintf_chk, FILE* stream, int flag, const wchar_t* format, std::va_list values) {
  prints_texts(stream, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vfwprintf_chk, CheckedWide)(stream, flag, format, values);
}
TARRY_TEXT(int, __vwprintf_chk, int flag, const wchar_t* format, std::va_list values) {
  prints_texts(stdout, format, values, accessor(TARRY_CALLER));
  return TARRY_REAL_AS(__vfwprintf_chk, CheckedWide)(stdout, flag, format, values);
}
TARRY_TEXT(int, __fwprintf_chk, FILE* stream, int flag, const wchar_t* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stream, format, values, accessor(TARRY_CALLER)), TARRY_REAL_AS(__vfwprintf_chk, CheckedWide)(stream, flag, format, values)));
}
TARRY_TEXT(int, __wprintf_chk, int flag, const wchar_t* format, ...) {
  TARRY_WITH_VALUES((prints_texts(stdout, format, values, accessor(TARRY_CALLER)), TARRY_REAL_AS(__vfwprintf_chk, CheckedWide)(stdout, flag, format, values)));
}
TARRY_TEXT(int, vswprintf, wchar_t* to, std::size_t room, const wchar_t* format, std::va_list values) {
  return print_wide(to, room, format, values, accessor(TARRY_CALLER), [&](wchar_t* at) { return TARRY_REAL(vswprintf)(at, room, format, values); });
}
TARRY_TEXT(int, swprintf, wchar_t* to, std::size_t room, const wchar_t* format, ...) {
  TARRY_WITH_VALUES(print_wide(to, room, format, values, accessor(TARRY_CALLER), [&](wchar_t* at) { return TARRY_REAL(vswprintf)(at, room, format, values); }));
}
namespace {
using CheckedWideText = int(wchar_t*, std::size_t, int, std::size_t, const wchar_t*, std::va_list);
}
TARRY_TEXT(int, __vswprintf_chk, wchar_t* to, std::size_t room, int flag, std::size_t size, const wchar_t* format, std::va_list values) {
  return print_wide(to, room, format, values, accessor(TARRY_CALLER), [&](wchar_t* at) { return TARRY_REAL_AS(__vswprintf_chk, CheckedWideText)(at, room, flag, size, format, values); });
}
TARRY_TEXT(int, __swprintf_chk, wchar_t* to, std::size_t room, int flag, std::size_t size, const wchar_t* format, ...) {
  TARRY_WITH_VALUES(print_wide(to, room, format, values, accessor(TARRY_CALLER), [&](wchar_t* at) { return TARRY_REAL_AS(__vswprintf_chk, CheckedWideText)(at, room, flag, size, format, values); }));
}

// ---------------------------------------------------------------- sorting, times

/// What compares is the program's code, and tells what it reads itself; the sorting moves all of it.
TARRY_TEXT(void, qsort, void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
  writes(base, count * size, accessor(TARRY_CALLER));
  TARRY_REAL(qsort)(base, count, size, compare);
}
TARRY_TEXT(void, qsort_r, void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*, void*), void* argument) {
  writes(base, count * size, accessor(TARRY_CALLER));
  TARRY_REAL(qsort_r)(base, count, size, compare, argument);
}
TARRY_TEXT(tm*, localtime_r, const time_t* time, tm* to) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  uses_time_zone(false, TARRY_CALLER);
  reads(time, sizeof(*time), who), writes(to, sizeof(*to), who);
  return TARRY_REAL(localtime_r)(time, to);
}
TARRY_TEXT(tm*, gmtime_r, const time_t* time, tm* to) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  reads(time, sizeof(*time), who), writes(to, sizeof(*to), who);
  return TARRY_REAL(gmtime_r)(time, to);
}
TARRY_TEXT(time_t, mktime, tm* time) {
  uses_time_zone(true, TARRY_CALLER);
  writes(time, sizeof(*time), accessor(TARRY_CALLER));
  return TARRY_REAL(mktime)(time);
}
TARRY_TEXT(std::size_t, strftime, char* to, std::size_t room, const char* format, const tm* time) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  uses_time_zone(true, TARRY_CALLER);
  reads(time, sizeof(*time), who);
  reads_text(format, who);
  Landing landing(to, room, who);
  const std::size_t n = TARRY_REAL(strftime)(static_cast<char*>(landing.at()), room, format, time);
  if (n > 0) landing.written(n + 1);
  return n;
}
