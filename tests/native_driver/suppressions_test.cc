#include "native/driver/suppressions.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tarry::native {
namespace {

Suppressions read(const std::string& text) {
  std::istringstream in(text);
  return read_suppressions(in);
}

TEST(Suppressions, AreNamesWithoutStarsAndComments) {
  EXPECT_EQ(read("race:Queue::size\n  race_top:*helper*  # why\n\n# all\nplain.cc:3\n").names, (std::vector<std::string>{"Queue::size", "helper", "plain.cc:3"}));
}

TEST(Suppressions, OfOtherKindsArePassedOver) { EXPECT_TRUE(read("deadlock:f\nmutex:g\nthread:h\nsignal:i\ncalled_from_lib:j\n").names.empty()); }

TEST(Suppressions, OfEverythingAreNone) {
  const Suppressions read_all = read("race:f\nrace:*\n");
  EXPECT_EQ(read_all.all_at, 2u);
  EXPECT_EQ(read_all.names, std::vector<std::string>{"f"});
}

}  // namespace
}  // namespace tarry::native
