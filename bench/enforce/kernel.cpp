// Plain accesses to memory that threads share and that never race, ten million of each of two sorts: two threads, each with a table of its own that the
// main thread made.
//   chase   goes round the cells from one to the next and adds to them: the processor waits for each access
//   stream  adds to all cells in order: the compiler makes vectors of it, and the processor waits for nothing
// RACING: besides, both threads add to a counter without a lock, once, so that the program has accesses that are events.
// Writes the picoseconds of CPU time per access of each sort.
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

constexpr unsigned kCells = 1024;
constexpr int kAccesses = 5'000'000;  // of each thread and sort

struct Table {
  unsigned next[kCells];
  unsigned value[kCells];
};
Table tables[2];
std::mutex lock;
unsigned total, counter;
double chasing, streaming;

__attribute__((noinline)) unsigned chase(Table& table) {
  unsigned at = 0;
  for (int i = 0; i < kAccesses / 3; ++i) {
    table.value[at] += static_cast<unsigned>(i);
    at = table.next[at];
  }
  return at;
}

__attribute__((noinline)) void stream(Table& table) {
  for (unsigned i = 0; i < kAccesses / 2 / kCells; ++i)
    for (unsigned& value : table.value) value += i;
}

double cpu_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

int main() {
  for (Table& table : tables)
    for (unsigned i = 0; i < kCells; ++i) table.next[i] = (i + 389) % kCells;
  std::vector<std::thread> threads;
  for (Table& table : tables)
    threads.emplace_back([&table] {
#ifdef RACING
      counter = counter + 1;
#endif
      const double first = cpu_time();
      const unsigned found = chase(table);
      const double second = cpu_time();
      stream(table);
      const double third = cpu_time();
      const std::lock_guard guard(lock);
      total += found;
      chasing += second - first;
      streaming += third - second;
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("%.0f %.0f\n", chasing / (2.0 * kAccesses) * 1e12, streaming / (2.0 * kAccesses) * 1e12);
}
