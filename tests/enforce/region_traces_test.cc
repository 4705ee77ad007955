#include "enforce/region_traces.h"

#include <gtest/gtest.h>

namespace tarry::enforce {
namespace {

const Object kData{Space::kData, 0, 100};
const Object kEverything{Space::kEverything, 0, 0};

/// Executions of a program with one region, in which two threads write one variable in either order.
class Regions : public testing::Test {
 protected:
  std::uint32_t label(std::uint32_t thread, Kind kind, const std::vector<Touch>& touches, const Object& object = {}) { return set.intern({.thread = thread, .kind = kind, .object = object, .touches = touches}); }
  std::uint32_t enter() { return label(0, Kind::kEnterRegion, {{kEverything, true}}); }
  std::uint32_t leave() { return label(0, Kind::kLeaveRegion, {{kEverything, true}}); }
  /// The threads' numbers are those of the program, from `first`. `memory`: the address of an object in this execution.
  std::vector<std::uint32_t> execution(std::uint32_t first, bool swapped, std::uint64_t memory, Kind last = Kind::kStore) {
    const Object object{Space::kMemory, 0, memory};
    std::vector<std::uint32_t> out{enter()};
    for (const std::uint32_t thread : {first, first + 1}) out.push_back(label(0, Kind::kCreate, {{{Space::kThread, 0, thread}, true}}));
    for (const std::uint32_t thread : {first, first + 1}) out.push_back(label(thread, Kind::kStart, {{{Space::kThread, 0, thread}, true}}));
    for (const std::uint32_t thread : {swapped ? first + 1 : first, swapped ? first : first + 1}) out.push_back(label(thread, Kind::kStore, {{object, true}}, object));
    out.push_back(label(first, last, {{kData, true}}, kData));
    for (const std::uint32_t thread : {first, first + 1}) out.push_back(label(0, Kind::kJoin, {{{Space::kThread, 0, thread}, true}}, {Space::kThread, 0, thread}));
    out.push_back(leave());
    return out;
  }
  static RegionEntry entry(std::uint64_t value, std::uint64_t offset = 100, const Cells& known = {}) {
    RegionEntry out{.read = {.region = "region", .offset = 7, .values = {{{FootprintCell::Space::kData, 0, offset, 4}, {CellValue::Kind::kBytes, 0, value}}}}, .known = known};
    for (const auto& [cell, one] : out.read.values) out.known.emplace(cell, one);
    return out;
  }
  void add(RegionTraces& regions, const std::vector<std::uint32_t>& execution, const RegionEntry& entry) {
    const RegionEntry* const entries[] = {&entry};
    regions.add(execution, entries);
  }

  ScheduleSet set;
};

TEST_F(Regions, ThreadsAndMemoryHaveNamesOfTheRegion) {
  RegionTraces regions(set);
  add(regions, execution(1, false, 0x1000), entry(1));
  add(regions, execution(5, false, 0x2000), entry(1));
  EXPECT_TRUE(regions.finish().empty());
  EXPECT_EQ(set.size(), 1u);
  add(regions, execution(3, true, 0x3000), entry(1));
  EXPECT_TRUE(regions.finish().empty());
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.footprints().size(), 1u);
}

TEST_F(Regions, TracesAreForTheValuesAtTheEntry) {
  RegionTraces regions(set);
  std::vector<std::uint32_t> before{label(0, Kind::kInput, {{kEverything, true}}, {Space::kValue, 0, 1})};
  auto other = execution(1, true, 0x1000);
  other.insert(other.begin(), before.begin(), before.end());
  add(regions, execution(1, false, 0x1000), entry(1));
  add(regions, other, entry(2));
  EXPECT_TRUE(regions.finish().empty());
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.footprints().size(), 2u);
}

TEST_F(Regions, EqualPastsAreOneEntryWhateverIsReadThen) {
  RegionTraces regions(set);
  add(regions, execution(1, false, 0x1000), entry(1, 100));
  add(regions, execution(1, true, 0x1000), entry(2, 200));
  EXPECT_TRUE(regions.finish().empty());
  ASSERT_EQ(set.footprints().size(), 1u);
  EXPECT_EQ(set.footprints()[0].values.size(), 2u);
  EXPECT_EQ(set.size(), 2u);
}

TEST_F(Regions, AnEntryThatIsKnownToHaveTheValuesTakesTheTraces) {
  RegionTraces regions(set);
  auto other = execution(1, true, 0x1000);
  other.insert(other.begin(), label(0, Kind::kInput, {{kEverything, true}}, {Space::kValue, 0, 1}));
  const Cells known{{{FootprintCell::Space::kData, 0, 100, 4}, {CellValue::Kind::kBytes, 0, 1}}};
  add(regions, execution(1, false, 0x1000), entry(1, 100));
  add(regions, other, entry(2, 200, known));
  EXPECT_TRUE(regions.finish().empty());
  EXPECT_EQ(set.footprints().size(), 2u);
  EXPECT_EQ(set.size(), 3u);  // the second entry has both traces
}

TEST_F(Regions, DifferentEventsAfterTheSamePastAreFound) {
  RegionTraces regions(set);
  add(regions, execution(1, false, 0x1000), entry(1));
  add(regions, execution(1, false, 0x1000, Kind::kExchange), entry(1));
  const auto problems = regions.finish();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].why.find("goes on differently"), std::string::npos);
  EXPECT_EQ(set.size(), 0u);
}

TEST_F(Regions, AnotherNameOfMemoryIsNoDisagreement) {
  const Object memory{Space::kMemory, 0, 0x1000};
  const auto with = [&](bool loads_late) {
    std::vector<std::uint32_t> out{enter()};
    for (const std::uint32_t thread : {1u, 2u}) out.push_back(label(0, Kind::kCreate, {{{Space::kThread, 0, thread}, true}}));
    for (const std::uint32_t thread : {1u, 2u}) out.push_back(label(thread, Kind::kStart, {{{Space::kThread, 0, thread}, true}}));
    const std::uint32_t load = label(1, Kind::kLoad, {{kData, false}}, kData);
    if (!loads_late) out.push_back(load);
    out.push_back(label(2, Kind::kStore, {{kData, true}}, kData));
    out.push_back(label(2, Kind::kStore, {{memory, true}}, memory));
    if (loads_late) out.insert(out.end(), {load, label(1, Kind::kStore, {{memory, true}}, memory)});  // the first thread accesses the memory only here
    for (const std::uint32_t thread : {1u, 2u}) out.push_back(label(0, Kind::kJoin, {{{Space::kThread, 0, thread}, true}}, {Space::kThread, 0, thread}));
    out.push_back(leave());
    return out;
  };
  RegionTraces regions(set);
  add(regions, with(false), entry(1));
  add(regions, with(true), entry(1));
  EXPECT_TRUE(regions.finish().empty());
  EXPECT_EQ(set.size(), 2u);
}

TEST_F(Regions, SetsOfRegionsAreBytesAndBack) {
  RegionTraces regions(set);
  add(regions, execution(1, false, 0x1000), entry(1));
  add(regions, execution(1, true, 0x1000), entry(1));
  regions.finish();
  ScheduleSet back = ScheduleSet::of_image(set.image());
  EXPECT_EQ(back.footprints(), set.footprints());
  EXPECT_EQ(back.image(), set.image());
  EXPECT_EQ(back.differs_from(set), "");
  EXPECT_EQ(back.merge(set), 0u);
}

TEST(RegionEntries, AreBytesAndBack) {
  const RegionEntry entry{.read = {.region = "r", .module = 2, .offset = 7, .depth = 64, .values = {{{FootprintCell::Space::kStack, 0, 24, 8}, {CellValue::Kind::kToMemory, 0, 0}}}},
                          .known = {{{FootprintCell::Space::kStack, 0, 24, 8}, {CellValue::Kind::kToMemory, 0, 0}}, {{FootprintCell::Space::kData, 1, 8, 8}, {CellValue::Kind::kToData, 3, 16}}, {{FootprintCell::Space::kData, 1, 8, 4, {16, -8}}, {CellValue::Kind::kBytes, 0, 5}}}};
  RegionEntry back;
  ASSERT_TRUE(entry_at(bytes_of(entry), back));
  EXPECT_EQ(back.read, entry.read);
  EXPECT_EQ(back.known, entry.known);
  const std::string bytes = bytes_of(entry);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(entry_at(std::string_view(bytes).substr(0, size), back));
}

}  // namespace
}  // namespace tarry::enforce
