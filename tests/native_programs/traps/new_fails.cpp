// An allocation that cannot be had: std::bad_alloc, not caught.
#include <cstddef>
#include <thread>

int main() {
  volatile std::size_t huge = std::size_t{1} << 60;
  std::thread a([&] {
    char* volatile block = new char[huge];
    delete[] block;
  });
  a.join();
}
