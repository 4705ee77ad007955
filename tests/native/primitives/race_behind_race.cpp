// Two writes in a row race with a read at the end of the program: the second is covered by the first, and must become a point all the same.
#include <cstdio>
#include <thread>

static int work;

struct Reader {
  ~Reader() {
    const int seen = work;
    std::printf("outcome: %d\n", seen);
  }
} reader;

int main() {
  std::thread([] {
    work = 1;
    work = 0;
  }).detach();
}
