#include "tests/native_races/trace.h"

#include <cstring>
#include <sstream>

namespace tarry::native::testing {

namespace {

constexpr std::memory_order kOrders[] = {std::memory_order_relaxed, std::memory_order_consume, std::memory_order_acquire,
                                         std::memory_order_release, std::memory_order_acq_rel, std::memory_order_seq_cst};
constexpr std::memory_order kLoadOrders[] = {std::memory_order_relaxed, std::memory_order_consume, std::memory_order_acquire,
                                             std::memory_order_seq_cst};
constexpr std::memory_order kStoreOrders[] = {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst};

class Generator {
 public:
  Generator(Rng& rng, const Weights& weights) : rng_(rng), weights_(weights) {}

  Trace make() {
    while (trace_.size() < weights_.length) {
      if (rng_.below(3) != 0) running_ = live_[rng_.below(live_.size())];
      // A step of several operations: the epochs of the detector last longer.
      if (trace_.empty() || trace_.back().thread != running_ || rng_.below(2) == 0) ++step_;
      if (created_ < weights_.threads && rng_.below(4) == 0) {
        add({.what = Do::kCreate, .at = created_});
        live_.push_back(created_++);
      } else if (live_.size() > 1 && rng_.below(weights_.length) == 0) {
        join();
      } else {
        one();
      }
    }
    return trace_;
  }

 private:
  void add(Op op) {
    op.thread = running_;
    op.step = weights_.steps ? step_ : 0;
    trace_.push_back(op);
  }
  void join() {
    const std::uint32_t ended = live_[rng_.below(live_.size())];
    if (ended == 0 || ended == running_) return;
    std::erase(live_, ended);
    for (auto& [lock, owner] : owners_) {
      if (owner == ended + 1) owner = 0;  // it is never taken again, which is no concern of the detector's
    }
    add({.what = Do::kJoin, .at = ended});
  }
  void one() {
    std::uint64_t pick = rng_.below(weights_.plain + weights_.atomic + weights_.fence + weights_.lock + weights_.heap);
    if (pick < weights_.plain) return plain();
    pick -= weights_.plain;
    if (pick < weights_.atomic) return atomic();
    pick -= weights_.atomic;
    if (pick < weights_.fence) return add({.what = Do::kFence, .order = kOrders[rng_.below(6)]});
    pick -= weights_.fence;
    if (pick < weights_.lock) return lock();
    const std::size_t block = rng_.below(2);
    add({.what = freed_[block] ? Do::kAllocate : Do::kFree, .at = kBlocks[block].first, .size = kBlocks[block].second});
    freed_[block] = !freed_[block];
  }
  void plain() {
    constexpr Do kKinds[] = {Do::kRead, Do::kRead, Do::kRead, Do::kWrite, Do::kWrite, Do::kReadRange, Do::kWriteRange};
    const Do what = kKinds[rng_.below(7)];
    const bool range = what == Do::kReadRange || what == Do::kWriteRange;
    const auto size = static_cast<std::uint32_t>(range ? 1 + rng_.below(30) : std::uint64_t{1} << rng_.below(5));
    // Traces with few places have more of everything at the same place.
    const std::uint32_t hot = trace_.size() % 2 == 0 ? kArena - size : 12;
    add({.what = what, .at = static_cast<std::uint32_t>(rng_.below(std::min(hot, kArena - size) + 1)), .size = size});
  }
  void atomic() {
    auto [at, size] = kAtomics[rng_.below(rng_.below(3) == 0 ? 6 : 2)];
    if (at == 16 && rng_.below(2) == 0) size = 16;
    switch (rng_.below(4)) {
      case 0: return add({.what = Do::kLoad, .at = at, .size = size, .order = kLoadOrders[rng_.below(4)]});
      case 1: return add({.what = Do::kStore, .at = at, .size = size, .order = kStoreOrders[rng_.below(3)]});
      case 2: return add({.what = Do::kRmw, .at = at, .size = size, .order = kOrders[rng_.below(6)]});
      default: return add({.what = Do::kFailedCas, .at = at, .size = size, .order = kLoadOrders[rng_.below(4)]});
    }
  }
  void lock() {
    const auto lock = static_cast<std::uint32_t>(rng_.below(3));
    if (lock == 2) {  // not a lock: a semaphore or condition
      constexpr Do kKinds[] = {Do::kAcquire, Do::kRelease, Do::kReleaseAcquire};
      return add({.what = kKinds[rng_.below(3)], .at = lock});
    }
    std::uint32_t& owner = owners_[lock];
    if (owner == 0) {
      owner = running_ + 1;
      add({.what = Do::kAcquire, .at = lock});
    } else if (owner == running_ + 1) {
      owner = 0;
      add({.what = Do::kRelease, .at = lock});
    }
  }

  Rng& rng_;
  const Weights& weights_;
  Trace trace_;
  std::vector<std::uint32_t> live_{0};
  std::map<std::uint32_t, std::uint32_t> owners_;
  std::uint32_t created_ = 1, running_ = 0, step_ = 0;
  bool freed_[2] = {};
};

}  // namespace

Trace random_trace(Rng& rng, const Weights& weights) { return Generator(rng, weights).make(); }

std::string to_text(const Trace& trace) {
  constexpr const char* kNames[] = {"read",   "write",      "read_range", "write_range", "load",    "store",
                                    "rmw",    "failed_cas", "fence",      "acquire",     "release", "release_acquire",
                                    "create", "join",       "allocate",   "free"};
  constexpr const char* kOrderNames[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  std::ostringstream text;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Op& op = trace[i];
    text << i << ": thread " << op.thread << " step " << op.step << ' ' << kNames[static_cast<int>(op.what)] << ' ' << op.at
         << ' ' << op.size << ' ' << kOrderNames[static_cast<int>(op.order)] << '\n';
  }
  return text.str();
}

void* TestMemory::map(std::size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  void* block = std::aligned_alloc(64, bytes);
  std::memset(block, 0, bytes);
  blocks_.push_back(block);
  mapped_ += bytes;
  return block;
}

bool is_true(const Access& access, const Trace& trace) {
  const Op& op = trace.at(access.pc - 1);
  const bool atomic = op.what >= Do::kLoad && op.what <= Do::kFailedCas;
  const bool write =
      op.what == Do::kWrite || op.what == Do::kWriteRange || op.what == Do::kStore || op.what == Do::kRmw || op.what == Do::kFree;
  return access.thread == op.thread && access.step == op.step && access.atomic == atomic && access.write == write &&
         access.size > 0 && access.address >= kBase + op.at && access.address + access.size <= kBase + op.at + op.size;
}

void play(const Trace& trace, RaceDetector& detector) {
  for (std::size_t i = 0; i < trace.size(); ++i) play(trace[i], i + 1, detector);
}

void play(const Op& op, std::uintptr_t pc, RaceDetector& detector) {
  const auto* address = reinterpret_cast<const void*>(kBase + op.at);
  const auto* lock = reinterpret_cast<const void*>(kLocks + op.at);
  detector.run(op.thread, op.step);
  switch (op.what) {
    case Do::kRead: detector.read(address, op.size, pc); break;
    case Do::kWrite: detector.write(address, op.size, pc); break;
    case Do::kReadRange: detector.read_range(address, op.size, pc); break;
    case Do::kWriteRange: detector.write_range(address, op.size, pc); break;
    case Do::kLoad: detector.atomic_load(address, op.size, op.order, pc); break;
    case Do::kStore: detector.atomic_store(address, op.size, op.order, pc); break;
    case Do::kRmw: detector.atomic_rmw(address, op.size, op.order, pc); break;
    case Do::kFailedCas: detector.atomic_failed_cas(address, op.size, op.order, pc); break;
    case Do::kFence: detector.fence(op.order); break;
    case Do::kAcquire: detector.acquire(op.thread, lock); break;
    case Do::kRelease: detector.release(op.thread, lock); break;
    case Do::kReleaseAcquire: detector.release_acquire(op.thread, lock); break;
    case Do::kCreate: detector.thread_created(op.thread, op.at); break;
    case Do::kJoin: detector.thread_joined(op.thread, op.at); break;
    case Do::kAllocate: detector.allocated(address, op.size); break;
    case Do::kFree: detector.freed(address, op.size, pc); break;
  }
}

}  // namespace tarry::native::testing
