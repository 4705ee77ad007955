#include "base/words.h"

#include <cctype>
#include <utility>

namespace tarry {
namespace {

/// Tells whether a backslash between such quotes ('\0': none) stands for the character behind it.
bool escapes(char quote, char next, Quoting quoting) {
  if (quoting == Quoting::kResponseFile || quote == '\0') return true;
  return quote == '"' && std::string_view("$`\"\\\n").find(next) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text, Quoting quoting) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && escapes(quote, text[i + 1], quoting)) {
      ++i;
      if (quoting == Quoting::kShell && text[i] == '\n') continue;
      word += text[i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (std::exchange(inside, false)) out.push_back(std::exchange(word, {}));
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) out.push_back(word);
  return out;
}

}  // namespace tarry
