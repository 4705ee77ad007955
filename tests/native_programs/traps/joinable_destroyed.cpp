// A std::thread that is destroyed while it can be joined ends the program. Whether it comes to that depends on the schedule.
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  std::thread a([] { done = true; });
  if (done) a.join();
}
