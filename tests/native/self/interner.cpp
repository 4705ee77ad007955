// store/interner.h: equal strings get equal numbers, different ones different numbers, and a number gives its string back, while the table
// grows under those who look without the lock.
//
// Scene 0: two workers bring the same two strings in opposite order.
// Scene 1: one brings strings that make the shard grow, the other one looks for one that was there before, and for a new one.
#include "yielding_pause.h"

#include <tarry/test.h>

#include <cstdlib>
#include <thread>

#include "base/assert.cc"
#include "store/interner.h"

using tarry::Interner;
using tarry::MemoryBudget;

namespace {

/// Words that all belong to one shard.
constexpr std::uint32_t kWords[] = {10, 45, 51};

struct Table {
  MemoryBudget budget{1 << 20};
  Interner interner{budget};

  std::uint32_t number(std::uint32_t word) {
    const std::uint32_t id = interner.intern(std::span(&kWords[word], 1));
    const auto back = interner.get<std::uint32_t>(id);
    TARRY_EXPECT(back.size() == 1 && back[0] == kWords[word]);
    return id;
  }
};

}  // namespace

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  Table table;
  std::uint32_t a[2] = {}, b[2] = {};
  if (scene == 0) {
    std::thread other([&] { b[1] = table.number(1), b[0] = table.number(0); });
    a[0] = table.number(0), a[1] = table.number(1);
    other.join();
    TARRY_EXPECT(a[0] == b[0] && a[1] == b[1] && a[0] != a[1]);
  } else {
    a[0] = table.number(0);
    std::thread other([&] { table.number(1), a[1] = table.number(2); });
    b[0] = table.number(0), b[1] = table.number(2);
    other.join();
    TARRY_EXPECT(a[0] == b[0] && a[1] == b[1] && a[0] != a[1]);
    TARRY_EXPECT(table.number(0) == a[0] && table.number(2) == a[1]);
  }
}
