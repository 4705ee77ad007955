#include "base/words.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

using Words = std::vector<std::string>;

Words shell(std::string_view text) { return words_of(text, Quoting::kShell); }
Words file(std::string_view text) { return words_of(text, Quoting::kResponseFile); }

TEST(Words, AreSeparatedByWhiteSpace) {
  for (const auto quoting : {Quoting::kShell, Quoting::kResponseFile}) {
    EXPECT_EQ(words_of(" -a\t-b\n -c ", quoting), (Words{"-a", "-b", "-c"}));
    EXPECT_EQ(words_of("", quoting), Words{});
    EXPECT_EQ(words_of("'a b'c \"d 'e'\" ''", quoting), (Words{"a bc", "d 'e'", ""}));
    EXPECT_EQ(words_of("a\\ b \\\" \\\\", quoting), (Words{"a b", "\"", "\\"}));
    EXPECT_EQ(words_of("'open end", quoting), (Words{"open end"}));
  }
}

TEST(Words, OfAShellKeepBackslashesInSingleQuotes) {
  EXPECT_EQ(shell(R"('-DTEXT="a\n"')"), (Words{R"(-DTEXT="a\n")"}));
  EXPECT_EQ(shell(R"('a\' b)"), (Words{R"(a\)", "b"}));
}

TEST(Words, OfAShellKeepMostBackslashesInDoubleQuotes) {
  EXPECT_EQ(shell(R"("a\n" "\"\\\$")"), (Words{R"(a\n)", R"("\$)"}));
  EXPECT_EQ(shell("a\\\nb \"c\\\nd\" \\\n e"), (Words{"ab", "cd", "e"}));
}

TEST(Words, OfAFileLoseBackslashesInQuotes) {
  EXPECT_EQ(file(R"('a\'b' "a\n")"), (Words{"a'b", "an"}));
  EXPECT_EQ(file("a\\\nb"), (Words{"a\nb"}));
}

TEST(Words, ABackslashAtTheEndIsACharacter) {
  EXPECT_EQ(shell("a\\"), (Words{"a\\"}));
}

}  // namespace
}  // namespace tarry
