// The value of a string literal. Its escapes are those of C#.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tarry::plang {

struct Unescaped {
  std::string text;     // always UTF-8
  std::string problem;  // empty: no problem
  std::size_t problem_at = 0;
};

/// Converts the text between the quotes. Keeps line ends; replaces bytes that are not UTF-8 by U+FFFD.
Unescaped unescape(std::string_view written);

}  // namespace tarry::plang
