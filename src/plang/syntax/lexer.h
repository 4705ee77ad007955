// Splits text into tokens, one at a time: the longest match at each place, keywords before identifiers.
//
// Text that is no token becomes a token of kind kBad. The parser reports it when it reaches it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::plang {

// clang-format off
enum class TokenKind : std::uint8_t {
  kEnd, kBad, kName, kInt, kString,
  // Keywords. These and all following kinds are in the order of kSpellings in lexer.cc.
  kAny, kBool, kData, kEnum, kEvent, kEventSet, kFloat, kIntWord, kInterface, kMachine, kMap, kSeq, kSet, kStringWord,
  kType, kVar, kFun, kParam, kSpec, kScenario, kObserves, kReceives, kSends, kCreates, kState, kStart, kHot, kCold,
  kEntry, kExit, kOn, kDo, kGoto, kWith, kDefer, kIgnore,
  kAnnounce, kAssert, kAssume, kBreak, kCase, kContinue, kElse, kForeach, kIf, kIn, kNew, kPrint, kRaise, kReceive, kReturn,
  kSend, kWhile,
  kAs, kTo, kChoose, kDefault, kFormat, kHalt, kKeys, kValues, kSizeof, kThis, kTrue, kFalse, kNull,
  kModule, kImplementation, kTest, kParamTest, kRefines, kCompose, kUnion, kHideE, kHideI, kRename, kSafe, kMain, kPairwise, kWise,
  // Keywords and operators of the verifier, which programs for a checker may not contain.
  kInvariant, kAxiom, kIs, kInflight, kTargets, kSent, kProof, kProve, kUsing, kLemma, kTheorem, kExcept, kRequires, kEnsures,
  kForall, kExists, kInitCondition, kPure, kImplies, kIff,
  // Operators and punctuation.
  kDollar, kDollarDollar, kNot, kAnd, kOr, kEqual, kNotEqual, kLessEqual, kGreaterEqual, kLess, kGreater, kArrow, kAssign,
  kPlusAssign, kMinusAssign, kPlus, kMinus, kTimes, kDivide, kModulo,
  kLeftBrace, kRightBrace, kLeftBracket, kRightBracket, kLeftParen, kRightParen, kSemicolon, kComma, kDot, kColon,
};
// clang-format on

constexpr bool is_keyword(TokenKind kind) { return kind >= TokenKind::kAny && kind <= TokenKind::kPure; }
constexpr bool is_for_verifier(TokenKind kind) { return kind >= TokenKind::kInvariant && kind <= TokenKind::kIff; }

/// Returns the spelling: "while", "+=". Requires: a keyword, operator or punctuation.
std::string_view spelling(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

class Lexer {
 public:
  /// Requires: the text outlives the lexer and is shorter than 4 GiB.
  explicit Lexer(std::string_view text) : text_(text) {}

  /// Returns the next token; after the last one always kEnd.
  Token next();

 private:
  /// Skips blanks and comments. Returns false if a comment does not end.
  bool skip_blanks();
  Token word();
  Token string();
  Token sign();
  Token make(TokenKind kind, std::size_t length);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns what is wrong with a token of kind kBad.
std::string describe_bad(std::string_view text, const Token& token);

}  // namespace tarry::plang
