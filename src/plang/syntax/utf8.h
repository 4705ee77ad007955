// UTF-8, as far as string literals need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::plang {

/// Returns the length of the first character in bytes, or 0 if it is not valid: truncated, overlong, a surrogate, or above
/// U+10FFFF.
std::size_t utf8_length(std::string_view text);

/// Appends a character. Requires: it is not a surrogate.
void append_utf8(std::string& out, std::uint32_t character);

}  // namespace tarry::plang
