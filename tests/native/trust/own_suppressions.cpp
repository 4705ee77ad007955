// The program says itself which races are not to be told. FIXED: it does.
#include <thread>

int value = 0;

#ifdef FIXED
extern "C" const char* __tsan_default_suppressions() { return "# known\nrace:known_race\n"; }
#endif
extern "C" const char* __tsan_default_options() { return "halt_on_error=1"; }

__attribute__((noinline)) void known_race() { value = 1; }

int main() {
  std::thread a(known_race), b(known_race);
  a.join();
  b.join();
}
