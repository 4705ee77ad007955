#include "plang/syntax/utf8.h"

namespace tarry::plang {

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  const bool too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) > 0x9f;
  const bool too_large = first == 0xf4 && byte(1) > 0x8f;
  return too_long || surrogate || too_large ? 0 : length;
}

void append_utf8(std::string& out, std::uint32_t character) {
  const auto rest = [&](unsigned shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    rest(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12);
    rest(6), rest(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18);
    rest(12), rest(6), rest(0);
  }
}

}  // namespace tarry::plang
