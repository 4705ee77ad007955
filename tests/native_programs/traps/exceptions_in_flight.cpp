// Exceptions are thrown, caught and thrown again in two threads, with switches inside the handlers.
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> meet{0};

void throws(const std::string& text) {
  try {
    try {
      ++meet;
      throw std::runtime_error(text);
    } catch (const std::exception&) {
      ++meet;
      assert(std::uncaught_exceptions() == 0);
      throw;
    }
  } catch (const std::runtime_error& error) {
    ++meet;
    assert(error.what() == text);
  }
}

int main() {
  std::thread a(throws, "a"), b(throws, "b");
  a.join();
  b.join();
  assert(meet == 6);
}
