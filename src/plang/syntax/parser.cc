#include "plang/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "plang/syntax/parser_inside.h"
#include "plang/syntax/suggestions.h"
#include "plang/syntax/utf8.h"

namespace tarry::plang {
namespace {

// A token costs up to 250 bytes of tree, so this limit is about 2 GiB of memory.
constexpr std::size_t kMostTokens = 10'000'000;
constexpr std::size_t kLongestQuote = 40;

bool is_closing(TokenKind kind) {
  return kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket || kind == TokenKind::kRightBrace ||
         kind == TokenKind::kSemicolon;
}

/// Shortens text for a message: one line, not too long.
std::string shortened(std::string_view text) {
  std::size_t end = 0;
  while (end < std::min(text.size(), kLongestQuote)) {
    const std::size_t length = utf8_length(text.substr(end));
    if (length == 0 || static_cast<unsigned char>(text[end]) < ' ') break;
    end += length;
  }
  return fmt::format("{}{}", text.substr(0, end), end < text.size() ? "…" : "");
}

/// Returns the first token that only the verifier knows. Looks no further than the parser can get.
Token first_for_verifier(std::string_view text) {
  Lexer lexer(text);
  while (true) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kBad || is_for_verifier(token.kind)) return token;
  }
}

}  // namespace

SyntaxTree parse(const Sources& sources, Diagnostics& diagnostics) {
  SyntaxTree tree;
  std::size_t tokens_left = kMostTokens;
  for (std::uint32_t file = 0; file < sources.size() && tokens_left > 0; ++file) {
    const Token token = first_for_verifier(sources.file(file).text);
    if (is_for_verifier(token.kind)) {
      const char* rest = is_keyword(token.kind) ? "; it cannot be used here, not even as a name" : "";
      diagnostics.error("E02", {file, token.offset}, fmt::format("'{}' is only for the verifier{}", spelling(token.kind), rest));
      continue;
    }
    try {
      Parser(sources, file, tree, diagnostics, tokens_left).program();
    } catch (const SyntaxFailure&) {  // reported
    }
  }
  return tree;
}

Parser::Parser(const Sources& sources, std::uint32_t file, SyntaxTree& tree, Diagnostics& diagnostics, std::size_t& tokens_left)
    : file_(file),
      included_(sources.file(file).included),
      text_(sources.file(file).text),
      tree_(tree),
      diagnostics_(diagnostics),
      tokens_left_(tokens_left),
      lexer_(text_) {
  for (Token& token : ahead_) token = lexer_.next();
}

void Parser::program() {
  while (!at(TokenKind::kEnd)) declaration();
}

// ---- Tokens.

Token Parser::take() {
  if (tokens_left_ == 0) fail_too_many();
  --tokens_left_;
  const Token taken = ahead_[0];
  previous_ = taken.kind;
  previous_text_ = text(taken);
  std::move(std::begin(ahead_) + 1, std::end(ahead_), std::begin(ahead_));
  ahead_[3] = lexer_.next();
  return taken;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Place Parser::expect(TokenKind kind, std::string_view where) {
  if (!at(kind)) fail_expected(fmt::format("'{}' {}", spelling(kind), where));
  return {file_, take().offset};
}

Place Parser::expect_after_expression(TokenKind kind, std::string_view where) {
  if (!at(kind))
    fail_expected(fmt::format("'{}' {}", spelling(kind), where), at(TokenKind::kAssign) ? "to compare, write '=='" : "");
  return {file_, take().offset};
}

Name Parser::name(std::string_view what) {
  if (!at(TokenKind::kName)) fail_expected(what, is_keyword(ahead(0)) ? "that is a reserved word" : "");
  return take_name();
}

std::vector<Name> Parser::names(std::string_view what) {
  std::vector<Name> result;
  do result.push_back(name(what));
  while (accept(TokenKind::kComma));
  return result;
}

std::vector<Name> Parser::event_names(Null null) {
  std::vector<Name> result;
  do {
    if (at(TokenKind::kHalt) || (at(TokenKind::kNull) && null == Null::kAllowed)) result.push_back(take_name());
    else if (at(TokenKind::kNull)) fail_expected("the name of an event", "'null' can only be a trigger of 'on' and 'case'");
    else result.push_back(name("the name of an event"));
  } while (accept(TokenKind::kComma));
  return result;
}

void Parser::clause_of_events(std::vector<Name>& out) {
  if (!at(TokenKind::kSemicolon)) std::ranges::move(event_names(Null::kRefused), std::back_inserter(out));
  expect(TokenKind::kSemicolon, "after the list of events");
}

std::int64_t Parser::number(std::string_view what) {
  if (!at(TokenKind::kInt)) fail_expected(what);
  const Place where = place();
  const std::string_view digits = text(take());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && value <= std::numeric_limits<std::int32_t>::max()) return value;
  diagnostics_.error("E10", where, fmt::format("{} is too large: expected at most 2147483647", what));
  return 0;
}

// ---- Failures.

std::string Parser::found() const {
  const Token& token = ahead_[0];
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  const std::string quote = shortened(text(token));
  return token.kind == TokenKind::kString ? "the string " + quote : "'" + quote + "'";
}

void Parser::fail_at(Place where, const std::string& message, std::vector<Note> notes) {
  diagnostics_.error("E01", where, message, std::move(notes));
  throw SyntaxFailure{};
}

void Parser::fail_expected(std::string_view what, std::string_view hint, std::vector<Note> notes) {
  if (at(TokenKind::kBad)) fail_at(place(), describe_bad(text_, ahead_[0]));
  if (hint.empty() && previous_ == TokenKind::kComma && is_closing(ahead(0))) hint = "a list does not end in ','";
  const std::string meant = hint.empty() ? misspelled(what) : "";
  if (!meant.empty()) hint = meant;
  fail_at(place(), fmt::format("expected {}, found {}{}{}", what, found(), hint.empty() ? "" : "; ", hint), std::move(notes));
}

std::string Parser::misspelled(std::string_view what) const {
  const auto hint = [](const Suggestions& suggestions) {
    return suggestions.best().empty() ? "" : fmt::format("did you mean '{}'?", suggestions.best());
  };
  if (at(TokenKind::kLeftBracket) && previous_ == TokenKind::kName) {
    const std::string_view word = type_word_for(previous_text_);
    if (!word.empty()) return fmt::format("did you mean '{}' instead of '{}'?", word, previous_text_);
    const auto collection = Suggestions(previous_text_).from(Words(kCollectionWords));
    return collection.best().empty() ? "" : fmt::format("did you mean '{}' instead of '{}'?", collection.best(), previous_text_);
  }
  if (!at(TokenKind::kName)) return "";
  Suggestions suggestions(text(ahead_[0]));
  if (what.find("a declaration") != std::string_view::npos) suggestions.from(Words(kDeclarationWords));
  if (what.find("a state") != std::string_view::npos) suggestions.from(Words(kStateWords));
  for (std::size_t open = what.find('\''); open != std::string_view::npos;) {
    const std::size_t close = what.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    if (const std::string_view word = what.substr(open + 1, close - open - 1); !word.empty() && word[0] >= 'a' && word[0] <= 'z') suggestions.offer(word);
    open = what.find('\'', close + 1);
  }
  return hint(suggestions);
}

std::string Parser::misspelled_statement(std::string_view word) {
  const auto suggestions = Suggestions(word).from(Words(kStatementWords));
  return suggestions.best().empty() ? "" : fmt::format("did you mean '{}' instead of '{}'?", suggestions.best(), word);
}

void Parser::fail_in_body(std::string_view what, Place open, std::string_view hint) {
  if (at(TokenKind::kEnd)) fail_expected(what, hint, {{open, "the '{' that is still open"}});
  fail_expected(what, hint);
}

std::string_view Parser::hint_after_body() const {
  return at(TokenKind::kSemicolon) && previous_ == TokenKind::kRightBrace ? "no ';' is written after a body" : "";
}

void Parser::fail_for_verifier(std::string_view what) {
  diagnostics_.error("E02", place(), std::string(what));
  throw SyntaxFailure{};
}

void Parser::fail_too_deep(Place where) { fail_at(where, fmt::format("nested too deeply (more than {} levels)", kMaxHeight)); }

void Parser::fail_too_many() {
  fail_at(place(), fmt::format("the program is too large (more than {} words and signs)", kMostTokens));
}

// ---- Heights.

void Parser::check_height(std::uint32_t height, Place where) {
  if (height > kMaxHeight) fail_too_deep(where);
}

void Parser::seal(Expr& expr) {
  for (const ExprPtr& part : expr.args) expr.height = std::max(expr.height, part->height + 1);
  check_height(expr.height, expr.place);
}

void Parser::seal(Stmt& stmt) {
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts) stmt.height = std::max(stmt.height, part->height + 1);
  };
  add(stmt.exprs);
  add(stmt.body);
  for (const ReceiveCase& one : stmt.cases) add(one.body);
  check_height(stmt.height, stmt.place);
}

void Parser::seal(ModuleExpr& module) {
  for (const auto& part : module.parts) module.height = std::max(module.height, part->height + 1);
  check_height(module.height, module.place);
}

}  // namespace tarry::plang
