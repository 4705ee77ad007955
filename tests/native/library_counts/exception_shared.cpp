// Threads look at the same exception, and the last of them destroys it.
#include "exception.h"

#include <cassert>
#include <thread>

static void look(std::exception_ptr at) {
  try {
    std::rethrow_exception(std::move(at));
  } catch (const Failed& failed) {
    assert(failed.what()[0] == 'a');
  }
}

int main() {
  std::exception_ptr exception = caught();
  std::thread a(look, exception), b(look, std::move(exception));
  a.join();
  b.join();
}
