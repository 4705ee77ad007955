// A stop_callback runs once: in the thread that asks for the stop, or at once in the one that registers it.
#include "outcome.h"

#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  const std::thread::id main_id = std::this_thread::get_id();
  char by = '-';
  std::thread worker([&, stop = source.get_token()] {
    std::stop_callback callback(stop, [&] { by = std::this_thread::get_id() == main_id ? 'm' : 'w'; });
  });
  source.request_stop();
  worker.join();
  OUTCOME("%c", by);
}
