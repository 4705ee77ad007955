// An exception that leaves a thread's function.
#include <stdexcept>
#include <thread>

int main() {
  std::thread a([] { throw std::runtime_error("nobody catches this"); });
  a.join();
}
