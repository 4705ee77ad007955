#include "native/rt/session/process_post.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/spin_lock.h"
#include "core/progress.h"

namespace tarry::native::rt {
namespace {

void rest() {
  const timespec moment{0, 20'000};
  ::syscall(SYS_nanosleep, &moment, nullptr);
}

}  // namespace

struct ProcessPost::Box {
  std::atomic<std::uint32_t> lock;
  std::atomic<std::uint32_t> idle;
  std::atomic<std::uint64_t> first, last;  // words taken out and put in so far; the ring holds what lies between
};

/// All zero at first. The rings follow it.
struct ProcessPost::Shared {
  std::atomic<std::uint64_t> state;
  std::atomic<std::uint32_t> idle;
  alignas(64) Box boxes[kMaxWorkers];

  std::uint32_t* ring(std::uint32_t worker, std::uint64_t words) { return reinterpret_cast<std::uint32_t*>(this + 1) + worker * words; }
};

class ProcessPost::Lock {
 public:
  explicit Lock(Box& box) : box_(box) {
    constexpr std::uint32_t kPauses = 100;
    for (std::uint32_t spins = 0; box_.lock.exchange(1, std::memory_order_acquire) != 0; ++spins)
      if (spins < kPauses) cpu_pause();
      else rest();
  }
  ~Lock() { box_.lock.store(0, std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Box& box_;
};

ProcessPost::ProcessPost(Common& common, std::uint32_t worker, std::uint32_t workers)
    : common_(common),
      all_(*reinterpret_cast<Shared*>(common.share + kFrom)),
      worker_(worker),
      workers_(workers),
      ring_((kRoom - sizeof(Shared)) / sizeof(std::uint32_t) / std::max(1u, workers)),
      begun_(workers) {
  static_assert(sizeof(Shared) < kRoom / 2);
}

/// Puts two words (the sender and whether the piece is the last one; its length), then the piece. A ring that is empty begins anew, so little of it is touched.
bool ProcessPost::put_piece(Box& box, std::span<const std::uint32_t> words, bool last) {
  std::uint32_t* const ring = all_.ring(static_cast<std::uint32_t>(&box - all_.boxes), ring_);
  const Lock lock(box);
  if (box.first == box.last) box.first = box.last = 0;
  std::uint64_t at = box.last.load(std::memory_order_relaxed);
  if (at - box.first + words.size() + 2 > ring_) return false;
  ring[at++ % ring_] = worker_ << 1 | (last ? 1 : 0);
  ring[at++ % ring_] = static_cast<std::uint32_t>(words.size());
  for (const std::uint32_t word : words) ring[at++ % ring_] = word;
  box.last.store(at, std::memory_order_relaxed);
  return true;
}

void ProcessPost::send(std::uint32_t to, std::span<const std::uint32_t> words) {
  const std::size_t most = std::min<std::uint64_t>(1 << 16, ring_ / 4);
  do {
    const std::span<const std::uint32_t> piece = words.first(std::min(most, words.size()));
    words = words.subspan(piece.size());
    while (!put_piece(all_.boxes[to], piece, words.empty())) {
      if (ended()) return;
      empty_box();
      rest();
    }
  } while (!words.empty());
}

void ProcessPost::empty_box() {
  Box& box = all_.boxes[worker_];
  if (box.first.load(std::memory_order_relaxed) == box.last.load(std::memory_order_relaxed)) return;
  const std::uint32_t* const ring = all_.ring(worker_, ring_);
  const Lock lock(box);
  std::uint64_t at = box.first;
  while (at != box.last) {
    const std::uint32_t head = ring[at++ % ring_], size = ring[at++ % ring_];
    std::vector<std::uint32_t>& letter = begun_[head >> 1];
    for (std::uint32_t i = 0; i < size; ++i) letter.push_back(ring[at++ % ring_]);
    if ((head & 1) == 0) continue;
    letters_.push_back(std::move(letter));
    letter.clear();
  }
  box.first = at;
}

std::optional<std::vector<std::uint32_t>> ProcessPost::receive() {
  empty_box();
  if (letters_.empty()) return std::nullopt;
  std::vector<std::uint32_t> out = std::move(letters_.front());
  letters_.pop_front();
  return out;
}

void ProcessPost::wait() {
  constexpr int kMoments = 50;
  const Box& box = all_.boxes[worker_];
  const std::uint64_t was = state();
  for (int i = 0; i < kMoments && letters_.empty() && box.first.load(std::memory_order_relaxed) == box.last.load(std::memory_order_relaxed) && state() == was && !ended(); ++i) rest();
}

void ProcessPost::set_idle(bool idle) {
  const std::uint32_t now = idle ? 1 : 0;
  if (all_.boxes[worker_].idle.exchange(now) != now) all_.idle.fetch_add(idle ? 1u : ~0u);
}

bool ProcessPost::anyone_idle() const { return all_.idle.load(std::memory_order_relaxed) != 0; }

std::optional<std::uint32_t> ProcessPost::claim_idle() {
  for (std::uint32_t i = 0; i < workers_; ++i) {
    if (all_.boxes[i].idle.load(std::memory_order_relaxed) == 0 || all_.boxes[i].idle.exchange(0) == 0) continue;
    all_.idle.fetch_sub(1);
    return i;
  }
  return std::nullopt;
}

std::uint64_t ProcessPost::state() const { return all_.state.load(std::memory_order_relaxed); }
void ProcessPost::change_state(std::uint64_t from, std::uint64_t to) { all_.state.compare_exchange_strong(from, to); }

}  // namespace tarry::native::rt
