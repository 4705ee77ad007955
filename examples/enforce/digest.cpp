// Four workers take twelve documents from a queue and add what they find to a table: more schedules than can be verified, so that
// some are verified and the program runs on these.
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kWorkers = 4;
constexpr int kDocuments = 12;

std::mutex queue_mutex, table_mutex;
int next_document = 0;
std::map<unsigned, int> table;

int take() {
  const std::lock_guard lock(queue_mutex);
  return next_document < kDocuments ? next_document++ : -1;
}

/// Stands for work: a document of 200,000 words.
unsigned digest(int document) {
  unsigned hash = static_cast<unsigned>(document) + 1;
  for (int i = 0; i < 200'000; ++i) hash = hash * 1664525 + 1013904223;
  return hash % 5;
}

void work() {
  for (int document = take(); document >= 0; document = take()) {
    const unsigned found = digest(document);
    const std::lock_guard lock(table_mutex);
    ++table[found];
  }
}

}  // namespace

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  int sum = 0;
  for (const auto& [found, count] : table) sum += count;
  std::printf("%d documents\n", sum);
  return sum == kDocuments ? 0 : 1;
}
