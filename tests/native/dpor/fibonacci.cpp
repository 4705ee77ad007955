// fib_bench of SV-COMP: two threads add each other's number to their own, N times, while main looks at both.
#include <atomic>
#include <thread>
#ifndef N
#define N 2
#endif
std::atomic<int> i{1}, j{1};
int main() {
  std::thread a([] { for (int k = 0; k < N; ++k) { const int own = i; i = own + j; } });
  std::thread b([] { for (int k = 0; k < N; ++k) { const int own = j; j = own + i; } });
  (void)i.load();
  (void)j.load();
  a.join();
  b.join();
}
