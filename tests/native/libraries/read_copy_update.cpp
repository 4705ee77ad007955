// Readers look at a table by a pointer; a writer puts another one there and frees the old one when every reader that was under way has left. BUG 1: it frees at
// once. 2: readers announce themselves after they took the pointer. 3: the writer waits before it has replaced the table.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

class Domain {
 public:
  void enter(std::size_t reader) { counts_[reader].fetch_add(1); }
  void leave(std::size_t reader) { counts_[reader].fetch_add(1); }
  /// All who were inside have left.
  void synchronize() {
    for (std::atomic<unsigned>& count : counts_) {
      const unsigned seen = count.load();
      if (seen % 2 == 1)
        while (count.load() == seen) std::this_thread::yield();
    }
  }

 private:
  std::array<std::atomic<unsigned>, 2> counts_{};
};

struct Table {
  int first, second;
};
Domain domain;
std::atomic<Table*> current;

int read(std::size_t reader) {
  if (BUG != 2) domain.enter(reader);
  const Table* const table = current.load();
  if (BUG == 2) domain.enter(reader);
  const int sum = table->first + table->second;
  domain.leave(reader);
  return sum;
}

void replace(Table* table) {
  if (BUG == 3) domain.synchronize();
  Table* const old = current.exchange(table);
  if (BUG == 0 || BUG == 2) domain.synchronize();
  delete old;
}

int main() {
  current = new Table{1, 2};
  std::thread reader([] { assert(read(0) % 3 == 0); }), other([] { assert(read(1) % 3 == 0); });
  replace(new Table{2, 4});
  reader.join();
  other.join();
  delete current.load();
}
