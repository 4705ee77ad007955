// Plain accesses that race: a lost update and a plain store buffer.
#include <cstdio>
#include <thread>

int counter, x, y, seen_x, seen_y;

int main() {
  std::thread one([] {
    x = 1;
    seen_y = y;
    counter = counter + 1;
  });
  std::thread two([] {
    y = 1;
    seen_x = x;
    counter = counter + 1;
  });
  one.join();
  two.join();
  std::printf("%d %d %d\n", seen_x, seen_y, counter);
  return seen_x + seen_y == 0 ? 3 : 0;
}
