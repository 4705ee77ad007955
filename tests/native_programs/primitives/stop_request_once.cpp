// Of two requests to stop, one is the first.
#include "outcome.h"

#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  auto request = [&](char letter) {
    if (source.request_stop()) note(letter);
  };
  std::thread a(request, 'a'), b(request, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
