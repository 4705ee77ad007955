// The destructor of a jthread asks it to stop, and joins.
#include "outcome.h"

#include <stop_token>
#include <thread>

int main() {
  bool seen = false;
  {
    std::jthread worker([&](std::stop_token stop) {
      seen = stop.stop_requested();
      note('w');
    });
    note('m');
  }
  OUTCOME("%s %d", order, seen);
}
