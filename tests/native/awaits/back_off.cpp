// Two threads that need several locks at once. HOW says how they get them; BUG plants a mistake behind it.
#include <sched.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#define SCOPED 0
#define THREE 1
#define SHARED 2
#define BY_HAND 3
#define COUNTED 4
#define ALONE 5
#define FIGURE_1 6
#ifndef LOCK
#define LOCK std::mutex
#endif
#ifndef YIELD
#define YIELD 0
#endif
#ifndef BUG
#define BUG 0
#endif
#ifndef TIMES
#define TIMES 3
#endif

struct Spin {
  std::atomic<bool> taken{false};
  void lock() { while (taken.exchange(true)) {} }
  bool try_lock() { return !taken.exchange(true); }
  void unlock() { taken = false; }
};
struct LooksFirst : Spin {
  bool try_lock() { return !taken.load() && !taken.exchange(true); }
};

LOCK a, b, c;
int n, refused[2];

void rest() {
  if (YIELD) sched_yield();
}

/// After a refusal it begins with the lock that it did not get.
void takes_turns(LOCK* first, LOCK* second) {
  while (true) {
    first->lock();
    if (second->try_lock()) return;
    first->unlock();
    rest();
    std::swap(first, second);
  }
}

/// It begins with the same one again.
void begins_anew(LOCK& first, LOCK& second) {
  while (true) {
    first.lock();
    if (second.try_lock()) return;
    first.unlock();
    rest();
  }
}

bool gives_up(LOCK* first, LOCK* second, int& refused) {
  for (refused = 0; refused < TIMES; ++refused) {
    first->lock();
    if (second->try_lock()) return false;
    first->unlock();
    std::swap(first, second);
  }
  return true;
}

void release_both() {
  ++n;
  a.unlock();
  b.unlock();
}

#if HOW == SCOPED
void one() { std::scoped_lock lock(a, b); ++n; }
void other() {
  std::scoped_lock lock(b, a);
  if (BUG) assert(n == 0);
  ++n;
}
#elif HOW == THREE
void one() { std::scoped_lock lock(a, b, c); ++n; }
void other() { std::scoped_lock lock(c, b, a); ++n; }
#elif HOW == SHARED
void one() {
  std::shared_lock shared(a, std::defer_lock);
  std::unique_lock own(b, std::defer_lock);
  std::lock(shared, own);
  ++n;
}
void other() {
  std::unique_lock first(b, std::defer_lock), second(a, std::defer_lock);
  std::lock(first, second);
  ++n;
}
#elif HOW == BY_HAND
void one() { takes_turns(&a, &b), release_both(); }
void other() { takes_turns(&b, &a), release_both(); }
#elif HOW == COUNTED
void one() { if (gives_up(&a, &b, refused[0])) ++refused[0]; else release_both(); }
void other() { if (gives_up(&b, &a, refused[1])) ++refused[1]; else release_both(); }
#elif HOW == ALONE
void one() { begins_anew(b, a), release_both(); }
void other() { a.lock(), b.lock(), release_both(); }
#else
void one() { begins_anew(a, b), release_both(); }
void other() { begins_anew(b, a), release_both(); }
#endif

int main() {
  std::thread thread(one);
  other();
  thread.join();
  if (HOW == COUNTED) assert(!BUG || refused[0] <= TIMES || refused[1] <= TIMES);
  else assert(n == 2);
}
