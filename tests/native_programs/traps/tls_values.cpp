// errno, thread_local variables, rounding mode and pthread_self are each thread's own, whatever is switched in between.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cfenv>
#include <string>
#include <thread>

thread_local std::string name = "unset";
std::atomic<int> meet{0};

void own(const char* mine, int error, int rounding) {
  const pthread_t self = pthread_self();
  name = mine;
  errno = error;
  std::fesetround(rounding);
  ++meet;
  ++meet;
  assert(name == mine);
  assert(errno == error);
  assert(std::fegetround() == rounding);
  assert(pthread_equal(self, pthread_self()));
}

int main() {
  std::thread a(own, "a", 1, FE_UPWARD), b(own, "b", 2, FE_DOWNWARD);
  a.join();
  b.join();
  assert(name == "unset" && std::fegetround() == FE_TONEAREST);
}
