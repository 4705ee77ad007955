// UTF-8, as much as string literals need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::plang {

/// Bytes of the character that the text starts with; 0 if it is none: cut off, too long a form, a surrogate, or above U+10FFFF.
std::size_t utf8_length(std::string_view text);

/// Requires: a character, not a surrogate.
void append_utf8(std::string& out, std::uint32_t character);

}  // namespace tarry::plang
