#include "trace/render/plain_text.h"

#include <algorithm>

namespace tarry {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

/// Bytes of the well-formed character that the text starts with, or 0. Surrogates, overlong forms and U+FFFE and U+FFFF are none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues)) return 0;
  char32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff)
    return 0;
  if (code < 0xa0) return 0;  // control characters of the second kind
  return length;
}

}  // namespace

std::string plain_text(std::string_view text, Lines lines) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text[0];
    const bool control = length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
    if (c == '\n' && lines == Lines::kKeep) out += c;
    else if (c == '\n' || c == '\t') out += ' ';
    else if (length == 0 || control) out += kReplacement;
    else out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string pad(const std::string& text, std::size_t width) {
  const std::size_t has = columns(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

}  // namespace tarry
