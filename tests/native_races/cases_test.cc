// Each rule of happens-before and of shadow memory by a case of its own. What the detector says is what the case expects and what
// the oracle says.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/native_races/oracle.h"
#include "tests/native_races/trace.h"

namespace tarry::native::testing {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kConsume = std::memory_order_consume;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcqRel = std::memory_order_acq_rel;
constexpr auto kSeqCst = std::memory_order_seq_cst;

/// Where things are: `data` and `more` are plain, `flag` and `other` atomic.
constexpr std::uint32_t kData = 64, kFlag = 0, kOther = 4, kHeap = 32;

Op read(std::uint32_t thread, std::uint32_t at = kData, std::uint32_t size = 4) {
  return {.what = Do::kRead, .thread = thread, .at = at, .size = size};
}
Op write(std::uint32_t thread, std::uint32_t at = kData, std::uint32_t size = 4) {
  return {.what = Do::kWrite, .thread = thread, .at = at, .size = size};
}
Op load(std::uint32_t thread, std::memory_order order, std::uint32_t at = kFlag) {
  return {.what = Do::kLoad, .thread = thread, .at = at, .size = 4, .order = order};
}
Op store(std::uint32_t thread, std::memory_order order, std::uint32_t at = kFlag) {
  return {.what = Do::kStore, .thread = thread, .at = at, .size = 4, .order = order};
}
Op rmw(std::uint32_t thread, std::memory_order order, std::uint32_t at = kFlag) {
  return {.what = Do::kRmw, .thread = thread, .at = at, .size = 4, .order = order};
}
Op failed_cas(std::uint32_t thread, std::memory_order order) {
  return {.what = Do::kFailedCas, .thread = thread, .at = kFlag, .size = 4, .order = order};
}
Op fence(std::uint32_t thread, std::memory_order order) { return {.what = Do::kFence, .thread = thread, .order = order}; }
Op lock(std::uint32_t thread, std::uint32_t which = 0) { return {.what = Do::kAcquire, .thread = thread, .at = which}; }
Op unlock(std::uint32_t thread, std::uint32_t which = 0) { return {.what = Do::kRelease, .thread = thread, .at = which}; }
Op create(std::uint32_t thread, std::uint32_t child) { return {.what = Do::kCreate, .thread = thread, .at = child}; }
Op join(std::uint32_t thread, std::uint32_t ended) { return {.what = Do::kJoin, .thread = thread, .at = ended}; }
Op allocate(std::uint32_t thread, std::uint32_t at, std::uint32_t size) {
  return {.what = Do::kAllocate, .thread = thread, .at = at, .size = size};
}
Op free(std::uint32_t thread, std::uint32_t at, std::uint32_t size) {
  return {.what = Do::kFree, .thread = thread, .at = at, .size = size};
}

Reports reports_of(Trace trace) {
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i].step = static_cast<std::uint32_t>(i);
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  play(trace, detector);
  const Reports all = all_races(trace);
  EXPECT_TRUE(std::includes(all.races.begin(), all.races.end(), recorder.reports.races.begin(), recorder.reports.races.end()));
  EXPECT_EQ(all.races.empty(), recorder.reports.races.empty());
  EXPECT_EQ(all.uses_after_free, recorder.reports.uses_after_free);
  return recorder.reports;
}
void expect_ordered(Trace trace) { EXPECT_EQ(reports_of(std::move(trace)), Reports{}); }
/// The last two accesses to kData race, or whichever the pair is.
void expect_race(Trace trace, std::size_t earlier, std::size_t later) {
  EXPECT_EQ(reports_of(std::move(trace)).races, (std::set<std::pair<std::size_t, std::size_t>>{{earlier, later}}));
}

/// Threads 1 and 2 write and read the data; `between` is what may order them. The trace: two creations, the write, `between`, the
/// read.
Trace message(Trace between) {
  Trace trace = {create(0, 1), create(0, 2), create(0, 3), write(1)};
  trace.insert(trace.end(), between.begin(), between.end());
  trace.push_back(read(2));
  return trace;
}
void expect_message_ordered(Trace between) { expect_ordered(message(std::move(between))); }
void expect_message_races(Trace between) {
  const std::size_t last = between.size() + 4;
  expect_race(message(std::move(between)), 3, last);
}

TEST(HappensBefore, NothingOrdersThreadsByItself) { expect_message_races({}); }

TEST(HappensBefore, CreationAndJoinOrder) {
  expect_ordered({write(0), create(0, 1), write(1), join(0, 1), write(0)});
  expect_race({create(0, 1), write(0), write(1)}, 1, 2);
  expect_race({create(0, 1), create(0, 2), write(1), join(2, 1), write(2), write(0)}, 4, 5);
  expect_ordered({create(0, 1), create(1, 2), write(2), join(1, 2), join(0, 1), write(0)});
}

TEST(HappensBefore, LocksOrderOnlyWhoTakesTheSame) {
  expect_message_ordered({lock(1), unlock(1), lock(2), unlock(2)});
  expect_message_races({lock(1), unlock(1), lock(2, 1), unlock(2, 1)});
  // What comes after the release is not ordered by it.
  expect_race({create(0, 1), lock(0), unlock(0), write(0), lock(1), read(1)}, 3, 5);
}

TEST(HappensBefore, ReleaseStoreAndAcquireLoadOrder) {
  for (const auto order : {kRelease, kSeqCst}) {
    for (const auto reader : {kConsume, kAcquire, kSeqCst}) expect_message_ordered({store(1, order), load(2, reader)});
  }
  expect_message_races({store(1, kRelaxed), load(2, kAcquire)});
  expect_message_races({store(1, kRelease), load(2, kRelaxed)});
  expect_message_races({load(2, kAcquire), store(1, kRelease)});
  expect_message_races({store(1, kRelease), load(2, kAcquire, kOther)});
}

TEST(HappensBefore, SequentialConsistencyOfDifferentAtomicsDoesNotOrder) {
  expect_message_races({store(1, kSeqCst, kFlag), store(2, kSeqCst, kOther), load(1, kSeqCst, kOther)});
}

TEST(HappensBefore, ReadModifyWritesContinueAReleaseSequence) {
  expect_message_ordered({store(1, kRelease), rmw(3, kRelaxed), load(2, kAcquire)});
  expect_message_ordered({store(1, kRelease), rmw(3, kRelaxed), rmw(3, kAcquire), load(2, kAcquire)});
  expect_message_ordered({rmw(1, kAcqRel), rmw(2, kAcqRel)});
  expect_message_ordered({rmw(1, kRelease), rmw(2, kAcquire)});
  expect_message_races({rmw(1, kAcquire), rmw(2, kAcquire)});
  expect_message_races({rmw(1, kRelease), rmw(2, kRelease)});
}

TEST(HappensBefore, AnotherStoreBreaksAReleaseSequence) {
  expect_message_races({store(1, kRelease), store(3, kRelaxed), load(2, kAcquire)});
  // Since C++20 also one of the same thread.
  expect_message_races({store(1, kRelease), store(1, kRelaxed), load(2, kAcquire)});
  // A later release hands on only what its own thread knows.
  expect_message_races({store(1, kRelease), store(3, kRelease), load(2, kAcquire)});
  expect_message_ordered({store(1, kRelease), load(3, kAcquire), store(3, kRelease), load(2, kAcquire)});
}

TEST(HappensBefore, AFailedCompareExchangeIsALoad) {
  expect_message_ordered({store(1, kRelease), failed_cas(2, kAcquire)});
  expect_message_races({store(1, kRelease), failed_cas(2, kRelaxed)});
  expect_message_ordered({store(1, kRelease), failed_cas(3, kSeqCst), load(2, kAcquire)});
}

TEST(HappensBefore, FencesOrderTogetherWithRelaxedAtomics) {
  expect_message_ordered({fence(1, kRelease), store(1, kRelaxed), load(2, kRelaxed), fence(2, kAcquire)});
  expect_message_ordered({fence(1, kRelease), store(1, kRelaxed), load(2, kAcquire)});
  expect_message_ordered({store(1, kRelease), load(2, kRelaxed), fence(2, kAcquire)});
  expect_message_ordered({fence(1, kSeqCst), rmw(1, kRelaxed), rmw(2, kRelaxed), fence(2, kSeqCst)});
  expect_message_ordered({fence(1, kAcqRel), store(1, kRelaxed), rmw(3, kRelaxed), load(2, kRelaxed), fence(2, kAcqRel)});
}

TEST(HappensBefore, FencesInTheWrongPlaceDoNotOrder) {
  expect_message_races({store(1, kRelaxed), fence(1, kRelease), load(2, kRelaxed), fence(2, kAcquire)});
  expect_message_races({fence(1, kRelease), store(1, kRelaxed), fence(2, kAcquire), load(2, kRelaxed)});
  expect_message_races({fence(1, kAcquire), store(1, kRelaxed), load(2, kAcquire)});
  expect_message_races({store(1, kRelease), load(2, kRelaxed), fence(2, kRelease)});
  expect_message_races({fence(1, kSeqCst), fence(2, kSeqCst)});
  expect_message_races({fence(1, kRelease), store(1, kRelaxed), store(3, kRelaxed), load(2, kRelaxed), fence(2, kAcquire)});
  // The write comes after the fence that hands things on.
  expect_race({create(0, 1), fence(0, kRelease), write(0), store(0, kRelaxed), load(1, kAcquire), read(1)}, 2, 5);
}

TEST(HappensBefore, AnAtomicLoadAcquiresWhatWasReleasedAtItsAddress) {
  // Guards of local statics: the runtime releases, compiled code checks.
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto* guard = reinterpret_cast<const void*>(kBase);
  const auto* data = reinterpret_cast<const void*>(kBase + kData);
  detector.thread_created(0, 1);
  detector.write(data, 8, 1);
  detector.release(0, guard);
  detector.run(1, 1);
  detector.atomic_load(guard, 1, kAcquire, 2);
  detector.read(data, 8, 3);
  EXPECT_EQ(recorder.reports, Reports{});
  detector.forget_object(guard);
  detector.run(0, 2);
  detector.write(data, 8, 4);
  EXPECT_EQ(recorder.reports.races.size(), 1u);
}

TEST(SynchronisationObjects, TheirOperationsRaceOnlyWithTheirMakersAndEnds) {
  const auto* object = reinterpret_cast<const void*>(kBase + kHeap);
  const auto reports_of = [&](auto then) {
    TestMemory memory;
    Recorder recorder;
    RaceDetector detector(memory, recorder);
    for (const std::uint32_t child : {1u, 2u}) detector.thread_created(0, child);
    detector.run(1, 1);
    detector.operates(object, 8, false, 1);
    detector.release(1, object);
    detector.run(2, 2);
    then(detector);
    return std::pair{recorder.reports.races.size(), recorder.reports != Reports{}};
  };
  const std::pair<std::size_t, bool> nothing{0, false}, race{1, true};
  EXPECT_EQ(reports_of([&](RaceDetector& detector) { detector.operates(object, 8, false, 2); }), nothing);
  EXPECT_EQ(reports_of([&](RaceDetector& detector) { detector.read(object, 8, 2); }), nothing);
  EXPECT_EQ(reports_of([&](RaceDetector& detector) { detector.write(object, 8, 2); }), race);
  EXPECT_EQ(reports_of([&](RaceDetector& detector) { detector.operates(object, 8, true, 2); }), race);
  EXPECT_EQ(reports_of([&](RaceDetector& detector) { detector.freed(object, 40, 2); }), race);
  // What it hands on is ordered, and so is its end.
  EXPECT_EQ(reports_of([&](RaceDetector& detector) {
    detector.acquire(2, object);
    detector.operates(object, 8, true, 2);
    detector.freed(object, 40, 3);
  }), nothing);
  // Thereafter it is used no more, whoever it is.
  EXPECT_TRUE(reports_of([&](RaceDetector& detector) {
    detector.acquire(2, object);
    detector.freed(object, 40, 2);
    detector.operates(object, 8, false, 3);
  }).second);
}

TEST(HappensBefore, AtomicsOfAnotherSizeAtTheSamePlaceHandOn) {
  // Lock words of which a byte is stored and all is exchanged: beyond the standard, but programs do it.
  const auto read_races = [](auto between) {
    TestMemory memory;
    Recorder recorder;
    RaceDetector detector(memory, recorder);
    for (const std::uint32_t child : {1u, 2u}) detector.thread_created(0, child);
    detector.write(reinterpret_cast<const void*>(kBase + kData), 4, 1);
    between(detector);
    detector.run(2, 2);
    detector.atomic_load(reinterpret_cast<const void*>(kBase), 4, kAcquire, 2);
    detector.read(reinterpret_cast<const void*>(kBase + kData), 4, 3);
    return !recorder.reports.races.empty();
  };
  const auto* byte = reinterpret_cast<const void*>(kBase + 1);
  const auto* word = reinterpret_cast<const void*>(kBase);
  EXPECT_FALSE(read_races([&](RaceDetector& detector) { detector.atomic_store(byte, 1, kRelease, 9); }));
  const auto store_and_exchange = [&](RaceDetector& detector) {
    detector.atomic_store(byte, 1, kRelease, 9);
    detector.run(1, 1);
    detector.fence(kRelease);
    detector.atomic_rmw(word, 4, kRelaxed, 9);
  };
  EXPECT_FALSE(read_races(store_and_exchange));
  EXPECT_TRUE(read_races([&](RaceDetector& detector) {
    store_and_exchange(detector);
    detector.atomic_store(word, 4, kRelaxed, 9);
  }));
}

TEST(HappensBefore, ReadersOfALockDoNotOrderEachOther) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto* lock_ = reinterpret_cast<const char*>(kLocks);
  const auto* data = reinterpret_cast<const void*>(kBase + kData);
  for (const std::uint32_t child : {1u, 2u, 3u}) detector.thread_created(0, child);
  for (const std::uint32_t reader : {1u, 2u}) {
    detector.run(reader, reader);
    detector.acquire(reader, lock_);
    detector.read(data, 4, reader);
    detector.release(reader, lock_ + 1);
  }
  detector.run(3, 3);
  detector.acquire(3, lock_);
  detector.acquire(3, lock_ + 1);
  detector.write(data, 4, 3);
  detector.release(3, lock_);
  detector.run(1, 4);
  detector.acquire(1, lock_);
  detector.read(data, 4, 4);
  EXPECT_EQ(recorder.reports, Reports{});
  // A reader that writes.
  const auto* other = reinterpret_cast<const void*>(kBase);
  detector.write(other, 4, 5);
  detector.release(1, lock_ + 1);
  detector.run(2, 5);
  detector.acquire(2, lock_);
  detector.read(other, 4, 6);
  EXPECT_EQ(recorder.reports.races, (std::set<std::pair<std::size_t, std::size_t>>{{4, 5}}));
}

TEST(Conflict, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  expect_ordered({create(0, 1), store(0, kRelaxed), store(1, kRelaxed), rmw(0, kRelaxed), load(1, kRelaxed)});
  expect_race({create(0, 1), store(0, kRelaxed), read(1, kFlag)}, 1, 2);
  expect_race({create(0, 1), read(0, kFlag), store(1, kRelaxed)}, 1, 2);
  expect_race({create(0, 1), write(0, kFlag), load(1, kRelaxed)}, 1, 2);
  expect_race({create(0, 1), load(0, kRelaxed), write(1, kFlag)}, 1, 2);
  expect_ordered({create(0, 1), load(0, kRelaxed), read(1, kFlag)});
  // An acquire that reads the value comes after what was before the release, the plain initialisation included.
  expect_ordered({create(0, 1), write(0, kFlag), store(0, kRelease), load(1, kAcquire)});
  // Both atomic writes count, not only the last.
  expect_race({create(0, 1), create(0, 2), store(1, kRelaxed), store(2, kRelaxed), join(0, 2), read(0, kFlag)}, 2, 5);
}

TEST(Conflict, AWriteRacesWithEachOfTheReadsBefore) {
  const Reports reports = reports_of({create(0, 1), create(0, 2), create(0, 3), read(1), read(2), read(3), write(0)});
  EXPECT_EQ(reports.races, (std::set<std::pair<std::size_t, std::size_t>>{{3, 6}, {4, 6}, {5, 6}}));
  expect_race({create(0, 1), create(0, 2), create(0, 3), read(1), read(2), read(3), join(0, 1), join(0, 3), write(0)}, 4, 8);
  expect_ordered({create(0, 1), create(0, 2), read(1), read(2), read(0), join(0, 1), join(0, 2), write(0)});
}

TEST(Conflict, AccessesAfterARaceOfTheSameStepAreFoundToo) {
  Trace trace = {create(0, 1), write(0), write(1), read(1), write(1)};
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i].step = trace[i].thread;
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  play(trace, detector);
  EXPECT_EQ(recorder.reports.races, (std::set<std::pair<std::size_t, std::size_t>>{{1, 2}, {1, 3}, {1, 4}}));
}

TEST(Shadow, NeighboursDoNotRace) {
  for (std::uint32_t at = 0; at < 8; ++at) {
    Trace trace = {create(0, 1)};
    for (std::uint32_t byte = 0; byte < 8; ++byte) trace.push_back(write(byte == at, 64 + byte, 1));
    expect_ordered(trace);
  }
  expect_ordered(
      {create(0, 1), write(0, 64, 4), write(1, 68, 4), write(0, 64, 4), write(1, 68, 4), read(0, 66, 2), read(1, 68, 1)});
  expect_ordered({create(0, 1), write(0, 35, 8), write(1, 43, 8)});
}

TEST(Shadow, OverlapsOfEverySizeAndPlaceAreFound) {
  for (std::uint32_t size = 1; size <= 16; size *= 2) {
    for (std::uint32_t other = 1; other <= 16; other *= 2) {
      for (std::uint32_t at = 24; at < 56; ++at) {
        const Trace trace = {create(0, 1), write(0, 40 - size / 2, size), read(1, at, other)};
        const bool overlap = at < 40 - size / 2 + size && 40 - size / 2 < at + other;
        EXPECT_EQ(!reports_of(trace).races.empty(), overlap) << size << ' ' << other << ' ' << at;
      }
    }
  }
}

TEST(Shadow, AnAccessAcrossPagesIsSeenOnBoth) {
  const auto page = static_cast<std::uint32_t>((kBase | 4095) + 1 - kBase);
  expect_race({create(0, 1), write(0, page - 4, 8), read(1, page, 1)}, 1, 2);
  expect_race({create(0, 1), write(0, page - 4, 8), read(1, page - 1, 1)}, 1, 2);
  expect_race({create(0, 1), write(0, page - 8, 16), write(1, page + 7, 1)}, 1, 2);
}

TEST(Shadow, ReportsSayWhoWhenWhereAndWhat) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  detector.run(0, 3);
  detector.thread_created(0, 5);
  detector.write(reinterpret_cast<const void*>(kBase + 36), 8, 0x7fffdeadbeef);
  detector.write(reinterpret_cast<const void*>(kBase + 36), 4, 0x7fffdead0000);
  detector.run(5, 17);
  detector.atomic_load(reinterpret_cast<const void*>(kBase + 40), 4, kRelaxed, 0x1234);
  const Access& earlier = recorder.last.earlier;
  EXPECT_EQ(earlier.thread, 0u);
  EXPECT_EQ(earlier.step, 3u);
  EXPECT_EQ(earlier.pc, 0x7fffdeadbeefu);
  EXPECT_EQ(earlier.address, kBase + 36);
  EXPECT_EQ(earlier.size, 8u);
  EXPECT_TRUE(earlier.write);
  EXPECT_FALSE(earlier.atomic);
  const Access& later = recorder.last.later;
  EXPECT_EQ(later.thread, 5u);
  EXPECT_EQ(later.step, 17u);
  EXPECT_EQ(later.pc, 0x1234u);
  EXPECT_EQ(later.address, kBase + 40);
  EXPECT_EQ(later.size, 4u);
  EXPECT_FALSE(later.write);
  EXPECT_TRUE(later.atomic);
}

TEST(Shadow, ALoopOverBytesIsOneAccessWithAllOfThem) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  detector.thread_created(0, 1);
  for (std::uintptr_t i = 0; i < 5; ++i) detector.write(reinterpret_cast<const void*>(kBase + i), 1, 7);
  detector.run(1, 1);
  detector.read(reinterpret_cast<const void*>(kBase + 5), 1, 8);
  EXPECT_FALSE(detector.raced());
  detector.read(reinterpret_cast<const void*>(kBase + 3), 1, 9);
  EXPECT_EQ(recorder.last.earlier.pc, 7u);
  EXPECT_EQ(recorder.last.earlier.address, kBase);
  EXPECT_EQ(recorder.last.earlier.size, 5u);
}

TEST(Heap, AFreeIsAWriteToAllOfIt) {
  expect_race({create(0, 1), read(1, kHeap + 8), free(0, kHeap, 16)}, 1, 2);
  expect_ordered({create(0, 1), write(1, kHeap + 8), join(0, 1), free(0, kHeap, 16)});
}

TEST(Heap, AccessesAfterAFreeAreReportedWithIt) {
  const auto uses = [](Trace trace) { return reports_of(std::move(trace)).uses_after_free; };
  using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(uses({write(0, kHeap), free(0, kHeap, 16), read(0, kHeap)}), (Pairs{{2, 1}}));
  EXPECT_EQ(uses({free(0, kHeap, 16), write(0, kHeap + 12, 8), write(0, kHeap + 12, 8), read(0, kHeap + 16)}),
            (Pairs{{1, 0}, {2, 0}}));
  EXPECT_EQ(uses({free(0, kHeap, 13), read(0, kHeap + 12, 1), read(0, kHeap + 13, 1)}), (Pairs{{1, 0}}));
  EXPECT_EQ(uses({create(0, 1), free(0, kHeap, 16), read(1, kHeap)}), (Pairs{{2, 1}}));
}

TEST(Heap, MemoryThatIsAllocatedAgainIsNew) {
  expect_ordered({create(0, 1), write(1, kHeap), allocate(0, kHeap, 16), write(0, kHeap), read(0, kHeap + 8)});
  expect_ordered({create(0, 1), write(0, kHeap), free(0, kHeap, 16), allocate(1, kHeap, 16), write(1, kHeap, 16)});
  expect_race({create(0, 1), write(0, kHeap), free(0, kHeap, 16), allocate(1, kHeap, 16), write(1, kHeap), read(0, kHeap)}, 4, 5);
  // In the same step, too: what the epoch did before does not count.
  Trace trace = {create(0, 1), write(0, kHeap), free(0, kHeap, 16), allocate(0, kHeap, 16), write(0, kHeap), write(1, kHeap)};
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i].step = trace[i].thread;
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  play(trace, detector);
  EXPECT_EQ(recorder.reports.races, (std::set<std::pair<std::size_t, std::size_t>>{{4, 5}}));
}

TEST(Heap, SynchronisationOfFreedMemoryIsForgotten) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto* heap = reinterpret_cast<const void*>(kBase + kHeap);
  const auto* data = reinterpret_cast<const void*>(kBase + kData);
  detector.thread_created(0, 1);
  detector.write(data, 4, 1);
  detector.release(0, heap);
  detector.freed(heap, 16, 2);
  detector.run(1, 1);
  detector.allocated(heap, 16);
  detector.acquire(1, heap);
  detector.read(data, 4, 3);
  EXPECT_EQ(recorder.reports.races.size(), 1u);
}

TEST(Heap, LargeBlocksAreFreedAndNewAsWell) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto* block = reinterpret_cast<const char*>(0x7f5500000010);
  constexpr std::size_t kSize = std::size_t{8} << 20;
  detector.write(block + 5'000'000, 8, 1);
  detector.freed(block, kSize, 2);
  detector.read(block + 5'000'000, 8, 3);
  EXPECT_EQ(recorder.reports.uses_after_free.size(), 1u);
  detector.allocated(block, kSize);
  detector.read(block + 5'000'000, 8, 4);
  EXPECT_EQ(recorder.reports.uses_after_free.size(), 1u);
}

TEST(Detector, ReportsAPairOfPlacesOnceUntilToldToForget) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto round = [&](std::uintptr_t first, std::uintptr_t second) {
    recorder.reports = {};
    detector.reset();
    detector.thread_created(0, 1);
    detector.write(reinterpret_cast<const void*>(kBase), 4, first);
    detector.run(1, 1);
    detector.write(reinterpret_cast<const void*>(kBase), 4, second);
    EXPECT_TRUE(detector.raced());
    return recorder.reports.races.size();
  };
  EXPECT_EQ(round(1, 2), 1u);
  EXPECT_EQ(round(1, 2), 0u);
  EXPECT_EQ(round(2, 1), 0u);
  EXPECT_EQ(round(1, 3), 1u);
  for (std::uintptr_t pc = 10; pc < 2000; ++pc) EXPECT_EQ(round(pc, pc + 1), 1u);
  for (std::uintptr_t pc = 10; pc < 2000; ++pc) EXPECT_EQ(round(pc, pc + 1), 0u);
  detector.forget_reports();
  EXPECT_EQ(round(1, 2), 1u);
}

TEST(Detector, KnowsFourThousandThreads) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  const auto* data = reinterpret_cast<const void*>(kBase);
  const auto* lock_ = reinterpret_cast<const void*>(kLocks);
  for (int round = 0; round < 2; ++round) {
    recorder.reports = {};
    detector.reset();
    detector.forget_reports();
    for (std::uint32_t i = 1; i < RaceDetector::kThreads; ++i) detector.thread_created(0, i);
    for (std::uint32_t i = 1; i < RaceDetector::kThreads; ++i) {
      detector.run(i, i);
      detector.read(data, 8, i + 1);
      if (i != 77) detector.release(i, lock_);
    }
    detector.run(0, 5000);
    detector.acquire(0, lock_);
    detector.write(data, 8, 1);
    EXPECT_EQ(recorder.reports.races, (std::set<std::pair<std::size_t, std::size_t>>{{77, 0}}));
  }
}

TEST(Detector, KeepsItsMemoryWithinBoundsWhateverTheAddresses) {
  // 300 executions of 100 pages each, none of which comes again: what is kept is a few thousand pages.
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  std::uintptr_t page = 0x10000;
  for (int execution = 0; execution < 300; ++execution) {
    detector.reset();
    for (int i = 0; i < 100; ++i) detector.write(reinterpret_cast<const void*>(page++ << 12), 8, 1);
  }
  EXPECT_LT(memory.mapped(), std::size_t{200} << 20);
}

}  // namespace
}  // namespace tarry::native::testing
