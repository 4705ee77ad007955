#include "plang/syntax/source.h"

#include <gtest/gtest.h>

#include "plang/syntax/diagnostics.h"
#include "plang/syntax/parser.h"

namespace tarry::plang {
namespace {

TEST(Sources, CountLinesAndColumnsFromOne) {
  Sources sources;
  EXPECT_EQ(sources.add("empty.p", ""), 0u);
  EXPECT_EQ(sources.add("dir/b.p", "ab\n\ncd\r\ne"), 1u);
  EXPECT_EQ(sources.text({0, 0}), "empty.p:1:1");
  EXPECT_EQ(sources.text({1, 0}), "dir/b.p:1:1");
  EXPECT_EQ(sources.text({1, 2}), "dir/b.p:1:3");
  EXPECT_EQ(sources.text({1, 3}), "dir/b.p:2:1");
  EXPECT_EQ(sources.text({1, 5}), "dir/b.p:3:2");
  EXPECT_EQ(sources.text({1, 8}), "dir/b.p:4:1");
  EXPECT_EQ(sources.text({1, 9}), "dir/b.p:4:2");
  EXPECT_EQ(sources.line({0, 0}), "");
  EXPECT_EQ(sources.line({1, 1}), "ab");
  EXPECT_EQ(sources.line({1, 3}), "");
  EXPECT_EQ(sources.line({1, 6}), "cd");
  EXPECT_EQ(sources.line({1, 9}), "e");
}

TEST(Sources, DropTheByteOrderMark) {
  Sources sources;
  sources.add("a.p", "\xef\xbb\xbfxy");
  EXPECT_EQ(sources.file(0).text, "xy");
}

TEST(Diagnostics, AreToldInTheOrderOfTheText) {
  Sources sources;
  sources.add("a.p", "one\ntwo");
  sources.add("b.p", "three");
  Diagnostics diagnostics;
  diagnostics.error("E22", {1, 2}, "third", {{{0, 0}, "declared here"}});
  diagnostics.warning("W1", {0, 4}, "second");
  diagnostics.error("E03", {0, 1}, "first");
  EXPECT_EQ(render(sources, diagnostics.sorted()),
            "a.p:1:2: error: first [E03]\n"
            "a.p:2:1: warning: second [W1]\n"
            "b.p:1:3: error: third [E22]\n"
            "a.p:1:1: note: declared here\n");
}

TEST(Diagnostics, KeepOneOfAKindAtAPlace) {
  Diagnostics diagnostics;
  diagnostics.warning("W1", {0, 1}, "a");
  EXPECT_FALSE(diagnostics.failed());
  diagnostics.error("E22", {0, 1}, "a");
  diagnostics.error("E22", {0, 1}, "b");
  diagnostics.error("E23", {0, 1}, "c");
  EXPECT_TRUE(diagnostics.failed());
  EXPECT_EQ(diagnostics.problems().size(), 3u);
}

TEST(Diagnostics, EndAtAHundredErrors) {
  Diagnostics diagnostics;
  for (std::uint32_t i = 0; i < 1000; ++i) diagnostics.error("E22", {0, i}, "x"), diagnostics.warning("W1", {0, i}, "x");
  EXPECT_EQ(diagnostics.problems().size(), 2 * Diagnostics::kMost);
}

TEST(Diagnostics, OfTheFirstOnlyModeStopTheParserToo) {
  Sources sources;
  sources.add("a.p", "fun f() { x = 99999999999; y = ; }");
  Diagnostics diagnostics(Diagnostics::Mode::kFirstOnly);
  EXPECT_THROW(parse(sources, diagnostics), Stop);
  ASSERT_EQ(diagnostics.problems().size(), 1u);
  EXPECT_EQ(diagnostics.problems()[0].id, "E10");
}

}  // namespace
}  // namespace tarry::plang
