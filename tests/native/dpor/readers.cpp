// One thread writes, N read: each reader comes before the write or after it, 2^N orders.
#include <atomic>
#include <thread>
#include <vector>
#ifndef N
#define N 3
#endif
std::atomic<int> x;
int main() {
  std::vector<std::thread> t;
  t.emplace_back([] { x = 1; });
  for (int i = 0; i < N; ++i) t.emplace_back([] { x.load(); });
  for (auto& one : t) one.join();
}
