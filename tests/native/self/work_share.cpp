// Workers that hand each other subtrees (core/work_share.h), by threads of one process (explore/memory_share.h) and by processes
// (native/rt/session/process_share.h; two threads with an object each are as good): every subtree is taken once, rounds end for all at the same
// sum, nobody waits for who has left or starts over.
//
// Scene 0: one gives, both take, until all wait.
// Scene 1: a round ends, and the sum of what is left is the same for both.
// Scene 2: one leaves; the other one does not wait for it.
// Scene 3: one starts over while the other one takes or waits; what was given before is void.
#include "yielding_pause.h"

#include <tarry/test.h>

#include <cstdlib>
#include <thread>

#if defined(PROCESSES)
#include "native/rt/session/process_share.cc"
#else
#include "explore/memory_share.h"
#endif

using namespace tarry;

namespace {

#if defined(PROCESSES)
class Shares {
 public:
  WorkShare& of(int worker) { return worker == 0 ? first_ : second_; }

 private:
  static native::Common common_;
  native::rt::ProcessShare first_{common_, 2}, second_{common_, 2};
};
native::Common Shares::common_;
#else
struct Shares : MemoryShare {
  Shares() : MemoryShare(2) {}
};
#endif

struct Did {
  int taken = 0;
  std::uint64_t sum = 0;
};

void give(WorkShare& share, std::uint32_t word) { share.give(std::span(&word, 1), word * 10); }

int take_all(WorkShare& share) {
  int taken = 0;
  while (const auto subtree = share.take()) {
    TARRY_EXPECT(subtree->words.size() == 1 && subtree->cost == subtree->words[0] * 10);
    ++taken;
  }
  return taken;
}

Did works(WorkShare& share, int worker, int scene) {
  Did did;
  share.begin();
  if (scene == 0 && worker == 0) give(share, 1);
  if (scene == 0) did.taken = take_all(share);
  if (scene == 1) did.taken = take_all(share), did.sum = share.next_round(worker + 1);
  if (scene == 2 && worker == 0) give(share, 1);
  if (scene == 2 && worker == 1) did.taken = take_all(share), did.sum = share.next_round(5);
  if (scene == 3) {
    if (worker == 0) {
      give(share, 1);
      share.restart();
      share.begin();
      give(share, 2);
    }
    while (true) {
      did.taken = take_all(share);
      if (!share.restarted()) break;
      share.begin();
    }
  }
  share.leave();
  return did;
}

}  // namespace

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  Shares shares;
  Did first, second;
  std::thread other([&] { second = works(shares.of(1), 1, scene); });
  first = works(shares.of(0), 0, scene);
  other.join();
  if (scene == 0) TARRY_EXPECT(first.taken + second.taken == 1);
  if (scene == 1) TARRY_EXPECT(first.sum == 3 && second.sum == 3);
  if (scene == 2) TARRY_EXPECT(second.taken == 1 && second.sum == 5);
  if (scene == 3) TARRY_EXPECT(first.taken + second.taken == 1);
}
