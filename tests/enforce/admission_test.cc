// Random sets of traces of random programs: whatever threads do in whatever order, they adhere to one trace of the set, and they get to its end.
#include "enforce/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include "base/rng.h"
#include "enforce/schedule_set.h"

namespace tarry::enforce {
namespace {

/// Straight-line threads, each a list of accesses to objects.
struct Threads {
  std::vector<std::vector<Label>> lanes;

  static Threads random(Rng& rng) {
    Threads out;
    for (std::uint32_t thread = 0, n = 2 + static_cast<std::uint32_t>(rng.below(3)); thread < n; ++thread) {
      auto& lane = out.lanes.emplace_back();
      for (std::uint64_t k = 0, m = 1 + rng.below(3); k < m; ++k) lane.push_back(access(thread, k, rng));
    }
    // Sometimes the first thread ends the program, when the others are through.
    if (rng.below(3) == 0) out.lanes[0].push_back({.thread = 0, .kind = Kind::kExit, .touches = {{{Space::kEverything, 0, 0}, true}}});
    return out;
  }
  static Label access(std::uint32_t thread, std::uint64_t k, Rng& rng) {
    Label label{.thread = thread, .kind = Kind::kStore, .size = 4, .offset = 100 + thread * 10 + k};
    for (std::uint64_t i = 0, n = 1 + rng.below(4) / 3; i < n; ++i) label.touches.push_back({{Space::kMemory, 0, 1000 + rng.below(3)}, rng.below(3) > 0});
    label.object = label.touches[0].object;
    return label;
  }
  /// An execution at random. What touches everything comes when all others are through.
  std::vector<std::uint32_t> execution(ScheduleSet& set, Rng& rng) const {
    std::vector<std::size_t> at(lanes.size());
    std::vector<std::uint32_t> out;
    const std::size_t all = std::accumulate(lanes.begin(), lanes.end(), std::size_t{0}, [](std::size_t n, const auto& lane) { return n + lane.size(); });
    while (out.size() < all) {
      const std::size_t thread = rng.below(lanes.size());
      if (at[thread] == lanes[thread].size()) continue;
      const Label& label = lanes[thread][at[thread]];
      if (label.touches_everything() && out.size() + 1 < all) continue;
      ++at[thread];
      out.push_back(set.intern(label));
    }
    return out;
  }
};

/// A run in which claims and completions of different threads interleave at random.
class SimulatedRun {
 public:
  SimulatedRun(const std::string& bytes, const Threads& threads, Rng& rng) : threads_(threads), rng_(rng), image_(bytes.data()), room_(Admission::room_for(image_, count()) + 64) {
    void* at = room_.data();
    std::size_t space = room_.size();
    admission_ = std::make_unique<Admission>(image_, count(), std::align(64, space - 64, at, space));
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(threads_.lanes.size()); }

  /// The order in which events were completed, which is one of their trace; empty: they got stuck, or something was refused.
  std::vector<std::uint32_t> run(ScheduleSet& set) {
    std::vector<std::size_t> at(count());
    std::vector<std::uint32_t> under_way(count(), Permission::kNone), order;
    for (int idle = 0; idle < 10'000; ++idle) {
      const auto thread = static_cast<std::uint32_t>(rng_.below(count()));
      if (under_way[thread] != Permission::kNone) {
        admission_->complete(thread, under_way[thread]);
        under_way[thread] = Permission::kNone;
        order.push_back(set.intern(threads_.lanes[thread][at[thread]++]));
        idle = 0;
      } else if (at[thread] < threads_.lanes[thread].size()) {
        const Label& label = threads_.lanes[thread][at[thread]];
        const Permission permission = admission_->attempt(thread, [&](const LabelRecord& record) { return record.kind == static_cast<std::uint32_t>(label.kind) && record.offset == label.offset; });
        if (permission.answer == Permission::Answer::kUnverified) return {};
        if (permission.answer != Permission::Answer::kGo) continue;
        under_way[thread] = permission.event;
        idle = 0;
      }
      bool over = true;
      for (std::uint32_t i = 0; i < count(); ++i) over = over && at[i] == threads_.lanes[i].size();
      if (over) return order;
    }
    return {};
  }
  /// Thread 0 reads an input before everything else. Returns whether the value is admissible.
  bool reads(const Label& input) {
    const Permission permission = admission_->attempt_alone(0, [&](const LabelRecord& record) {
      return record.kind == static_cast<std::uint32_t>(Kind::kInput) && image_.objects()[record.object].value == input.object.value;
    });
    if (permission.answer != Permission::Answer::kGo) return false;
    admission_->complete(0, permission.event);
    return true;
  }
  const Admission& admission() const { return *admission_; }

 private:
  const Threads& threads_;
  Rng& rng_;
  ImageView image_;
  std::vector<char> room_;
  std::unique_ptr<Admission> admission_;
};

TEST(Admission, RunsAdhereToTheSetAndEnd) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed, 0);
    const Threads threads = Threads::random(rng);
    ScheduleSet set;
    for (std::uint64_t i = 0, n = 1 + rng.below(12); i < n; ++i) set.add(threads.execution(set, rng));
    const std::string bytes = set.image();
    ASSERT_EQ(wrong_with_image(bytes), "");
    std::set<std::uint64_t> taken;
    for (int i = 0; i < 40; ++i) {
      SimulatedRun run(bytes, threads, rng);
      const auto order = run.run(set);
      ASSERT_FALSE(order.empty()) << "seed " << seed << ": stuck or refused";
      ASSERT_TRUE(set.contains(order)) << "seed " << seed << ": a trace that is not in the set";
      taken.insert(run.admission().trace_taken());
    }
    EXPECT_LE(taken.size(), set.size());
    several += taken.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 150);
}

TEST(Admission, AnInputLeavesTheTracesOfItsValue) {
  const auto input = [](std::uint64_t value) { return Label{.thread = 0, .kind = Kind::kInput, .object = {Space::kValue, 0, value}, .touches = {{{Space::kEverything, 0, 0}, true}}}; };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed, 5);
    const Threads threads = Threads::random(rng);
    ScheduleSet set;
    std::set<std::uint64_t> verified;
    const std::uint64_t values = seed % 3 == 0 ? 200 : 8;  // more than a thread looks ahead
    for (std::uint64_t i = 0; i < values; ++i) {
      const std::uint64_t value = rng.below(values);
      verified.insert(value);
      std::vector<std::uint32_t> execution = threads.execution(set, rng);
      execution.insert(execution.begin(), set.intern(input(value)));
      set.add(execution);
    }
    const std::string bytes = set.image();
    ASSERT_EQ(wrong_with_image(bytes), "");
    for (std::uint64_t value = 0; value < values + 2; ++value) {
      SimulatedRun run(bytes, threads, rng);
      ASSERT_EQ(run.reads(input(value)), verified.contains(value)) << "seed " << seed << ", value " << value;
      if (!verified.contains(value)) continue;
      auto order = run.run(set);
      ASSERT_FALSE(order.empty()) << "seed " << seed << ", value " << value;
      order.insert(order.begin(), set.intern(input(value)));
      ASSERT_TRUE(set.contains(order)) << "seed " << seed << ", value " << value;
    }
  }
}

TEST(Admission, ATimeOutWaitsForItsTime) {
  // Thread 0 waits for what thread 1 does: in time behind it, or by a time-out before it.
  ScheduleSet both, late;
  for (ScheduleSet* const set : {&both, &late}) {
    const auto event = [&](std::uint32_t thread, Kind kind, Outcome outcome) { return set->intern({.thread = thread, .kind = kind, .size = static_cast<std::uint32_t>(outcome), .touches = {{{Space::kMemory, 0, 8}, true}}}); };
    const std::uint32_t post = event(1, Kind::kSemaphorePost, Outcome::kInTime);
    set->add(std::vector{event(0, Kind::kTimedSemaphoreWait, Outcome::kExpired), post});
    if (set == &both) set->add(std::vector{post, event(0, Kind::kTimedSemaphoreWait, Outcome::kInTime)});
  }
  const auto any = [](const LabelRecord&) { return true; };
  for (const ScheduleSet* const set : {&both, &late}) {
    for (const bool posted : {false, true}) {
      const std::string bytes = set->image();
      const ImageView image(bytes.data());
      std::vector<char> room(Admission::room_for(image, 2) + 64);
      void* at = room.data();
      std::size_t space = room.size();
      Admission admission(image, 2, std::align(64, space - 64, at, space));
      bool due = false;
      const auto is_due = [&](const LabelRecord& label) { return label.size == static_cast<std::uint32_t>(Outcome::kInTime) || due; };
      EXPECT_EQ(admission.attempt(0, any, is_due).answer, Permission::Answer::kWait);
      if (posted) {
        const Permission post = admission.attempt(1, any);
        EXPECT_EQ(post.answer, set == &both ? Permission::Answer::kGo : Permission::Answer::kWait);
        if (post.answer == Permission::Answer::kGo) admission.complete(1, post.event);
      }
      due = !posted || set == &late;
      const Permission end = admission.attempt(0, any, is_due);
      ASSERT_EQ(end.answer, Permission::Answer::kGo);
      EXPECT_EQ(admission.label_of(end.event).size, static_cast<std::uint32_t>(due ? Outcome::kExpired : Outcome::kInTime));
    }
  }
}

TEST(Admission, ACompleteSetHoldsNothingUp) {
  // All orders of two writes: whoever comes first goes first.
  ScheduleSet set;
  std::vector<std::uint32_t> labels;
  for (std::uint32_t thread = 0; thread < 2; ++thread) labels.push_back(set.intern({.thread = thread, .kind = Kind::kStore, .touches = {{{Space::kMemory, 0, 8}, true}}}));
  set.add(labels);
  set.add(std::vector{labels[1], labels[0]});
  const std::string bytes = set.image();
  const ImageView image(bytes.data());
  for (std::uint32_t first = 0; first < 2; ++first) {
    std::vector<char> room(Admission::room_for(image, 2) + 64);
    void* at = room.data();
    std::size_t space = room.size();
    Admission admission(image, 2, std::align(64, space - 64, at, space));
    const auto any = [](const LabelRecord&) { return true; };
    const Permission one = admission.attempt(first, any);
    EXPECT_EQ(one.answer, Permission::Answer::kGo);
    EXPECT_EQ(admission.attempt(1 - first, any).answer, Permission::Answer::kWait);
    admission.complete(first, one.event);
    EXPECT_EQ(admission.attempt(1 - first, any).answer, Permission::Answer::kGo);
  }
}

TEST(Admission, WhatCommutesNeedsNoDecision) {
  // Threads 0 and 1 race; thread 2 does something else, which is the same in both traces, so it decides nothing.
  ScheduleSet set;
  const auto store = [&](std::uint32_t thread, std::uint64_t object) { return set.intern({.thread = thread, .kind = Kind::kStore, .touches = {{{Space::kMemory, 0, object}, true}}}); };
  const std::uint32_t a = store(0, 8), b = store(1, 8), c = store(2, 16);
  set.add(std::vector{a, b, c});
  set.add(std::vector{b, a, c});
  const std::string bytes = set.image();
  const ImageView image(bytes.data());
  std::vector<char> room(Admission::room_for(image, 3) + 64);
  void* at = room.data();
  std::size_t space = room.size();
  Admission admission(image, 3, std::align(64, space - 64, at, space));
  const auto any = [](const LabelRecord&) { return true; };
  EXPECT_EQ(admission.attempt(2, any).answer, Permission::Answer::kGo);
  EXPECT_EQ(admission.decided(2), 0);
  EXPECT_EQ(admission.attempt(1, any).answer, Permission::Answer::kGo);  // still free to be the first
}

TEST(ScheduleSet, AnExecutionAndItsEquivalentsAreOneTrace) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed, 1);
    const Threads threads = Threads::random(rng);
    ScheduleSet set;
    auto execution = threads.execution(set, rng);
    set.add(execution);
    for (int i = 0; i < 50; ++i) {  // exchange neighbours that do not depend on each other
      const std::size_t at = rng.below(execution.size() - 1);
      const Label &one = set.labels()[execution[at]], &two = set.labels()[execution[at + 1]];
      if (one.thread == two.thread || one.touches_everything() || two.touches_everything()) continue;
      const bool depend = std::any_of(one.touches.begin(), one.touches.end(), [&](const Touch& x) {
        return std::any_of(two.touches.begin(), two.touches.end(), [&](const Touch& y) { return x.object == y.object && (x.writes || y.writes); });
      });
      std::swap(execution[at], execution[at + 1]);
      EXPECT_EQ(set.contains(execution), !depend);
      if (depend) std::swap(execution[at], execution[at + 1]);
    }
    EXPECT_EQ(set.size(), 1);
  }
}

TEST(ScheduleSet, BytesAndBack) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed, 2);
    const Threads threads = Threads::random(rng);
    ScheduleSet set, rest;
    set.identity = rest.identity = seed;
    set.arguments = rest.arguments = {"one", "two"};
    for (int i = 0; i < 10; ++i) (i % 2 == 0 ? set : rest).add(threads.execution(i % 2 == 0 ? set : rest, rng));
    const std::string bytes = set.image();
    ScheduleSet again = ScheduleSet::of_image(bytes);
    EXPECT_EQ(again.size(), set.size());
    EXPECT_EQ(again.missing(set), 0);
    EXPECT_EQ(set.missing(again), 0);
    EXPECT_EQ(again.image().size(), bytes.size());
    EXPECT_EQ(again.differs_from(rest), "");
    again.merge(rest);
    EXPECT_EQ(again.missing(rest), 0);
    EXPECT_EQ(again.missing(set), 0);
  }
}

TEST(SetImage, FlippedBitsAreFound) {
  Rng rng(7, 3);
  const Threads threads = Threads::random(rng);
  ScheduleSet set;
  for (int i = 0; i < 5; ++i) set.add(threads.execution(set, rng));
  const std::string bytes = set.image();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << rng.below(8));
    EXPECT_NE(wrong_with_image(damaged), "") << "byte " << at;
    EXPECT_NE(wrong_with_image(std::string_view(bytes).substr(0, at)), "");
  }
  EXPECT_EQ(wrong_with_image(bytes), "");
}

/// Whoever forges a checksum still cannot lead the run-time library out of its arrays.
TEST(SetImage, PartsThatDoNotFitTogetherAreFound) {
  Rng rng(8, 4);
  const Threads threads = Threads::random(rng);
  ScheduleSet set;
  for (int i = 0; i < 5; ++i) set.add(threads.execution(set, rng));
  const std::string bytes = set.image();
  std::size_t refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = bytes;
    const std::size_t at = sizeof(kImageMagic) + 4 + rng.below(damaged.size() - 16);
    damaged[at] = static_cast<char>(rng.below(256));
    Header header;
    std::memcpy(&header, damaged.data(), sizeof(header));
    header.size = damaged.size();
    header.checksum = checksum_of(damaged);
    damaged.replace(0, sizeof(header), reinterpret_cast<const char*>(&header), sizeof(header));
    header.checksum = checksum_of(damaged);
    damaged.replace(0, sizeof(header), reinterpret_cast<const char*>(&header), sizeof(header));
    if (!wrong_with_image(damaged).empty()) ++refused;
    else ScheduleSet::of_image(damaged);  // whatever it is, it can be read
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace tarry::enforce
