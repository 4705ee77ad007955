// Exceptions in flight in two threads at once are kept apart.
#include "outcome.h"

#include <exception>
#include <thread>

int main() {
  std::exception_ptr caught[2];
  auto throws = [&](int i) {
    try {
      note(static_cast<char>('a' + i));
      throw i;
    } catch (...) {
      note(static_cast<char>('A' + i));
      caught[i] = std::current_exception();
    }
  };
  std::thread a(throws, 0), b(throws, 1);
  a.join();
  b.join();
  int sum = 0;
  for (const std::exception_ptr& one : caught) try {
      std::rethrow_exception(one);
    } catch (int i) {
      sum = sum * 10 + i + 1;
    }
  OUTCOME("%s %d", order, sum);
}
