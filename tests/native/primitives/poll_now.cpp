// A look at a pipe that does not wait, beside a write to it: whether the byte was there is free, and so is what comes after.
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> after;

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread writer([&] {
    if (write(ends[1], "x", 1) != 1) return;
    after = 1;
  });
  pollfd one{ends[0], POLLIN, 0};
  const int ready = poll(&one, 1, 0);
  const int seen = after;
  writer.join();
  std::printf("%d %d\n", ready, seen);
}
