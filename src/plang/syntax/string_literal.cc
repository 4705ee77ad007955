#include "plang/syntax/string_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>

#include "plang/syntax/utf8.h"

namespace tarry::plang {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;
constexpr std::uint32_t kLargest = 0x10ffff;

bool is_first_half(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_second_half(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

std::optional<char> simple_escape(char c) {
  constexpr std::string_view kLetters = "ntr0abfv\\\"'";
  constexpr std::string_view kMeanings{"\n\t\r\0\a\b\f\v\\\"'", 11};
  const std::size_t i = kLetters.find(c);
  return i == std::string_view::npos ? std::nullopt : std::optional(kMeanings[i]);
}

class Unescaper {
 public:
  explicit Unescaper(std::string_view written) : rest_(written), whole_(written.size()) {}

  Unescaped run() {
    while (!rest_.empty() && result_.problem.empty()) {
      if (rest_[0] == '\\') escape();
      else character();
    }
    return std::move(result_);
  }

 private:
  void character() {
    const std::size_t length = utf8_length(rest_);
    if (length == 0) append_utf8(result_.text, kReplacement);
    else result_.text += rest_.substr(0, length);
    rest_.remove_prefix(length == 0 ? 1 : length);
  }

  void escape() {
    const char kind = rest_.size() > 1 ? rest_[1] : '\0';
    if (rest_.size() > 1) {
      if (const auto simple = simple_escape(kind)) {
        result_.text += *simple;
        rest_.remove_prefix(2);
        return;
      }
    }
    if (kind == 'u') numbered(4, 4);
    else if (kind == 'U') numbered(8, 8);
    else if (kind == 'x') numbered(1, 4);
    else
      fail("unknown escape '{}'; known are \\n \\t \\r \\0 \\a \\b \\f \\v \\\\ \\\" \\' \\u0041 \\U00000041 \\x41",
           static_cast<unsigned char>(kind) < ' ' ? 1 : 1 + utf8_length(rest_.substr(1)));
  }

  /// Reads a backslash, a letter and at least `least` digits, of which at most `most` count. Returns nothing if they are not
  /// there.
  std::optional<std::uint32_t> digits(std::size_t least, std::size_t most, std::size_t& length) const {
    const std::string_view text = rest_.substr(2, most);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    const auto count = static_cast<std::size_t>(end - text.data());
    if (error != std::errc{} || count < least) return std::nullopt;
    length = 2 + count;
    return number;
  }

  void numbered(std::size_t least, std::size_t most) {
    std::size_t length = 0;
    auto number = digits(least, most, length);
    if (!number) return fail("'{}' needs " + std::to_string(least) + " hexadecimal digit" + (least == 1 ? "" : "s"), 2);
    const std::string_view first = rest_;
    if (is_first_half(*number)) {  // two surrogates, each with its own escape, make one character
      rest_.remove_prefix(length);
      std::size_t more = 0;
      const bool again = rest_.starts_with("\\u") || rest_.starts_with("\\x");
      const auto second = again ? digits(rest_[1] == 'u' ? 4 : 1, 4, more) : std::nullopt;
      if (second && is_second_half(*second)) {
        append_utf8(result_.text, 0x10000 + ((*number - 0xd800) << 10) + (*second - 0xdc00));
        rest_.remove_prefix(more);
        return;
      }
      rest_ = first;
    }
    if (is_first_half(*number) || is_second_half(*number)) return fail("'{}' is half of a character only", length);
    if (*number > kLargest) return fail("'{}' is no character: the last one is \\U0010FFFF", length);
    append_utf8(result_.text, *number);
    rest_.remove_prefix(length);
  }

  void fail(const std::string& pattern, std::size_t length) {
    result_.problem = fmt::format(fmt::runtime(pattern), rest_.substr(0, length));
    result_.problem_at = whole_ - rest_.size();
  }

  std::string_view rest_;
  std::size_t whole_;
  Unescaped result_;
};

}  // namespace

Unescaped unescape(std::string_view written) { return Unescaper(written).run(); }

}  // namespace tarry::plang
