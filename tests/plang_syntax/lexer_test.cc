#include "plang/syntax/lexer.h"

#include <gtest/gtest.h>

#include "plang/syntax/string_literal.h"
#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

std::string tokens(std::string_view text) {
  Lexer lexer(text);
  std::string out;
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (!out.empty()) out += ' ';
    out += token.kind == TokenKind::kBad ? "BAD" : std::string(text.substr(token.offset, token.length));
  }
  return out;
}

TokenKind kind_of(std::string_view text) { return Lexer(text).next().kind; }

TEST(Lexer, TakesTheLongestMatch) {
  EXPECT_EQ(tokens("a<==>b==>c==d=e<=f<g->h>=i>j"), "a <==> b ==> c == d = e <= f < g -> h >= i > j");
  EXPECT_EQ(tokens("$$$a+=b-=c!d!=e&&f||g"), "$$ $ a += b -= c ! d != e && f || g");
  EXPECT_EQ(tokens("{}[]();,.:*/%+-"), "{ } [ ] ( ) ; , . : * / % + -");
  EXPECT_EQ(tokens("12ab 3.4 _ _1 whiles"), "12 ab 3 . 4 _ _1 whiles");
  EXPECT_EQ(tokens("\t\r\n\f x"), "x");
  EXPECT_EQ(kind_of("whiles"), TokenKind::kName);
  EXPECT_EQ(kind_of("while("), TokenKind::kWhile);
  EXPECT_EQ(kind_of("While"), TokenKind::kName);
  EXPECT_EQ(kind_of("string"), TokenKind::kStringWord);
}

TEST(Lexer, KnowsAllKeywords) {
  std::size_t count = 0;
  for (auto kind = TokenKind::kAny; kind <= TokenKind::kColon; kind = static_cast<TokenKind>(static_cast<int>(kind) + 1), ++count)
    EXPECT_EQ(kind_of(spelling(kind)), kind) << spelling(kind);
  EXPECT_EQ(count, 14 + 14 + 8 + 17 + 13 + 14 + 18 + 2 + 30u);
}

TEST(Lexer, CommentsEndAtTheFirstChance) {
  EXPECT_EQ(tokens("a // b \" /*\nc"), "a c");
  EXPECT_EQ(tokens("a // b\rc"), "a c");
  EXPECT_EQ(tokens("a /* /* // \n */ b"), "a b");
  EXPECT_EQ(tokens("a /**/ b /***/ c"), "a b c");
  EXPECT_EQ(tokens("a // b"), "a");
  EXPECT_EQ(tokens("a /*/ b"), "a BAD");
  EXPECT_EQ(problems_of("event e; /* x"), "1:10: error: the comment that starts here is not closed [E01]\n");
}

TEST(Lexer, InitConditionIsOneToken) {
  EXPECT_EQ(tokens("init-condition"), "init-condition");
  EXPECT_EQ(tokens("init -condition init-cond init"), "init - condition init - cond init");
  EXPECT_EQ(tokens("init-conditions xinit-condition"), "init-condition s xinit - condition");
}

TEST(Lexer, OnlyAsciiMeansSomething) {
  EXPECT_EQ(problems_of("event \xc3\xa9;"),
            "1:7: error: unexpected character '\xc3\xa9'; outside of comments and strings only ASCII is allowed [E01]\n");
  EXPECT_EQ(problems_of("event \xff;"), "1:7: error: unexpected byte 0xff, which is not UTF-8 [E01]\n");
  EXPECT_EQ(problems_of("event e\x01;"), "1:8: error: unexpected byte 0x01 [E01]\n");
  EXPECT_EQ(problems_of(std::string_view("event \0;", 8)), "1:7: error: unexpected byte 0x00 [E01]\n");
  EXPECT_EQ(problems_of("event #;"), "1:7: error: unexpected character '#' [E01]\n");
  EXPECT_EQ(problems_of("event \v;"), "1:7: error: unexpected byte 0x0b [E01]\n");
  EXPECT_EQ(problems_of("// \xff \xc3\xa9\nevent e; /* \xff */"), "");
  EXPECT_EQ(problems_of("\xef\xbb\xbf"
                        "event ;"),
            "1:7: error: expected the name of the event, found ';' [E01]\n");
  EXPECT_EQ(problems_of("event e;\xef\xbb\xbf").substr(0, 31), "1:9: error: unexpected characte");
}

TEST(Lexer, VerifierWordsStopTheFileWhereverTheyAre) {
  const std::string rest = " is only for the verifier; it cannot be used here, not even as a name [E02]\n";
  for (const char* word : {"invariant", "axiom", "is", "inflight", "targets", "sent", "Proof", "prove", "using", "Lemma",
                           "Theorem", "except", "requires", "ensures", "forall", "exists", "init-condition", "pure"})
    EXPECT_EQ(problems_of(std::string("event e\n  ") + word + " forall ; 99999999999 \xff"),
              std::string("2:3: error: '") + word + "'" + rest);
  EXPECT_EQ(problems_of("fun f() { x = a ==> b; }"), "1:17: error: '==>' is only for the verifier [E02]\n");
  EXPECT_EQ(problems_of("fun f() { x = a <==> b; }"), "1:17: error: '<==>' is only for the verifier [E02]\n");
  EXPECT_EQ(problems_of("// forall\nfun f() { print \"exists\"; } /* is */"), "");
}

TEST(Strings, EscapesAreThoseOfCSharp) {
  EXPECT_EQ(unescape("a\\n\\t\\r\\a\\b\\f\\v\\\\\\\"\\'b").text, "a\n\t\r\a\b\f\v\\\"'b");
  EXPECT_EQ(unescape("a\\0b").text, std::string("a\0b", 3));
  EXPECT_EQ(unescape("\\u0041\\u00e9\\u20AC\\U0001F600").text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(unescape("\\uD83D\\uDE00\\uD83D\\xDE00").text, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
  EXPECT_EQ(unescape("\\x41g\\x041g\\x004142").text, "AgAgA42");
  EXPECT_EQ(unescape("{{0}} {0}").text, "{{0}} {0}");
  EXPECT_EQ(unescape("a\nb\r\nc").text, "a\nb\r\nc");
  EXPECT_EQ(unescape("\xc3\xa9 \xff \xc3").text, "\xc3\xa9 \xef\xbf\xbd \xef\xbf\xbd");
}

TEST(Strings, UnknownEscapesAreShownWhereTheyAre) {
  const auto problem = [](const std::string& text) { return problems_of("fun f() {\n  print \"" + text + "\"; }"); };
  const std::string known = "; known are \\n \\t \\r \\0 \\a \\b \\f \\v \\\\ \\\" \\' \\u0041 \\U00000041 \\x41 [E01]\n";
  EXPECT_EQ(problem("ab\\qc"), "2:12: error: unknown escape '\\q'" + known);
  EXPECT_EQ(problem("\\\n"), "2:10: error: unknown escape '\\'" + known);
  EXPECT_EQ(problem("\\\xc3\xa9"), "2:10: error: unknown escape '\\\xc3\xa9'" + known);
  EXPECT_EQ(problem("\\u12x4"), "2:10: error: '\\u' needs 4 hexadecimal digits [E01]\n");
  EXPECT_EQ(problem("\\U1234567"), "2:10: error: '\\U' needs 8 hexadecimal digits [E01]\n");
  EXPECT_EQ(problem("\\x-1"), "2:10: error: '\\x' needs 1 hexadecimal digit [E01]\n");
  EXPECT_EQ(problem("\\uD83D!"), "2:10: error: '\\uD83D' is half of a character only [E01]\n");
  EXPECT_EQ(problem("\\uDE00"), "2:10: error: '\\uDE00' is half of a character only [E01]\n");
  EXPECT_EQ(problem("\\U00110000"), "2:10: error: '\\U00110000' is no character: the last one is \\U0010FFFF [E01]\n");
  EXPECT_EQ(problem("x\\"), "2:9: error: the string that starts here is not closed [E01]\n");
}

TEST(Strings, MayHoldLineEndsAndQuotes) {
  EXPECT_EQ(expression("\"a\nb \\\" // c\""), "\"a\nb \" // c\"");
  EXPECT_EQ(expression("\"\""), "\"\"");
}

}  // namespace
}  // namespace tarry::plang::testing
