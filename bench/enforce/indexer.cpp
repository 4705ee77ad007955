// Indexer, as in the papers on partial-order reduction: threads put four words each into a hash table by compare-and-swap. Up to eleven threads never meet.
// Writes how many ticks of the processor's counter it took from the first thread's creation to the last one's end.
#include <x86intrin.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#ifndef N
#define N 15
#endif

constexpr int kSize = 128, kMost = 4;
std::atomic<int> table[kSize];

void index(int number) {
  for (int m = 0; m < kMost;) {
    const int word = ++m * 11 + number;
    int at = word * 7 % kSize;
    for (int free = 0; !table[at].compare_exchange_strong(free, word); free = 0) at = (at + 1) % kSize;
  }
}

int main() {
  const auto began = __rdtsc();
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(index, i);
  for (std::thread& thread : threads) thread.join();
  std::printf("%llu\n", static_cast<unsigned long long>(__rdtsc() - began));
}
