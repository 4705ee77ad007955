// For a run without the tool: sorts and adds up, in two threads that share nothing.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

std::uint64_t run(std::uint32_t seed) {
  std::uint64_t sum = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint32_t> numbers(100'000);
    for (std::uint32_t& number : numbers) number = seed = seed * 1'664'525 + 1'013'904'223;
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); i += 7) sum += numbers[i];
  }
  return sum;
}

int main() {
  std::uint64_t first = 0, second = 0;
  std::thread a([&] { first = run(1); }), b([&] { second = run(2); });
  a.join();
  b.join();
  std::printf("%llu\n", static_cast<unsigned long long>(first + second));
}
