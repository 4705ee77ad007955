// -Wall -Werror: the compiler's warnings of its own instrumentation are none of the program's.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag{0};
int value = 0;

int main() {
  std::thread thread([] {
    value = 1;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
#ifdef FIXED
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    assert(value == 1);
  }
  thread.join();
}
