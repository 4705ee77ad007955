// Programs that wait in loops. WHICH one, and BUG: with a mistake in it. PAUSE: 0 nothing, 1 a pause of the processor, 2 a yield, 3 a sleep.
#include <unistd.h>
#include <xmmintrin.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

#ifndef BUG
#define BUG 0
#endif
#ifndef PAUSE
#define PAUSE 1
#endif

inline void rest() {
#if PAUSE == 1
  _mm_pause();
#elif PAUSE == 2
  std::this_thread::yield();
#elif PAUSE == 3
  usleep(1);
#endif
}

template <class F, class G>
void both(F f, G g) {
  std::thread other(g);
  f();
  other.join();
}

#if WHICH == 0  // test-and-set; the mistake: it is left to the next one too early
std::atomic_flag taken;
int counter;
void add() {
  while (taken.test_and_set(std::memory_order_acquire)) rest();
  if (BUG) taken.clear();
  const int before = counter;
  counter = before + 1;
  if (!BUG) taken.clear(std::memory_order_release);
}
int main() {
  both(add, add);
  assert(counter == 2);
}
#elif WHICH == 1  // test and test-and-set, three threads
std::atomic<int> taken;
int counter;
void add() {
  while (true) {
    while (taken.load(std::memory_order_relaxed) != 0) rest();
    int expected = 0;
    if (taken.compare_exchange_weak(expected, 1, std::memory_order_acquire)) break;
    if (BUG) break;
  }
  ++counter;
  taken.store(0, std::memory_order_release);
}
int main() {
  std::thread a(add), b(add);
  add();
  a.join();
  b.join();
  assert(counter == 3);
}
#elif WHICH == 2  // a ticket lock; the mistake: two take the same ticket
std::atomic<unsigned> next, serving;
int counter;
void add() {
  const unsigned mine = BUG ? next.load() : next.fetch_add(1);
  if (BUG) next.store(mine + 1);
  while (serving.load() != mine) rest();
  ++counter;
  serving.store(mine + 1);
}
int main() {
  both([] { add(), add(); }, add);
  assert(counter == 3);
}
#elif WHICH == 3  // one producer, one consumer, a ring of two slots; the mistake: the index is shown before the value
int ring[2];
std::atomic<unsigned> head, tail;
void put(int value) {
  const unsigned at = tail.load(std::memory_order_relaxed);
  while (at - head.load(std::memory_order_acquire) == 2) rest();
  if (BUG) tail.store(at + 1);
  ring[at % 2] = value;
  if (!BUG) tail.store(at + 1, std::memory_order_release);
}
int get() {
  const unsigned at = head.load(std::memory_order_relaxed);
  while (tail.load(std::memory_order_acquire) == at) rest();
  const int value = ring[at % 2];
  head.store(at + 1, std::memory_order_release);
  return value;
}
int main() {
  both([] { for (int i = 1; i <= 3; ++i) put(i); }, [] { for (int i = 1; i <= 3; ++i) assert(get() == i); });
}
#elif WHICH == 4  // several producers and consumers, tickets and slots with a turn each; the mistake: a slot is given back before it is read
struct Slot {
  std::atomic<unsigned> turn{0};
  int value = 0;
};
Slot slots[2];
std::atomic<unsigned> head, tail;
void put(int value) {
  const unsigned ticket = tail.fetch_add(1);
  Slot& slot = slots[ticket % 2];
  while (slot.turn.load(std::memory_order_acquire) != ticket / 2 * 2) rest();
  slot.value = value;
  slot.turn.store(ticket / 2 * 2 + 1, std::memory_order_release);
}
int get() {
  const unsigned ticket = head.fetch_add(1);
  Slot& slot = slots[ticket % 2];
  while (slot.turn.load(std::memory_order_acquire) != ticket / 2 * 2 + 1) rest();
  if (BUG) slot.turn.store(ticket / 2 * 2 + 2);
  const int value = slot.value;
  if (!BUG) slot.turn.store(ticket / 2 * 2 + 2, std::memory_order_release);
  return value;
}
int main() {
  int first = 0, second = 0;
  both([] { put(1), put(2), put(4); }, [&] { first = get(), second = get() + get(); });
  assert(first == 1 && second == 6);
}
#elif WHICH == 5  // std::atomic<std::shared_ptr>, whose lock spins; the mistake: a look at what may be replaced
#include <memory>
std::atomic<std::shared_ptr<int>> shared;
std::shared_ptr<int> plain;
int main() {
  shared = std::make_shared<int>(1);
  plain = shared;
  both([] {
    shared.store(std::make_shared<int>(2));
    if (BUG) plain = std::make_shared<int>(2);
  }, [] {
    const int seen = BUG ? *plain : *shared.load();
    assert(seen == 1 || seen == 2);
  });
}
#elif WHICH == 6  // a loop over slots: nothing recurs from one load to the next, but every third time; the mistake: the last one is passed over
std::atomic<int> slots[3];
int main() {
  both([] {
    int i = 0;
    while (slots[i].load() == 0) {
      i = i == 2 ? 0 : i + 1;
      rest();
    }
    assert(i == 2);
  }, [] { slots[BUG ? 1 : 2].store(1); });
}
#elif WHICH == 7  // two conditions, in functions of their own, that look at plain memory too
std::atomic<int> ready;
int data[4];
int limit = 2;
bool enough() { return ready.load() >= limit; }
void wait() {
  while (!enough()) rest();
}
int main() {
  both([] {
    wait();
    assert(data[0] + data[1] == 3);
  }, [] {
    data[0] = 1;
    ready.fetch_add(1);
    if (BUG) ready.fetch_add(1);
    data[1] = 2;
    if (!BUG) ready.fetch_add(1);
  });
}
#elif WHICH == 8  // attempts to lock; the mistake: a deadlock with a lock that is waited for
std::mutex m, n;
int main() {
  both([] {
    m.lock();
    if (BUG) n.lock();
    if (BUG) n.unlock();
    m.unlock();
  }, [] {
    if (BUG) n.lock();
    while (!m.try_lock()) rest();
    m.unlock();
    if (BUG) n.unlock();
  });
}
#elif WHICH == 9  // nobody sets it any more: a livelock
std::atomic<bool> stop, done;
int main() {
  both([] {
    while (!done.load()) rest();
  }, [] {
    stop = true;
    if (!BUG) done = true;
  });
}
#endif
