// A thread_local object takes a lock in its destructor, after the thread's function. A join waits for that.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;
int destroyed = 0;  // guarded by lock

struct Counted {
  int touched = 0;
  ~Counted() {
    std::lock_guard hold(lock);
    ++destroyed;
  }
};
thread_local Counted counted;

int main() {
  std::thread a([] { counted.touched = 1; });
  std::thread b([] { counted.touched = 2; });
  a.join();
  b.join();
  assert(destroyed == 2);
}
