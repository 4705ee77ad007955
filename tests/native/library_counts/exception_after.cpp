// A thread goes on reading an exception that it has given up; if the other one has, too, it is gone.
#include "exception.h"

#include <thread>

static std::exception_ptr held[2];

static char look() {
  const Failed* kept = nullptr;
  try {
    std::rethrow_exception(held[0]);
  } catch (const Failed& failed) {
    kept = &failed;
    held[0] = nullptr;
  }
  return kept->what()[0];
}

int main() {
  held[0] = held[1] = caught();
  std::thread a(look), b([] { held[1] = nullptr; });
  a.join();
  b.join();
}
