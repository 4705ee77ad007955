// A promise ends with an exception; the thread that made it and the one that gets it hold it together.
#include "exception.h"

#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread a([promise = std::move(promise)]() mutable {
    const std::exception_ptr exception = caught();
    promise.set_exception(exception);
  });
  try {
    result.get();
  } catch (const Failed& failed) {
    assert(failed.what()[0] == 'a');
  }
  a.join();
}
