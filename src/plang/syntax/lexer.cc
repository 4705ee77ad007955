#include "plang/syntax/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "plang/syntax/utf8.h"

namespace tarry::plang {
namespace {

// clang-format off
constexpr std::string_view kSpellings[] = {
    "any", "bool", "data", "enum", "event", "eventset", "float", "int", "interface", "machine", "map", "seq", "set", "string",
    "type", "var", "fun", "param", "spec", "scenario", "observes", "receives", "sends", "creates", "state", "start", "hot", "cold",
    "entry", "exit", "on", "do", "goto", "with", "defer", "ignore",
    "announce", "assert", "assume", "break", "case", "continue", "else", "foreach", "if", "in", "new", "print", "raise", "receive",
    "return", "send", "while",
    "as", "to", "choose", "default", "format", "halt", "keys", "values", "sizeof", "this", "true", "false", "null",
    "module", "implementation", "test", "paramtest", "refines", "compose", "union", "hidee", "hidei", "rename", "safe", "main",
    "pairwise", "wise",
    "invariant", "axiom", "is", "inflight", "targets", "sent", "Proof", "prove", "using", "Lemma", "Theorem", "except", "requires",
    "ensures", "forall", "exists", "init-condition", "pure", "==>", "<==>",
    "$", "$$", "!", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "->", "=", "+=", "-=", "+", "-", "*", "/", "%",
    "{", "}", "[", "]", "(", ")", ";", ",", ".", ":",
};
// clang-format on

constexpr auto kFirstSpelled = static_cast<std::size_t>(TokenKind::kAny);
constexpr auto kLastSpelled = static_cast<std::size_t>(TokenKind::kColon);
static_assert(std::size(kSpellings) == kLastSpelled - kFirstSpelled + 1);

constexpr TokenKind kind_at(std::size_t index) { return static_cast<TokenKind>(kFirstSpelled + index); }

// ---- Classes of characters.

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

constexpr std::array<bool, 256> kIsWordByte = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = c < 128 && (is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)));
  return table;
}();

// ---- Keywords: a table with open addressing, made by the compiler.

constexpr std::size_t kSlots = 512;
constexpr std::size_t kLongestKeyword = 14;

constexpr std::size_t slot_of(std::string_view word) {
  std::size_t sum = word.size();
  for (const char c : word) sum = sum * 31 + static_cast<unsigned char>(c);
  return sum % kSlots;
}

constexpr std::array<TokenKind, kSlots> kKeywords = [] {
  std::array<TokenKind, kSlots> table{};
  for (auto& kind : table) kind = TokenKind::kName;
  for (std::size_t i = 0; is_keyword(kind_at(i)); ++i) {
    std::size_t slot = slot_of(kSpellings[i]);
    while (table[slot] != TokenKind::kName) slot = (slot + 1) % kSlots;
    table[slot] = kind_at(i);
  }
  return table;
}();

TokenKind kind_of_word(std::string_view word) {
  if (word.size() > kLongestKeyword) return TokenKind::kName;
  for (std::size_t slot = slot_of(word); kKeywords[slot] != TokenKind::kName; slot = (slot + 1) % kSlots)
    if (spelling(kKeywords[slot]) == word) return kKeywords[slot];
  return TokenKind::kName;
}

// ---- Operators: for each first character, the kinds that begin with it, longest first.

struct Signs {
  std::array<TokenKind, 4> kinds{};
  std::size_t count = 0;
};

constexpr std::array<Signs, 128> kSigns = [] {
  std::array<Signs, 128> table{};
  for (std::size_t length = 4; length > 0; --length)
    for (std::size_t i = 0; i < std::size(kSpellings); ++i) {
      const std::string_view text = kSpellings[i];
      if (is_letter(text[0]) || text.size() != length) continue;
      Signs& signs = table[static_cast<unsigned char>(text[0])];
      signs.kinds[signs.count++] = kind_at(i);
    }
  return table;
}();

}  // namespace

std::string_view spelling(TokenKind kind) { return kSpellings[static_cast<std::size_t>(kind) - kFirstSpelled]; }

Token Lexer::make(TokenKind kind, std::size_t length) {
  const Token token{kind, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length)};
  at_ += length;
  return token;
}

bool Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return false;
      at_ = end + 2;
    } else {
      return true;
    }
  }
  return true;
}

Token Lexer::word() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && kIsWordByte[static_cast<unsigned char>(text_[end])]) ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  const std::string_view init_condition = spelling(TokenKind::kInitCondition);
  if (word == "init" && text_.substr(at_).starts_with(init_condition))
    return make(TokenKind::kInitCondition, init_condition.size());
  return make(kind_of_word(word), word.size());
}

Token Lexer::string() {
  for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
    if (text_[end] == '"') return make(TokenKind::kString, end + 1 - at_);
    if (text_[end] == '\\') ++end;
  }
  return make(TokenKind::kBad, text_.size() - at_);
}

Token Lexer::sign() {
  const auto first = static_cast<unsigned char>(text_[at_]);
  if (first < 128) {
    const Signs& signs = kSigns[first];
    for (std::size_t i = 0; i < signs.count; ++i)
      if (text_.substr(at_).starts_with(spelling(signs.kinds[i]))) return make(signs.kinds[i], spelling(signs.kinds[i]).size());
  }
  return make(TokenKind::kBad, 1);
}

Token Lexer::next() {
  if (!skip_blanks()) return make(TokenKind::kBad, text_.size() - at_);
  if (at_ >= text_.size()) return make(TokenKind::kEnd, 0);
  const char first = text_[at_];
  if (is_letter(first)) return word();
  if (first == '"') return string();
  if (!is_digit(first)) return sign();
  std::size_t end = at_ + 1;
  while (end < text_.size() && is_digit(text_[end])) ++end;
  return make(TokenKind::kInt, end - at_);
}

std::string describe_bad(std::string_view text, const Token& token) {
  const char first = text[token.offset];
  if (first == '"') return "the string that starts here is not closed";
  if (first == '/') return "the comment that starts here is not closed";
  if (first == '&' || first == '|') return fmt::format("unexpected character '{0}'; 'and' and 'or' are '&&' and '||'", first);
  if (first == '\'') return "unexpected character '''; strings are written in double quotes";
  if (first > ' ' && first < 127) return fmt::format("unexpected character '{}'", first);
  const std::size_t length = utf8_length(text.substr(token.offset));
  if (static_cast<unsigned char>(first) >= 128 && length != 0)
    return fmt::format("unexpected character '{}'; outside of comments and strings only ASCII is allowed",
                       text.substr(token.offset, length));
  const char* what = static_cast<unsigned char>(first) >= 128 ? ", which is not UTF-8" : "";
  return fmt::format("unexpected byte 0x{:02x}{}", static_cast<unsigned char>(first), what);
}

}  // namespace tarry::plang
