// A stop_token, asked for at any time.
#include "outcome.h"

#include <stop_token>
#include <thread>

int main() {
  int rounds = 0;
  std::jthread worker([&](std::stop_token stop) {
    while (rounds < 2 && !stop.stop_requested()) ++rounds;
  });
  worker.request_stop();
  worker.join();
  OUTCOME("%d", rounds);
}
