#include "native/rt/posix/primitive.h"

#include "native/rt/posix/exit.h"
#include "native/rt/threads/deadlock.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {
namespace {

bool waits(const Thread& thread, const void* object) {
  return thread.state == Thread::State::kAlive && thread.wait.on == object && !thread.wait.woken;
}

}  // namespace

void misuse(const char* message) {
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = "misuse";
    failure.message = message;
  }
  scheduler().fail(std::move(failure));
}

void misuse_of(const void* object, const char* message) {
  operates(object, calling_place(0));
  misuse(message);
}

bool wait_point(const Operation& operation) {
  if (operation.holder != nullptr && !operation.timed && scheduler().has_control()) {
    Scheduler& all = scheduler();
    all.self().pending = operation;
    all.self().pending.thread = all.running();
    fail_if_circular(all.running());
  }
  return scheduler().point(operation);
}

void fail_if_circular(std::uint32_t thread) {
  if (!is_in_circle(thread)) return;
  Failure failure;
  {
    const EngineScope engine;
    failure = circular_deadlock(thread);
  }
  scheduler().fail(std::move(failure));
}

void attempt_point(Operation operation) {
  if (scheduler().has_control()) come_by(operation);
  scheduler().point(operation);
}

void only_looked(const void* at, std::size_t size) {
  if (is_collecting()) [[unlikely]] has_read(at, size);
  leave_no_trace();
}

void cancel_if_due() {
  Scheduler& all = scheduler();
  if (is_collecting()) [[unlikely]] has_read(&all.self().cancel.requested, sizeof(bool));
  if (!all.self().cancel_due()) return;
  all.self().cancel.in_call = false;
  acquire(&all.self());
  if (g_watch.order != nullptr) g_watch.order->local(all.running(), static_cast<std::uint32_t>(Op::kCancel), 1);
  exit_thread(PTHREAD_CANCELED);
}

bool cancellation_point(Operation operation) {
  operation.cancellable = true;
  const bool in_time = wait_point(operation);
  cancel_if_due();
  return in_time;
}

void cancel_or_go_on() {
  Scheduler& all = scheduler();
  if (!all.self().cancel_due()) return;
  looked_at(&all.self());
  if (all.decide(2) == 0) cancel_if_due();
}

bool is_woken(const Operation& operation) { return scheduler().thread(operation.thread).wait.woken; }

void begin_waiting(const void* object) {
  Thread& self = scheduler().self();
  self.wait.on = object;
  self.wait.woken = scheduler().spurious();
  run_rules().left_out_spurious |= !run_rules().spurious;
}

void end_waiting() {
  Thread& self = scheduler().self();
  self.wait.on = nullptr;
  self.wait.woken = self.wait.passed_over = false;
}

std::uint32_t count_waiting(const void* object) {
  Scheduler& all = scheduler();
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) count += waits(all.thread(i), object) ? 1 : 0;
  return count;
}

std::uint32_t wake(const void* object, std::uint32_t n) {
  return wake(n, [&](const Thread& thread) { return thread.wait.on == object; }, [](Thread&, std::uint32_t) {});
}

std::uint32_t wake_all(const void* object) { return wake(object, ~std::uint32_t{0}); }

}  // namespace tarry::native::rt
