// Bug: double-checked locking with a plain pointer. One thread writes the pointer under the lock while another one reads it
// without: data race. Compiler and processor may show the pointer before the object is made.
#include "lazy_bug.h"

#include <cassert>
#include <thread>

int made = 0;

struct Settings {
  Settings() : size(42) { ++made; }
  int size;
};

int main() {
  Lazy<Settings> settings;
  int a = 0, b = 0;
  std::thread reader([&] { a = settings.get().size; });
  std::thread other([&] { b = settings.get().size; });
  reader.join();
  other.join();
  assert(a == 42 && b == 42);
  assert(made == 1);
}
