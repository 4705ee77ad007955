// What a string literal stands for: its escapes are those of C#.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tarry::plang {

struct Unescaped {
  std::string text;     // UTF-8, whatever the bytes of the source were
  std::string problem;  // empty: all is well
  std::size_t problem_at = 0;
};

/// `written` is what stands between the quotes. Line ends are taken as they are; bytes that are not UTF-8 become U+FFFD.
Unescaped unescape(std::string_view written);

}  // namespace tarry::plang
