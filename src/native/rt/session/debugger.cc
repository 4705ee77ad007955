#include "native/rt/session/debugger.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/session/failures.h"

/// Read by gdb, by these names. A thread that does not run is suspended in a switch, which first puts everything that is needed on its stack.
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
extern __attribute__((visibility("default"))) std::int32_t tarry_rt_failed;
__attribute__((visibility("default"))) std::int32_t tarry_rt_failed = -1;  // the thread that failed; -1: none yet
}

namespace tarry::native::rt {

/// Where gdb is to take over.
struct WantedPause : Kept {
  Lasting<Pause> pause;
};
template struct RoomOf<WantedPause>;

namespace {

Pause& wanted_pause() { return *part<WantedPause>().pause; }

bool on_engines_stack() {
  const Borrowed& engine = scheduler().controller();
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  return here >= engine.stack && here < engine.stack + engine.stack_size;
}

bool is_asked_for(const Failure& failure) {
  const RawFinding& wanted = wanted_pause().at;
  const auto same = [](const Place& a, const Place& b) { return a.module == b.module && a.offset == b.offset; };
  const Stack places = stack_of_places(failure.places);
  return wanted.finding.kind.empty() || (failure.kind == wanted.finding.kind && failure.message == wanted.finding.message && same(place_of(failure.pc), wanted.place) &&
                                         std::equal(places.begin(), places.end(), wanted.places.begin(), wanted.places.end(), same));
}

/// The kernel thread that runs everything gets a SIGTRAP then.
void stop_after(std::uint64_t milliseconds) {
  struct sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGTRAP;
  event._sigev_un._tid = static_cast<pid_t>(raw(SYS_gettid));
  int timer = 0;
  const itimerspec when{.it_interval = {}, .it_value = {.tv_sec = static_cast<time_t>(milliseconds / 1000), .tv_nsec = static_cast<long>(milliseconds % 1000) * 1'000'000}};
  if (raw(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0) raw(SYS_timer_settime, timer, 0, &when, nullptr);
}

}  // namespace

/// Called by gdb, too, wherever the program stands: nothing may be allocated here.
extern "C" __attribute__((visibility("default"))) void tarry_rt_list_threads();
extern "C" __attribute__((visibility("default"))) void tarry_rt_list_threads() {
  Scheduler& all = scheduler();
  const std::uint32_t running = on_engines_stack() ? Scheduler::kNobody : all.running();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    const Thread& thread = all.thread(i);
    const bool alive = thread.state == Thread::State::kAlive;
    TarryThread& out = tarry_rt_threads[i];
    out = {.id = i, .state = i == running ? 2u : !alive ? 4u : all.enabled(i) ? 1u : 3u, .rip = thread.context.goes_on, .rsp = thread.context.stack, .rbp = thread.context.frame, .fsbase = thread.context.thread, .name = {}};
    std::memcpy(out.name, thread.name, sizeof(out.name));
  }
}

namespace {

void stop(std::uint32_t thread) {
  wanted_pause().wanted = false;  // once
  tarry_rt_failed = static_cast<std::int32_t>(thread);
  tarry_rt_list_threads();
  asm volatile("int3");
}

}  // namespace

void debug(const Pause& pause) {
  wanted_pause() = pause;
  if (pause.after_ms != 0) stop_after(pause.after_ms);
}

void stop_where_it_failed(const Failure& failure) {
  if (wanted_pause().wanted && is_asked_for(failure)) stop(scheduler().running());
}

void stop_at_end(std::uint32_t thread) {
  if (wanted_pause().wanted) stop(thread);
}

}  // namespace tarry::native::rt
