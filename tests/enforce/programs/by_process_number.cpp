// What it does depends on something that no schedule can know.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
int value = 0;

int main(int argc, char** argv) {
  std::thread other([] {
    const std::lock_guard lock(mutex);
    ++value;
  });
  // When it is verified this is another number than when it is run.
  const bool as_verified = getppid() == 1 || std::getenv("AS_VERIFIED") != nullptr;
  if (as_verified || argc > 3) {
    const std::lock_guard lock(mutex);
    ++value;
  }
  other.join();
  std::printf("%d\n", value + (argv[0] == nullptr ? 1 : 0));
}
