#include "native/rt/calls/format.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

enum class Length { kInt, kChar, kShort, kLong, kLongDouble };

/// hh, h, l, ll, j, z, t, L, q.
template <class Char>
Length take_length(const Char*& at) {
  switch (*at) {
    case 'h': return *++at == 'h' ? (++at, Length::kChar) : Length::kShort;
    case 'l':
      if (*++at == 'l') ++at;
      return Length::kLong;
    case 'j':
    case 'z':
    case 't':
    case 'q': ++at; return Length::kLong;
    case 'L': ++at; return Length::kLongDouble;
    default: return Length::kInt;
  }
}

template <class Char>
bool is_digit(Char c) { return c >= '0' && c <= '9'; }

template <class Char>
bool take_number(const Char*& at, std::size_t& number) {
  if (!is_digit(*at)) return false;
  for (number = 0; is_digit(*at); ++at) number = number * 10 + static_cast<std::size_t>(*at - '0');
  return true;
}

std::size_t size_of_integer(Length length) {
  switch (length) {
    case Length::kChar: return 1;
    case Length::kShort: return 2;
    case Length::kInt: return 4;
    default: return 8;
  }
}
std::size_t size_of_real(Length length) { return length == Length::kLongDouble ? sizeof(long double) : length == Length::kLong ? sizeof(double) : sizeof(float); }

/// Behind "%[…]".
const char* end_of_set(const char* at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != '\0' && *at != ']') ++at;
  return *at == '\0' ? at : at + 1;
}

std::size_t extent_of(const wchar_t* text, std::size_t most = SIZE_MAX) {
  std::size_t n = 0;
  while (n < most && text[n] != 0) ++n;
  return std::min(n < most ? n + 1 : n, most) * sizeof(wchar_t);
}
std::size_t extent_of(const char* text, std::size_t most = SIZE_MAX) { return extent(text, most); }

template <class Char>
void tell_values(const Char* format, std::va_list values, std::uintptr_t who) {
  if (who == 0 || format == nullptr) return;
  reads(format, extent_of(format), who);
  std::va_list left;
  va_copy(left, values);
  for (const Char* at = format; *at != 0;) {
    if (*at++ != '%') continue;
    if (*at == '%' || *at == 'm') {
      ++at;
      continue;
    }
    constexpr std::string_view kFlags = "-+ #0'I";
    while (*at != 0 && std::find(kFlags.begin(), kFlags.end(), *at) != kFlags.end()) ++at;
    std::size_t width = 0, precision = SIZE_MAX;
    if (*at == '*') ++at, va_arg(left, int);
    else if (take_number(at, width) && *at == '$') break;
    if (*at == '.') {
      precision = 0;
      if (*++at == '*') {
        const int given = va_arg(left, int);
        precision = given < 0 ? SIZE_MAX : static_cast<std::size_t>(given);
        ++at;
      } else {
        take_number(at, precision);
      }
    }
    const Length length = take_length(at);
    const Char kind = *at++;
    switch (kind) {
      case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        if (length == Length::kLong) va_arg(left, long);
        else va_arg(left, int);
        break;
      case 'c': case 'C': va_arg(left, int); break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (length == Length::kLongDouble) va_arg(left, long double);
        else va_arg(left, double);
        break;
      case 'p': va_arg(left, void*); break;
      case 'n': writes(va_arg(left, void*), size_of_integer(length), who); break;
      case 's': case 'S': {
        const void* const text = va_arg(left, const void*);
        const bool wide = kind == 'S' || length == Length::kLong;
        if (text != nullptr) reads(text, wide ? extent_of(static_cast<const wchar_t*>(text), precision) : extent(static_cast<const char*>(text), precision), who);
        break;
      }
      default: va_end(left); return;
    }
  }
  va_end(left);
}

}  // namespace

void prints_values(const char* format, std::va_list values, std::uintptr_t who) { tell_values(format, values, who); }
void prints_values(const wchar_t* format, std::va_list values, std::uintptr_t who) { tell_values(format, values, who); }

Stored::Stored(const char* format, std::va_list values, std::uintptr_t who) : who_(who) {
  if (who == 0) return;
  std::va_list left;
  va_copy(left, values);
  for (const char* at = format; *at != '\0';) {
    if (*at++ != '%') continue;
    const bool skips = *at == '*';
    if (skips) ++at;
    std::size_t width = 0;
    const bool has_width = take_number(at, width);
    if (*at == '$') break;
    const bool allocates = *at == 'm';
    if (allocates) ++at;
    const Length length = take_length(at);
    const char kind = *at++;
    if (kind == '%') continue;
    if (kind == '[') at = end_of_set(at);
    if (kind == '\0') break;
    if (skips) continue;
    void* const to = va_arg(left, void*);
    const std::size_t wide = length == Length::kLong ? sizeof(wchar_t) : 1;
    if (allocates) add(to, sizeof(char*), true);
    else if (kind == 'd' || kind == 'i' || kind == 'o' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'n') add(to, size_of_integer(length), kind != 'n');
    else if (kind == 'p') add(to, sizeof(void*), true);
    else if (kind == 'c') add(to, (has_width ? width : 1) * wide, true);
    else if (kind == 's' || kind == '[') add(to, wide == 1 ? 0 : wide, true);
    else add(to, size_of_real(length), true);
  }
  va_end(left);
}

void Stored::add(void* at, std::size_t size, bool counts) {
  if (items_ == kMost || at == nullptr) return;
  Item& item = item_[items_++];
  item = {at, size, counts, {}};
  if (size > 0 && size <= kLongest) TARRY_REAL(memmove)(item.before, at, size);
}

void Stored::tell(int count) {
  if (who_ == 0 || count <= 0) return;
  int left = count;
  std::size_t end = 0;
  while (end < items_ && (left > 0 || !item_[end].counts)) left -= item_[end++].counts ? 1 : 0;
  const bool waits = is_point(who_);
  char after[kMost][kLongest];
  for (std::size_t i = 0; i < end && waits; ++i) {
    const Item& item = item_[i];
    if (item.size == 0 || item.size > kLongest) continue;
    TARRY_REAL(memmove)(after[i], item.at, item.size);
    TARRY_REAL(memmove)(item.at, item.before, item.size);
  }
  for (std::size_t i = 0; i < end; ++i) {
    const Item& item = item_[i];
    writes(item.at, item.size != 0 ? item.size : extent(static_cast<const char*>(item.at)), who_);
    if (waits && item.size > 0 && item.size <= kLongest) TARRY_REAL(memmove)(item.at, after[i], item.size);
  }
}

}  // namespace tarry::native::rt
