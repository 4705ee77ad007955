// Two writes to a file, and a reader that looks twice: it may come before, between or after them, and sees nothing the other way round.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

int main() {
  const int file = open("files_between.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  unlink("files_between.tmp");
  std::thread writer([&] {
    if (pwrite(file, "a", 1, 0) != 1) return;
    if (pwrite(file, "b", 1, 1) != 1) return;
  });
  char seen[2] = {'-', '-'};
  const long second = pread(file, seen + 1, 1, 1);
  const long first = pread(file, seen, 1, 0);
  writer.join();
  std::printf("%ld %ld %.2s\n", first, second, seen);
}
