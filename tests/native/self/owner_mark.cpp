// explore/liveness/owner_mark.h: every raised value is propagated, and no two workers handle a state at once. What the owner does is plain memory here: two owners are a
// data race.
//
// Scene 0: two workers raise the value of a state that no worker owns. Scene 1: the same by three workers. Scene 2: one worker has just found the state, the other one
// raises its value before, beside or after. Scene 3: the owner is about to leave, two workers raise the value.
#include <tarry/test.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "explore/liveness/owner_mark.h"

using tarry::OwnerMark;

namespace {

std::uint8_t g_bits;
std::atomic<int> g_value;
int g_propagated;  // the owner's

bool raise(int value) {
  int known = g_value.load(std::memory_order_relaxed);
  while (known < value)
    if (g_value.compare_exchange_weak(known, value, std::memory_order_relaxed)) return true;
  return false;
}

void handle() {
  OwnerMark mark(g_bits);
  mark.begin();
  do g_propagated = g_value.load(std::memory_order_relaxed);
  while (!mark.leave());
}

void update(int value) {
  if (raise(value) && OwnerMark(g_bits).tell()) handle();
}

void find(int value) {
  raise(value);
  OwnerMark(g_bits).found();
  handle();
}

}  // namespace

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  if (scene != 2) g_bits = OwnerMark::kFound;
  if (scene == 3) g_bits |= OwnerMark::kOwned;
  std::thread first([&] { scene == 2 ? find(1) : update(1); });
  std::thread second([] { update(2); });
  if (scene == 1) update(3);
  if (scene == 3) handle();
  first.join();
  second.join();
  TARRY_EXPECT(g_propagated == g_value);
  TARRY_EXPECT((g_bits & (OwnerMark::kOwned | OwnerMark::kTold)) == 0 && (g_bits & OwnerMark::kFound) != 0);
}
