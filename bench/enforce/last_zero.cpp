// Last Zero, as in the papers on partial-order reduction: thread j sets a[j] to a[j - 1] + 1, and one thread looks for the last zero from the end.
// Writes how many ticks of the processor's counter it took from the first thread's creation to the last one's end.
#include <x86intrin.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#ifndef N
#define N 15
#endif

std::atomic<int> a[N + 1];
int last_zero = -1;

int main() {
  const auto began = __rdtsc();
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    int i = N;
    while (a[i].load() != 0) --i;
    last_zero = i;
  });
  for (int j = 1; j <= N; ++j) threads.emplace_back([j] { a[j].store(a[j - 1].load() + 1); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%llu\n", static_cast<unsigned long long>(__rdtsc() - began));
  return last_zero < 0 ? 1 : 0;
}
