// An exception travels through a future; a second value is refused.
#include "outcome.h"

#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  auto keep = [&](char letter) {
    try {
      if (letter == 'v') promise.set_value(1);
      else promise.set_exception(std::make_exception_ptr(2));
    } catch (const std::future_error&) {
      note(letter);
    }
  };
  std::thread a(keep, 'v'), b(keep, 'e');
  int got = 0;
  try {
    got = future.get();
  } catch (int thrown) {
    got = thrown;
  }
  a.join();
  b.join();
  OUTCOME("%d, refused %s", got, order);
}
