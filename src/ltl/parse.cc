// A recursive-descent parser with one function per precedence level.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "ltl/formula.h"

namespace tarry::ltl {
namespace {

constexpr unsigned kMaxDepth = 200;

struct Token {
  std::string text;      // empty: the end
  std::size_t column;    // from 1
  bool is_name = false;
};

struct Refused {
  std::size_t column;
  std::string message;
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

std::vector<Token> tokens_of(std::string_view text) {
  static constexpr std::string_view kSigns[] = {"<->", "->", "<>", "[]", "&&", "||", "!", "&", "|", "(", ")"};
  std::vector<Token> out;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at;
    if (starts_name(text[at])) {
      while (end < text.size() && is_in_name(text[end])) ++end;
    } else {
      for (const std::string_view sign : kSigns)
        if (end == at && text.substr(at).starts_with(sign)) end = at + sign.size();
    }
    if (end == at) {
      ++end;
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;  // the rest of the character
      throw Refused{at + 1, fmt::format("'{}' is not part of a formula", text.substr(at, end - at))};
    }
    out.push_back({std::string(text.substr(at, end - at)), at + 1, starts_name(text[at])});
    at = end;
  }
  out.push_back({"", text.size() + 1});
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

  Formula whole() {
    out_.root = equivalence();
    if (!here().text.empty()) refuse("an operator or the end");
    return std::move(out_);
  }

 private:
  const Token& here() const { return tokens_[at_]; }
  bool take(std::initializer_list<std::string_view> any) {
    if (here().text.empty() || std::find(any.begin(), any.end(), here().text) == any.end()) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse(const char* expected) const {
    throw Refused{here().column, fmt::format("expected {}, found {}", expected, here().text.empty() ? "the end" : "'" + here().text + "'")};
  }
  /// Bounds the nesting of formulas, so that all functions may recurse.
  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) throw Refused{parser_.here().column, fmt::format("formulas may be nested {} deep", kMaxDepth)};
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser_;
  };

  Node equivalence() {
    Node left = implication();
    while (take({"<->"})) {
      const Node right = implication();
      const Node same = f().both(left, right), opposite = f().both(f().negation(left), f().negation(right));
      left = f().either(same, opposite);
    }
    return left;
  }
  Node implication() {
    const Node left = disjunction();
    if (!take({"->"})) return left;
    const Deeper deeper(*this);
    const Node right = implication();
    return f().either(f().negation(left), right);
  }
  Node disjunction() {
    Node left = conjunction();
    while (take({"||", "|", "or"})) left = f().either(left, conjunction());
    return left;
  }
  Node conjunction() {
    Node left = until();
    while (take({"&&", "&", "and"})) left = f().both(left, until());
    return left;
  }
  Node until() {
    const Node left = unary();
    const Deeper deeper(*this);
    if (take({"U"})) return f().until(left, until());
    if (take({"R", "V"})) return f().release(left, until());
    if (take({"W"})) {  // b R (a || b)
      const Node right = until();
      return f().release(right, f().either(left, right));
    }
    return left;
  }
  Node unary() {
    const Deeper deeper(*this);
    const std::size_t column = here().column;
    if (take({"!", "not"})) return f().negation(unary());
    if (take({"F", "<>"})) return f().until(f().constant(true), unary());
    if (take({"G", "[]"})) return f().release(f().constant(false), unary());
    if (take({"X"})) {
      if (out_.next_column == 0) out_.next_column = column;
      return f().next(unary());
    }
    if (take({"true"})) return f().constant(true);
    if (take({"false"})) return f().constant(false);
    if (take({"("})) {
      const Node inside = equivalence();
      if (!take({")"})) refuse("')'");
      return inside;
    }
    if (!here().is_name || is_operator(here().text)) refuse("a formula");
    return f().atom(atom(here()), false);
  }

  static bool is_operator(std::string_view name) {
    static constexpr std::string_view kWords[] = {"U", "R", "V", "W", "and", "or"};
    return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
  }

  std::uint32_t atom(const Token& token) {
    const auto known = std::find(out_.atoms.begin(), out_.atoms.end(), token.text);
    const auto number = static_cast<std::uint32_t>(known - out_.atoms.begin());
    if (known == out_.atoms.end()) {
      if (out_.atoms.size() == kMostAtoms) throw Refused{token.column, fmt::format("a formula may name {} things", kMostAtoms)};
      out_.atoms.push_back(token.text);
      out_.columns.push_back(token.column);
    }
    ++at_;
    return number;
  }
  Formulas& f() { return out_.formulas; }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  Formula out_;
};

}  // namespace

Result<Formula> parse(std::string_view text, std::string_view where) {
  try {
    return Parser(text).whole();
  } catch (const Refused& refused) {
    return Diagnostic{fmt::format("{}:1:{}: {}, in \"{}\"", where, refused.column, refused.message, text)};
  }
}

}  // namespace tarry::ltl
