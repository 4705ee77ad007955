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

/// Executions of a program that enters a region twice, in states that footprints tell apart. Each time its threads write in either order.
class TwoRegions : public Regions {
 protected:
  using End = RegionProducts::End;
  void add(RegionTraces& regions, bool first, bool second, End end = End::kWell) {
    std::vector<std::uint32_t> all = execution(1, first, 0x1000);
    const std::vector<std::uint32_t> behind = execution(3, second, 0x2000);
    all.insert(all.end(), behind.begin(), behind.end());
    const RegionEntry one = entry(1), two = entry(2);
    const RegionEntry* const entries[] = {&one, &two};
    regions.add(all, entries, end);
  }
  static std::string all_problems(RegionTraces& regions) {
    std::string out;
    for (const RegionProblem& problem : regions.finish()) out += problem.why + "\n";
    return out;
  }
};

TEST_F(TwoRegions, ACombinationThatFailedIsNotAdmitted) {
  RegionTraces regions(set);
  add(regions, false, false);
  add(regions, false, true);
  add(regions, true, false);
  add(regions, true, true, End::kFailed);
  EXPECT_NE(all_problems(regions).find("1 trace of region 'region'"), std::string::npos);
  EXPECT_EQ(set.size(), 3u);  // one for the first entry, and two for the second
}

TEST_F(TwoRegions, AllCombinationsThatWentWellAreAdmitted) {
  RegionTraces regions(set);
  for (const bool first : {false, true})
    for (const bool second : {false, true}) add(regions, first, second);
  EXPECT_EQ(all_problems(regions), "");
  EXPECT_EQ(set.size(), 4u);
  EXPECT_TRUE(regions.products().has_several());
}

TEST_F(TwoRegions, ACombinationThatWasNotExecutedIsNotAdmitted) {
  RegionTraces regions(set);
  add(regions, false, false);
  add(regions, true, false);
  add(regions, true, true);
  EXPECT_NE(all_problems(regions).find("was not verified"), std::string::npos);
  EXPECT_EQ(set.size(), 3u);  // two for the first entry, and one for the second
}

TEST_F(TwoRegions, TracesThatOnlyFailedExecutionsHaveAreNoCombinations) {
  RegionTraces regions(set);
  add(regions, false, true);
  add(regions, false, false, End::kFailed);
  EXPECT_EQ(all_problems(regions), "");
  EXPECT_EQ(set.size(), 2u);
}

TEST_F(TwoRegions, EqualEntriesShareTheirTracesOnlyInCombinationsThatWentWell) {
  const auto twice = [&](RegionTraces& regions, bool first, bool second, End end = End::kWell) {
    std::vector<std::uint32_t> all = execution(1, first, 0x1000);
    const std::vector<std::uint32_t> behind = execution(3, second, 0x2000);
    all.insert(all.end(), behind.begin(), behind.end());
    const RegionEntry one = entry(1);
    const RegionEntry* const entries[] = {&one, &one};
    regions.add(all, entries, end);
  };
  RegionTraces regions(set);
  twice(regions, false, true);
  twice(regions, false, false);
  twice(regions, true, false);
  twice(regions, true, true, End::kFailed);
  EXPECT_NE(all_problems(regions), "");
  EXPECT_EQ(set.size(), 1u);
}

TEST_F(TwoRegions, AnotherInputBehindTheSameTracesIsTheSameCombination) {
  const auto with_input = [&](std::uint64_t value, bool swapped, End end = End::kWell) {
    std::vector<std::uint32_t> all{label(0, Kind::kInput, {{kEverything, true}}, {Space::kValue, 0, value})};
    const std::vector<std::uint32_t> behind = execution(1, swapped, 0x1000);
    all.insert(all.end(), behind.begin(), behind.end());
    return std::pair(all, end);
  };
  const RegionEntry one = entry(1);
  const RegionEntry* const entries[] = {&one};
  RegionTraces well(set);
  for (const auto& [execution, end] : {with_input(1, false), with_input(2, true)}) well.add(execution, entries, end);
  EXPECT_EQ(all_problems(well), "");
  EXPECT_EQ(set.size(), 2u);
  set.clear();
  RegionTraces failing(set);
  for (const auto& [execution, end] : {with_input(1, false), with_input(1, true), with_input(2, true, End::kFailed)}) failing.add(execution, entries, end);
  EXPECT_NE(all_problems(failing), "");
  EXPECT_EQ(set.size(), 1u);
}

TEST_F(TwoRegions, SetsArePutTogetherIfTheirTracesCannotBeCombined) {
  const auto set_of = [&](std::uint64_t value, bool swapped, bool several) {
    ScheduleSet out;
    std::swap(out, set);
    RegionTraces regions(set);
    Regions::add(regions, execution(1, swapped, 0x1000), entry(value));
    regions.finish();
    set.several_regions = several;
    std::swap(out, set);
    return ScheduleSet::of_image(out.image());
  };
  for (const bool several : {false, true}) {
    ScheduleSet one = set_of(1, false, several);
    EXPECT_FALSE(one.may_combine_with(set_of(1, false, several)));          // the same traces
    EXPECT_EQ(one.may_combine_with(set_of(1, true, several)), several);     // others, from equal values
    EXPECT_FALSE(one.may_combine_with(set_of(2, true, several)));           // no entry has the values of both
  }
}

TEST_F(TwoRegions, ACompleteSetForOtherArgumentsMakesNoneComplete) {
  const auto set_for = [&](const std::string& argument, std::uint64_t value, bool complete) {
    ScheduleSet out;
    std::swap(out, set);
    RegionTraces regions(set);
    Regions::add(regions, execution(1, false, 0x1000), entry(value));
    regions.finish();
    set.arguments = {argument};
    set.complete = complete;
    std::swap(out, set);
    return out;
  };
  const auto both = [&](ScheduleSet one, const ScheduleSet& other) {
    one.merge(other);
    return one.complete;
  };
  EXPECT_FALSE(both(set_for("2", 1, false), set_for("1", 1, true)));
  EXPECT_FALSE(both(set_for("2", 1, true), set_for("1", 1, false)));
  EXPECT_TRUE(both(set_for("2", 1, true), set_for("1", 2, true)));
  EXPECT_TRUE(both(set_for("1", 1, false), set_for("1", 1, true)));
  EXPECT_TRUE(both(set_for("1", 1, true), set_for("1", 1, false)));
  EXPECT_FALSE(both(set_for("1", 1, true), set_for("1", 2, false)));  // it has traces of an entry that the complete set does not have
  ScheduleSet none;
  none.arguments = {"2"};
  none.adopt(set_for("1", 1, true));
  EXPECT_FALSE(none.complete);
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
