// notify_one wakes either of two.
#include "outcome.h"

#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex m;
  std::condition_variable turn, changed;
  int waiting = 0, woken = 0;
  auto wait_once = [&](char letter) {
    std::unique_lock hold(m);
    note(letter);
    ++waiting;
    changed.notify_one();
    turn.wait(hold);
    note(letter);
    ++woken;
    changed.notify_one();
  };
  std::thread a(wait_once, 'a'), b(wait_once, 'b');
  {
    std::unique_lock hold(m);
    while (waiting < 2) changed.wait(hold);
    turn.notify_one();
    while (woken < 1) changed.wait(hold);
    turn.notify_one();
  }
  a.join();
  b.join();
  OUTCOME("%s", order);
}
