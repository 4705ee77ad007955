// Which way it goes depends on a random device and on the clock: the search needs it to be the same way every time.
#include <atomic>
#include <cassert>
#include <chrono>
#include <random>
#include <thread>

int main() {
  std::random_device device;
  std::mt19937 random(device() ^ static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()));
  std::atomic<int> x{0};
  const int times = 1 + static_cast<int>(random() % 3);
  std::thread adds([&] {
    for (int i = 0; i < times; ++i) ++x;
  });
  for (int i = 0; i < times; ++i) ++x;
  adds.join();
  assert(x == 2 * times);
}
