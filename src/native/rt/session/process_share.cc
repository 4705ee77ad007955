#include "native/rt/session/process_share.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <utility>

#include "base/spin_lock.h"
#include "native/rt/session/process_post.h"

namespace tarry::native::rt {

/// All zero at first.
struct ProcessShare::Shared {
  static constexpr std::uint64_t kRoom = (ProcessPost::kFrom - 4096) / sizeof(std::uint32_t);
  static constexpr std::uint64_t kHeader = 3;  // words before a subtree's own: how many, and its cost

  std::atomic<std::uint32_t> lock;
  std::atomic<std::uint32_t> hungry;
  std::atomic<std::uint32_t> changes;  // so often something has changed: waiting workers look at nothing else
  std::atomic<std::uint64_t> generation;
  std::atomic<Finished> finished;
  std::atomic<bool> proved_fair;
  std::atomic<Reduction> reduction;
  std::atomic<std::uint32_t> fair;
  std::uint32_t gone;             // workers that have left
  std::uint32_t waiting, arrived;
  std::uint64_t round, meeting, left, total;
  std::uint64_t first, last;      // words taken out and put in so far; the ring holds what lies between
  std::uint64_t subtrees;         // in the ring
  alignas(64) std::uint32_t ring[kRoom];  // as Common::share is

  std::uint32_t pop() { return ring[first++ % kRoom]; }
  void push(std::uint32_t word) { ring[last++ % kRoom] = word; }
  void clear() { first = last = subtrees = 0; }
};

class ProcessShare::Lock {
 public:
  explicit Lock(Shared& all) : all_(all) { take(); }
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void take() {
    for (std::uint32_t spins = 0; all_.lock.exchange(1, std::memory_order_acquire) != 0; ++spins)
      if (spins < kPauses) cpu_pause();
      else rest();
  }
  void release() { all_.lock.store(0, std::memory_order_release); }
  static void rest() {
    const timespec moment{0, 20'000};
    ::syscall(SYS_nanosleep, &moment, nullptr);
  }

 private:
  static constexpr std::uint32_t kPauses = 100;

  Shared& all_;
};

ProcessShare::ProcessShare(Common& common, std::uint32_t workers)
    : common_(common), all_(*reinterpret_cast<Shared*>(common.share)), workers_(workers) {
  static_assert(sizeof(Shared) <= ProcessPost::kFrom);
}

void ProcessShare::changed() {
  const std::uint32_t members = workers_ - all_.gone;
  if (all_.waiting >= members && all_.subtrees == 0) ++all_.round, all_.waiting = 0;
  if (all_.arrived >= members) ++all_.meeting, all_.total = all_.left, all_.arrived = 0, all_.left = 0;
  all_.hungry.store(all_.waiting > all_.subtrees && all_.last - all_.first < Shared::kRoom / 2 ? 1 : 0, std::memory_order_relaxed);
  all_.changes.fetch_add(1, std::memory_order_relaxed);
}

// Does not take the lock until something has changed: otherwise waiting workers could keep it from a worker that has work for them.
template <class Condition>
bool ProcessShare::wait(Lock& lock, const Condition& due) {
  while (!due()) {
    const std::uint32_t seen = all_.changes.load(std::memory_order_relaxed);
    lock.release();
    bool ended = false;
    do {
      Lock::rest();
      ended = common_.progress.stop.load(std::memory_order_relaxed);
    } while (!ended && all_.changes.load(std::memory_order_relaxed) == seen);
    lock.take();
    if (ended) return false;
  }
  return true;
}

void ProcessShare::begin() {
  const Lock lock(all_);
  generation_ = all_.generation.load();
}

bool ProcessShare::hungry() const { return all_.hungry.load(std::memory_order_relaxed) != 0; }

bool ProcessShare::has_room(std::size_t words) const { return all_.last - all_.first + words + Shared::kHeader <= Shared::kRoom; }

void ProcessShare::give(std::span<const std::uint32_t> words, std::uint64_t cost) {
  Lock lock(all_);
  const auto done = [&] { return generation_ != all_.generation.load() || has_room(words.size()); };
  if (!wait(lock, done) || generation_ != all_.generation.load()) return;
  all_.push(static_cast<std::uint32_t>(words.size()));
  all_.push(static_cast<std::uint32_t>(cost));
  all_.push(static_cast<std::uint32_t>(cost >> 32));
  for (const std::uint32_t word : words) all_.push(word);
  ++all_.subtrees;
  changed();
}

std::optional<Subtree> ProcessShare::take() {
  Lock lock(all_);
  if (restarted()) return std::nullopt;
  const std::uint64_t round = all_.round;
  ++all_.waiting;
  changed();
  if (!wait(lock, [&] { return all_.subtrees > 0 || all_.round != round || restarted() || reduction() == Reduction::kProved; })) return std::nullopt;
  if (all_.round != round || restarted() || all_.subtrees == 0) return std::nullopt;
  Subtree out;
  out.words.resize(all_.pop());
  out.cost = all_.pop();
  out.cost |= std::uint64_t{all_.pop()} << 32;
  for (std::uint32_t& word : out.words) word = all_.pop();
  --all_.subtrees;
  --all_.waiting;
  changed();
  return out;
}

std::uint64_t ProcessShare::next_round(std::uint64_t left) {
  Lock lock(all_);
  if (restarted()) return 0;
  const std::uint64_t meeting = all_.meeting;
  ++all_.arrived;
  all_.left += left;
  changed();
  if (!wait(lock, [&] { return all_.meeting != meeting || restarted() || reduction() == Reduction::kProved; })) return 0;
  return all_.meeting != meeting ? all_.total : 1;  // proved otherwise: what is left no longer matters, but is not said to be nothing
}

void ProcessShare::restart() {
  const Lock lock(all_);
  all_.generation.fetch_add(1);
  all_.finished = Finished::kNo;
  all_.proved_fair = false;
  all_.clear();
  all_.waiting = all_.arrived = 0;
  all_.left = 0;
  changed();
}

bool ProcessShare::restarted() const { return generation_ != all_.generation.load(std::memory_order_relaxed); }

void ProcessShare::finish(Finished how) { all_.finished = how; }
WorkShare::Finished ProcessShare::finished() const { return all_.finished.load(std::memory_order_relaxed); }

void ProcessShare::set_fair(std::uint32_t every) { all_.fair = every; }
std::uint32_t ProcessShare::fair() const { return all_.fair.load(std::memory_order_relaxed); }
void ProcessShare::prove_fair() { all_.proved_fair = true; }
bool ProcessShare::proved_fair() const { return all_.proved_fair.load(std::memory_order_relaxed); }

/// Workers that wait look up.
void ProcessShare::set_reduction(Reduction how) {
  const Lock lock(all_);
  all_.reduction = how;
  changed();
}
WorkShare::Reduction ProcessShare::reduction() const { return all_.reduction.load(std::memory_order_relaxed); }

void ProcessShare::leave() {
  const Lock lock(all_);
  if (std::exchange(gone_, true)) return;
  ++all_.gone;
  changed();
}

}  // namespace tarry::native::rt
