// An atomic object that is too large for any instruction: libatomic's. It is never seen half written, and what came before it is seen with it.
#include <atomic>
#include <cstdio>
#include <thread>

struct Three {
  long a, b, c;
};

std::atomic<Three> shared;
int told;

int main() {
  std::thread writer([] {
    told = 1;
    shared = Three{1, 2, 3};
    Three expected{1, 2, 3};
    shared.compare_exchange_strong(expected, Three{4, 5, 6});
  });
  const Three seen = shared;
  const int heard = seen.a != 0 ? told : 0;
  writer.join();
  std::printf("%ld %ld %ld %d\n", seen.a, seen.b, seen.c, heard);
}
