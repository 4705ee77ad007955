// The destructors of static objects run in the reverse order of their construction, which two threads decide.
#include <cstdlib>
#include <thread>

namespace {

bool g_gone;  // Second was destroyed

struct First {
  ~First() {
    if (g_gone) std::abort();  // it needs Second
  }
};
struct Second {
  ~Second() { g_gone = true; }
};

void use_first() { static First first; }
void use_second() { static Second second; }

}  // namespace

int main() {
#ifdef FIXED
  use_second();
  std::thread thread(use_first);
#else
  std::thread thread(use_first);
  use_second();
#endif
  thread.join();
}
