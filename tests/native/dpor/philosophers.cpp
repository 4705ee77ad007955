#include <mutex>
#include <thread>
#include <vector>
#ifndef N
#define N 3
#endif
std::mutex fork_[N];
int main() {
  std::vector<std::thread> t;
  for (int i = 0; i < N; ++i) t.emplace_back([i] { int l = i, r = (i + 1) % N; if (l > r) std::swap(l, r); std::scoped_lock a(fork_[l]); std::scoped_lock b(fork_[r]); });
  for (auto& x : t) x.join();
}
