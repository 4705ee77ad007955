#include "base/units.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

using std::chrono::milliseconds;

TEST(Units, ReadsDurationsAndSizesAsPeopleWriteThem) {
  EXPECT_EQ(parse_duration("30s"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("30"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("1.5m"), milliseconds(90'000));
  EXPECT_EQ(parse_duration("250ms"), milliseconds(250));
  EXPECT_EQ(parse_duration("2h"), milliseconds(7'200'000));
  EXPECT_EQ(parse_size("4G"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_size("512MiB"), std::uint64_t{512} << 20);
  EXPECT_EQ(parse_size("100"), 100u);
  for (const char* bad : {"", "s", "-1s", "1x", "1 s", "nan", "1e300s", "9999999999999999999999s"}) EXPECT_FALSE(parse_duration(bad)) << bad;
  for (const char* bad : {"", "G", "-4G", "4X", "inf", "4 G", "1e40"}) EXPECT_FALSE(parse_size(bad)) << bad;
}

TEST(Units, WritesNumbersForPeople) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(1234567), "1,234,567");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(seconds_text(0.123), "0.12 s");
  EXPECT_EQ(seconds_text(125), "2 min 5 s");
}

}  // namespace
}  // namespace tarry
