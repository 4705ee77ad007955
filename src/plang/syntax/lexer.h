// From text to tokens, one at a time: the longest match at each place, keywords before identifiers.
//
// What is no token at all is one too (TokenKind::kBad): the parser meets it in its turn and says then what is wrong with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::plang {

// clang-format off
enum class TokenKind : std::uint8_t {
  kEnd, kBad, kName, kInt, kString,
  // Keywords; these and all that follow are in the order of kSpellings in lexer.cc.
  kAny, kBool, kData, kEnum, kEvent, kEventSet, kFloat, kIntWord, kInterface, kMachine, kMap, kSeq, kSet, kStringWord,
  kType, kVar, kFun, kParam, kSpec, kScenario, kObserves, kReceives, kSends, kCreates, kState, kStart, kHot, kCold,
  kEntry, kExit, kOn, kDo, kGoto, kWith, kDefer, kIgnore,
  kAnnounce, kAssert, kAssume, kBreak, kCase, kContinue, kElse, kForeach, kIf, kIn, kNew, kPrint, kRaise, kReceive, kReturn,
  kSend, kWhile,
  kAs, kTo, kChoose, kDefault, kFormat, kHalt, kKeys, kValues, kSizeof, kThis, kTrue, kFalse, kNull,
  kModule, kImplementation, kTest, kParamTest, kRefines, kCompose, kUnion, kHideE, kHideI, kRename, kSafe, kMain, kPairwise, kWise,
  // Of the verifier: keywords and operators that no program for a checker may hold.
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

/// As written: "while", "+=". Only for keywords, operators and punctuation.
std::string_view spelling(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

class Lexer {
 public:
  /// Requires: the text outlives this and has less than 4 GiB.
  explicit Lexer(std::string_view text) : text_(text) {}

  /// After the last token: kEnd, for ever.
  Token next();

 private:
  /// False if a comment begins that does not end.
  bool skip_blanks();
  Token word();
  Token string();
  Token sign();
  Token make(TokenKind kind, std::size_t length);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// What is wrong at a token that is kBad.
std::string describe_bad(std::string_view text, const Token& token);

}  // namespace tarry::plang
