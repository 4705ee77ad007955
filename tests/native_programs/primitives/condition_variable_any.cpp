// condition_variable_any with a shared lock: two readers wait, a writer wakes both.
#include "outcome.h"

#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex m;
  std::condition_variable_any c;
  bool flag = false;
  auto reader = [&](char letter) {
    std::shared_lock hold(m);
    c.wait(hold, [&] { return flag; });
    note(letter);
  };
  std::thread a(reader, 'a'), b(reader, 'b');
  {
    std::unique_lock hold(m);
    flag = true;
  }
  c.notify_all();
  a.join();
  b.join();
  OUTCOME("%s", order);
}
