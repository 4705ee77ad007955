// A promise that goes away unkept.
#include "outcome.h"

#include <future>
#include <thread>

int main() {
  std::future<int> future;
  std::thread breaks;
  {
    std::promise<int> promise;
    future = promise.get_future();
    breaks = std::thread([promise = std::move(promise)]() mutable {
      std::promise<int> gone = std::move(promise);
      note('p');
    });
  }
  const char* result = "a value";
  try {
    future.get();
  } catch (const std::future_error& error) {
    result = error.code() == std::future_errc::broken_promise ? "broken promise" : "another error";
  }
  breaks.join();
  OUTCOME("%s", result);
}
