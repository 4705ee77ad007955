// The format of a standard stream is shared by all threads: what one writes depends on what another has set. That is no data race.
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

int main() {
  std::ostringstream all;
  std::streambuf* const before = std::cout.rdbuf(all.rdbuf());
#ifdef FIXED
  std::cout << 10 << '\n';
  std::thread thread([] { std::cout << std::hex; });
#else
  std::thread thread([] { std::cout << std::hex; });
  std::cout << 10 << '\n';
#endif
  thread.join();
  std::cout.rdbuf(before);
  assert(all.str() == "10\n");
}
