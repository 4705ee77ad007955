// Text that came from the tested program, made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tarry {

/// Well-formed UTF-8 without control characters, which could move the cursor or break a document: each is replaced by U+FFFD.
/// A newline becomes a space unless lines are kept.
enum class Lines { kJoin, kKeep };
std::string plain_text(std::string_view text, Lines lines = Lines::kJoin);

/// How many columns the text takes, counting one for each character.
std::size_t columns(std::string_view text);

/// Appends spaces up to `width` columns; a longer text stays as it is.
std::string pad(const std::string& text, std::size_t width);

}  // namespace tarry
