// A reduction by OpenMP.
#include <cassert>

int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 1; i <= 4; ++i) sum += i;
  assert(sum == 10);
}
