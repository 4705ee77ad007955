// Main waits for a thread. With OTHER in the environment the thread sleeps instead of what it did when it was verified; otherwise it takes its time, as verified.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <tarry/test.h>

std::mutex mutex;
int value = 0;

void add() {
  const std::lock_guard lock(mutex);
  ++value;
}

int main(int argc, char** argv) {
  using namespace std::chrono_literals;
  const std::string how = argc > 1 ? argv[1] : "";
  const auto start = std::chrono::steady_clock::now();
  std::thread other([&] {
    if (how == "sleeps") std::this_thread::sleep_for(1500ms);
    if (how == "waits for the clock") std::this_thread::sleep_until(start + 1500ms);
    if (how == "computes" && !tarry::under_control()) {
      volatile long steps = 0;
      while (std::chrono::steady_clock::now() < start + 1500ms) steps = steps + 1;
    }
    if (std::getenv("OTHER") == nullptr) return add();
    if (how == "usleep") usleep(20'000'000);
    if (how == "pause") pause();
    if (how == "chrono") std::this_thread::sleep_for(20s);
  });
  if (argc > 2) other.join();  // after it
  add();
  if (argc <= 2) other.join();
}
