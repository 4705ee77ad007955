#include <mutex>
#include <thread>
#include <vector>
constexpr int kSize = 128, kMax = 4;
#ifndef N
#define N 12
#endif
int table[kSize]; std::mutex m[kSize];
int main() {
  std::vector<std::thread> t;
  for (int id = 0; id < N; ++id) t.emplace_back([id] {
    for (int k = 1; k <= kMax; ++k) { int w = k * 11 + id, h = (w * 7) % kSize;
      while (true) { std::unique_lock l(m[h]); if (table[h] == 0) { table[h] = w; break; } l.unlock(); h = (h + 1) % kSize; } } });
  for (auto& x : t) x.join();
}
