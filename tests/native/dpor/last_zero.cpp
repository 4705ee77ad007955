#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>
#ifndef N
#define N 5
#endif
std::atomic<int> a[N + 1];
int main() {
  std::vector<std::thread> t;
  t.emplace_back([] { for (int i = N; i >= 0; --i) if (a[i].load() == 0) break; });
  for (int j = 1; j <= N; ++j) t.emplace_back([j] { a[j].store(a[j - 1].load() + 1); });
  for (auto& x : t) x.join();
}
