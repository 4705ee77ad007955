// A thread_local object takes a lock in its destructor that the thread which joins has.
#include <mutex>
#include <thread>

std::mutex lock;

struct Locks {
  int touched = 0;
  ~Locks() { std::lock_guard hold(lock); }
};
thread_local Locks locks;

int main() {
  std::thread a([] { locks.touched = 1; });
  std::lock_guard hold(lock);
  a.join();
}
