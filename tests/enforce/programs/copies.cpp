// Copies and vectors that race: a structure that one thread writes whole and another one copies. Torn copies are possible runs; what is copied adds up
// only if each is a read and a write of all of it.
#include <cstdio>
#include <thread>

struct Three {
  long a, b, c;
};
Three from{1, 1, 1}, to;
alignas(32) float values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
alignas(32) int chosen[8] = {0, 1, 0, 1, 1, 0, 0, 1};
float total;

// Conditional loads, which the vectorizer masks.
__attribute__((noinline)) float sum_of_chosen(const float* value, const int* which, int n) {
  float sum[8] = {};
  for (int i = 0; i < n; ++i)
    if (which[i] != 0) sum[i] = value[i];
  float all = 0;
  for (int i = 0; i < n; ++i) all += sum[i];
  return all;
}

int main() {
  std::thread one([] { to = from; });
  std::thread two([] { from = Three{2, 2, 2}; });
  one.join();
  two.join();
  total = sum_of_chosen(values, chosen, 8);
  std::printf("%ld %d\n", to.a, static_cast<int>(total));
  return total == 4 ? 0 : 3;
}
