// Format strings: `{{` and `}}` stand for braces, `{digits}` for an argument. No other braces are allowed.
#include <algorithm>

#include "plang/sema/body.h"

namespace tarry::plang {
namespace {

constexpr std::int64_t kMostArguments = 1'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::int64_t format_arguments(std::string_view text) {
  std::int64_t needed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') continue;
    if (i + 1 < text.size() && text[i + 1] == text[i]) {
      ++i;
      continue;
    }
    if (text[i] == '}') return -1;
    std::int64_t number = 0;
    std::size_t end = i + 1;
    for (; end < text.size() && is_digit(text[end]); ++end) number = std::min(number * 10 + (text[end] - '0'), kMostArguments);
    if (end == i + 1 || end == text.size() || text[end] != '}') return -1;
    needed = std::max(needed, number + 1);
    i = end;
  }
  return needed;
}

}  // namespace tarry::plang
