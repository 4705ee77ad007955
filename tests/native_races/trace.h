// Traces for the race detector: operations of several threads in the order in which they took place, made at random or by hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "native/races/race_detector.h"

namespace tarry::native::testing {

enum class Do {
  kRead,
  kWrite,
  kReadRange,
  kWriteRange,
  kLoad,
  kStore,
  kRmw,
  kFailedCas,
  kFence,
  kAcquire,
  kRelease,
  kReleaseAcquire,
  kCreate,
  kJoin,
  kAllocate,
  kFree
};

/// Addresses are offsets from kBase; an operation's pc is its place in the trace + 1.
struct Op {
  Do what;
  std::uint32_t thread = 0;
  std::uint32_t at = 0;  // offset, or lock, or the other thread
  std::uint32_t size = 0;
  std::memory_order order = std::memory_order_seq_cst;
  std::uint32_t step = 0;
};
using Trace = std::vector<Op>;

/// The last 40 bytes of a page and what follows.
inline constexpr std::uintptr_t kBase = 0x7f1234568000 - 40;
inline constexpr std::uintptr_t kLocks = 0x7f2234568000;
/// Bytes that atomic operations treat as one value: offset and size. The last two are one of 16 bytes too.
inline constexpr std::pair<std::uint32_t, std::uint32_t> kAtomics[] = {{0, 4}, {4, 4}, {8, 8}, {56, 1}, {16, 8}, {24, 8}};
/// What is allocated and freed: offset and size.
inline constexpr std::pair<std::uint32_t, std::uint32_t> kBlocks[] = {{32, 16}, {51, 13}};
inline constexpr std::uint32_t kArena = 72;

struct Weights {
  std::uint32_t threads = 4, length = 40;
  std::uint32_t plain = 6, atomic = 6, fence = 2, lock = 4, heap = 1;
  bool steps = true;  // or all is step 0
};
Trace random_trace(Rng& rng, const Weights& weights);
std::string to_text(const Trace& trace);

/// Memory of tests: goes away with it.
class TestMemory final : public Memory {
 public:
  ~TestMemory() override {
    for (void* block : blocks_) std::free(block);
  }
  void* map(std::size_t bytes) override;
  std::size_t mapped() const { return mapped_; }

 private:
  std::vector<void*> blocks_;
  std::size_t mapped_ = 0;
};

/// What was reported, by places in the trace: (earlier, later) and (access, free).
struct Reports {
  std::set<std::pair<std::size_t, std::size_t>> races, uses_after_free;
  friend bool operator==(const Reports&, const Reports&) = default;
};

class Recorder final : public RaceSink {
 public:
  void race(const RaceReport& report) override {
    reports.races.insert({report.earlier.pc - 1, report.later.pc - 1});
    last = report;
    all.push_back(report.earlier);
    all.push_back(report.later);
  }
  void use_after_free(const Access& access, const Access& freed) override {
    reports.uses_after_free.insert({access.pc - 1, freed.pc - 1});
    last = {freed, access};
    all.push_back(access);
    all.push_back(freed);
  }
  void clear() {
    reports = {};
    all.clear();
  }
  Reports reports;
  RaceReport last;
  std::vector<Access> all;
};

/// Whether an access is as the trace has it: thread, step, kind, and bytes that it touched.
bool is_true(const Access& access, const Trace& trace);

/// Plays the trace to a detector that was reset.
void play(const Trace& trace, RaceDetector& detector);
/// One operation of it.
void play(const Op& op, std::uintptr_t pc, RaceDetector& detector);

}  // namespace tarry::native::testing
