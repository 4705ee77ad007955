// A thread_local object is destroyed after the thread's function, before join returns.
#include "outcome.h"

#include <thread>

struct Noted {
  char letter = '?';
  ~Noted() { note(letter); }
};
thread_local Noted noted;

int main() {
  std::thread a([] { noted.letter = 'a'; });
  std::thread b([] { noted.letter = 'b'; });
  a.join();
  note('.');
  b.join();
  OUTCOME("%s", order);
  noted.letter = 'm';
}
