// Four threads take twelve pieces of work, each of about 15 ms. They wait for each other only to take a piece and to add what they found.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kPieces = 12;
std::mutex m;
int next_piece = 0;
unsigned sum = 0;

int take() {
  const std::lock_guard lock(m);
  return next_piece < kPieces ? next_piece++ : -1;
}

void work() {
  for (int piece = take(); piece >= 0; piece = take()) {
    unsigned hash = static_cast<unsigned>(piece) + 1;
    for (int i = 0; i < 10'000'000; ++i) hash = hash * 1664525 + 1013904223;
    const std::lock_guard lock(m);
    sum += hash;
  }
}

}  // namespace

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::printf("%u\n", sum);
}
