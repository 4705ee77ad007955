// Threads write to the same exception while both hold it: a race, although its count orders what comes after.
#include "exception.h"

#include <thread>

static void mark(std::exception_ptr at) {
  try {
    std::rethrow_exception(std::move(at));
  } catch (const Failed& failed) {
    ++failed.seen;
  }
}

int main() {
  std::exception_ptr exception = caught();
  std::thread a(mark, exception), b(mark, std::move(exception));
  a.join();
  b.join();
}
