// A program that tells which fiber runs links, and is told what is not controlled.
#include <thread>

extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned);
void __tsan_destroy_fiber(void*);
void __tsan_switch_to_fiber(void*, unsigned);
void __tsan_set_fiber_name(void*, const char*);
}

int main() {
  std::thread thread([] {
    void* const own = __tsan_get_current_fiber();
    void* const fiber = __tsan_create_fiber(0);
    __tsan_set_fiber_name(fiber, "fiber");
    __tsan_switch_to_fiber(fiber, 0);
    __tsan_switch_to_fiber(own, 0);
    __tsan_destroy_fiber(fiber);
  });
  thread.join();
}
