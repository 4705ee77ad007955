// notify_all_at_thread_exit: the mutex is given back after the thread_local objects are gone.
#include "outcome.h"

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready = false;

struct Noted {
  ~Noted() { note('d'); }
};

int main() {
  std::thread worker([] {
    thread_local Noted noted;
    std::unique_lock hold(m);
    ready = true;
    note('w');
    std::notify_all_at_thread_exit(c, std::move(hold));
  });
  {
    std::unique_lock hold(m);
    while (!ready) c.wait(hold);
    note('m');
  }
  worker.join();
  OUTCOME("%s", order);
}
