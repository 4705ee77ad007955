#include "native/rt/debugger.h"

#include <cstdint>
#include <cstring>

#include "native/rt/scheduler.h"

/// Read by gdb, by these names. Every thread of the program is suspended here, in a switch, before which all that is needed was put on its stack.
struct TarryThread {
  std::uint32_t id;
  std::uint32_t state;  // 0 none, 1 could run, 2 runs, 3 waits, 4 ended
  const void* rip;
  void* rsp;
  void* rbp;
  std::uint64_t fsbase;
  char name[16];
};

extern "C" {
extern __attribute__((visibility("default"))) TarryThread tarry_rt_threads[tarry::native::rt::kMaxThreads];
__attribute__((visibility("default"))) TarryThread tarry_rt_threads[tarry::native::rt::kMaxThreads];
}

namespace tarry::native::rt {

void stop_for_debugger() {
  Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    const Thread& thread = all.thread(i);
    const bool alive = thread.state == Thread::State::kAlive;
    TarryThread& out = tarry_rt_threads[i];
    out = {.id = i, .state = !alive ? 4u : all.enabled(i) ? 1u : 3u, .rip = thread.context.goes_on, .rsp = thread.context.stack, .rbp = thread.context.frame, .fsbase = thread.context.thread, .name = {}};
    std::memcpy(out.name, thread.name, sizeof(out.name));
  }
  asm volatile("int3");
}

}  // namespace tarry::native::rt
