#include "native/rt/threads/scheduler.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/signal_name.h"
#include "native/rt/base/executable_stacks.h"
#include "native/rt/base/main_baseline.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/real.h"
#include "native/rt/base/seals.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/watched_ends.h"

namespace tarry::native::rt {

template struct RoomOf<Scheduler>;
template struct RoomOf<ExecutionEnd>;
template struct RoomOf<Seals>;
template struct RoomOf<RunRules>;

namespace {

constexpr std::uint32_t kFirstPool = 8;

char* page_of(const void* address) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(Pages::kSize - 1)); }

/// Asynchronously: at accesses to memory, not within functions that nothing may be thrown through.
bool can_be_cancelled_here(const Thread& thread) {
  return thread.cancel.asynchronous && thread.cancel_due() && thread.pending.op >= Op::kLoad && thread.pending.op <= Op::kWrite;
}

}  // namespace

std::string name_of_thread(std::uint32_t number) {
  if (number == 0) return "main";
  return scheduler().thread(number).of_runtime ? "timer" : "thread " + std::to_string(number);
}

// ---------------------------------------------------------------- the program's side

/// A constructor runs, and no other thread does: an operation takes place if it can.
bool Scheduler::point_before_main(const Operation& operation) {
  Thread& thread = self();
  thread.pending = operation;
  thread.pending.thread = running_;
  thread.signals.interrupted = thread.timed_out = false;
  if (operation.ready == nullptr || operation.ready(thread.pending)) return true;
  if (!operation.timed) waits_for_ever_before_main(early_count_ > 0);
  thread.timed_out = true;
  return false;
}

/// After a point: signals and requests to cancel the thread have come. What `point` returns.
bool Scheduler::attend(Thread& thread) {
  const Operation operation = thread.pending;  // handlers come to points of their own
  if (signals_came()) handle_those_that_came();
  while (thread.signals.due()) {
    if (comes_later(operation) || (operation.first != nullptr && operation.first(operation))) break;
    const bool inside = operation.begun || (thread.signals.pending & ~thread.signals.blocked & operation.unblocks) != 0;
    const Handled handled = handle_signals();
    if (operation.interruptible && handled != Handled::kIgnored &&
        (handled != Handled::kRestart || operation.op == Op::kPause || operation.op == Op::kSleep || operation.op == Op::kPoll) &&
        (inside || decide(2) == 0)) {  // else it ran before the call
      thread.signals.interrupted = true;
      if (uses_timers()) has_gone_on();
      if (thread.cancel.in_call) cancel_if_due();
      return false;
    }
    thread.pending = operation;
    if (recording) record_stack();
    give_turn(Turn::kPoint);
  }
  if (uses_timers()) has_gone_on();
  if (operation.cancellable && thread.cancel_due()) {
    if (thread.cancel.in_call) cancel_if_due();
    return false;
  }
  if (can_be_cancelled_here(thread)) cancel_if_due();
  return !thread.timed_out;
}

void Scheduler::record_stack() {
  if (!self().of_runtime) recorded_points().keep_stack(running_);
}

void Scheduler::look_at_self() { self().looks.stands = standing(); }

Scheduler::StackOf Scheduler::stack_of(std::uint32_t thread) const {
  if (thread != 0) return {reinterpret_cast<std::uintptr_t>(borrowed_[thread].stack), reinterpret_cast<std::uintptr_t>(borrowed_[thread].parked.stack)};
  return {part<MainBaseline>().stack_low(), part<MainBaseline>().stack_base()};
}

void Scheduler::make_stacks_executable() const {
  hold_code_on_stacks();
  for (std::uint32_t i = 1; i < capacity_; ++i)
    if (borrowed_[i].stack != nullptr) raw(SYS_mprotect, borrowed_[i].stack + kGuardSize, kUsualStack, PROT_READ | PROT_WRITE | PROT_EXEC);
}

std::uint32_t Scheduler::decide(std::uint32_t n) {
  if (n < 2 || !has_control()) return 0;
  has_effect();
  asked_ = n;
  give_turn(Turn::kDecide);
  return answered_;
}

void Scheduler::fail(Failure failure) {
  if (!has_control()) give_up(("before main, a constructor of a static object makes a mistake that ends the program: " + failure.message).c_str());
  {
    const EngineScope engine;
    if (failure.stack.empty()) failure.stack = backtrace();
    if (failure.pc == 0) failure.pc = first_of_program(failure.stack);
    execution_end().fail_with(std::move(failure));
    if (recording) stop_where_it_failed(*execution_end().failure);
  }
  while (true) give_turn(Turn::kOver);
}

void Scheduler::note(Failure failure) {
  const EngineScope engine;
  if (failure.stack.empty()) failure.stack = backtrace();
  if (failure.pc == 0) failure.pc = first_of_program(failure.stack);
  execution_end().notes->push_back(std::move(failure));
  if (recording) stop_where_it_failed(execution_end().notes->back());
}

void Scheduler::finish(int exit_code) {
  ExecutionEnd& end = execution_end();
  for (std::uint32_t i = 0; i < count_; ++i) end.left_running |= i != running_ && threads_[i].state == Thread::State::kAlive && !threads_[i].of_runtime;
  end.exit_code = exit_code;
  admit_kept_identities();
  while (true) give_turn(Turn::kOver);
}

void Scheduler::begin_again() {
  execution_end().starved = true;
  while (true) give_turn(Turn::kOver);
}

void Scheduler::call_off() {
  execution_end().called_off = true;
  while (true) give_turn(Turn::kOver);
}

Context Scheduler::died_in_program(int status) {
  turn_ = Turn::kOver;
  if (WIFEXITED(status)) {
    execution_end().exit_code = WEXITSTATUS(status);
    return controller_context_;
  }
  execution_end().fail_with({.kind = "crash", .message = "the program was killed by " + signal_name(WTERMSIG(status))});
  return controller_context_;
}

void Scheduler::begin_thread(std::uint32_t number, void* (*function)(void*), void* argument) {
  Thread& thread = threads_[number];
  thread.borrowed = &borrowed_[number];
  Pool::rewind(*thread.borrowed);
  thread.context = thread.borrowed->parked;
  thread.state = Thread::State::kAlive;
  thread.function = function;
  thread.argument = argument;
  thread.pending = {.op = Op::kStart};
}

std::uint32_t Scheduler::start_thread(void* (*function)(void*), void* argument) {
  if (count_ == kMaxThreads) return kNobody;
  if (count_ >= capacity_) begin_again();
  const std::uint32_t number = count_++;
  begin_thread(number, function, argument);
  threads_[number].identity.creator = running_;
  return number;
}

pthread_t Scheduler::start_early(void* (*function)(void*), void* argument, bool detached) {
  const std::uint32_t number = early_count_ + 1;
  if (number == kMaxThreads || !pool_.borrow(borrowed_[number], thread_body, nullptr)) return 0;
  early_[number] = {function, argument, detached, blocked_in_kernel()};
  early_count_ = number;
  return borrowed_[number].handle;
}

bool Scheduler::started_early(pthread_t handle) const {
  for (std::uint32_t i = 1; i <= early_count_; ++i)
    if (borrowed_[i].handle == handle) return true;
  return false;
}

bool Scheduler::detach_early(pthread_t handle) {
  for (std::uint32_t i = 1; i <= early_count_; ++i)
    if (borrowed_[i].handle == handle) return early_[i].detached = true;
  return false;
}

void Scheduler::thread_body(void* /*raw*/) {
  Scheduler& all = scheduler();
  Thread& thread = all.self();
  thread.end.frame = __builtin_frame_address(0);
  if (setjmp(thread.end.jump) == 0) {
    if (thread.signals.due()) handle_signals();  // sent before its first step
    thread.end.result = thread.function(thread.argument);
  }
  run_thread_destructors();
  all.end_thread();
}

void Scheduler::end_thread() {
  Thread& thread = self();
  if (handles_signals()) point({.op = Op::kExit, .object = &thread});  // up to here a signal finds it
  else if (ends_are_points()) point({.op = Op::kEnd, .object = &thread});
  thread.state = thread.detached ? Thread::State::kJoined : Thread::State::kEnded;
  if (thread.detached) identity_is_free(running_);
  part<Seals>().end_thread(running_);
  bool last = true;
  for (std::uint32_t i = 0; i < count_ && last; ++i) last = threads_[i].state != Thread::State::kAlive || threads_[i].of_runtime;
  if (last) {
    thread.state = Thread::State::kAlive;  // it still has the program's end to run
    end_program(0);
  }
  ended();
  while (true) give_turn(Turn::kPoint);
}

bool Scheduler::alone() const {
  if (g_watch.footprint != nullptr) return count_ == 1;  // whether a thread has ended already is something that other threads touch
  for (std::uint32_t i = 0; i < count_; ++i)
    if (i != running_ && threads_[i].state == Thread::State::kAlive && (!threads_[i].of_runtime || enabled(i))) return false;
  return true;
}

bool Scheduler::joined_all() const {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (i != running_ && (threads_[i].of_runtime || threads_[i].identity.seen_then == 0 || threads_[i].identity.releaser == i)) return false;
  return true;  // each was joined by a thread that was joined, and so on, up to this one
}

std::uint32_t Scheduler::find(pthread_t handle) const {
  for (std::uint32_t i = count_; i-- > 0;)
    if (handle_of(i) == handle) return i;
  return kNobody;
}

std::uint32_t Scheduler::owner_of_stack(const void* address) const {
  const auto* const at = static_cast<const char*>(address);
  for (std::uint32_t i = 1; i < count_; ++i)
    if (at >= borrowed_[i].stack && at < borrowed_[i].stack + borrowed_[i].stack_size) return i;
  return part<MainBaseline>().has_on_stack(at) ? 0 : kNobody;
}

pthread_t Scheduler::handle_of(std::uint32_t thread) const {
  return thread == 0 ? static_cast<pthread_t>(part<MainBaseline>().thread()) : borrowed_[thread].handle;
}

// ---------------------------------------------------------------- the engine's side

/// Called when no thread can run. Returns true if some threads look once more at what they wait for.
bool Scheduler::let_look_again(Survey& out) const {
  bool any = false;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!may_look_again(threads_[i])) continue;
    out.bits()[i / 64] |= std::uint64_t{1} << (i % 64);
    any = true;
  }
  return any;
}

void Scheduler::survey(Survey& out) {
  std::uint64_t* const bits = out.bits().data();
  const std::uint32_t longs = out.longs();
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < longs; ++word) {
    std::uint64_t open = 0, alive = 0;
    const std::uint32_t end = std::min(count_, word * 64 + 64);
    for (std::uint32_t i = word * 64; i < end; ++i) {
      if (threads_[i].state != Thread::State::kAlive) continue;
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      alive |= bit;
      if (enabled(i) || (run_rules().lenient && awaits(threads_[i]))) open |= bit;
    }
    any |= bits[word] = open;
    bits[longs + word] = alive;
  }
  looking_again_ = any == 0 && let_look_again(out);
  const std::uint32_t sealed_by = part<Seals>().by;
  out.sealed_by = sealed_by != 0 && (bits[(sealed_by - 1) / 64] >> ((sealed_by - 1) % 64) & 1) != 0 ? sealed_by : 0;
}

void Scheduler::take_control(Body engine, void* argument) {
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  pool_.borrow(controller_, engine, argument);
  capacity_ = 1 + early_count_;
  for (std::uint32_t i = capacity_; i < kFirstPool + early_count_; ++i) {
    if (!pool_.borrow(borrowed_[i], thread_body, nullptr)) break;
    ++capacity_;
  }
  part<MainBaseline>().find_stack(here);
  count_ = 1;
  threads_[0].state = Thread::State::kAlive;
  threads_[0].pending = {.op = Op::kStart};
  threads_[0].context.thread = part<MainBaseline>().thread();
  take_over_state(threads_[0]);
  left_to_main_ = {threads_[0].signals, threads_[0].cancel, threads_[0].locks, {}};
  std::memcpy(left_to_main_.name, threads_[0].name, sizeof(left_to_main_.name));
  controller_context_ = controller_.parked;
  g_side = Side::kEngine;
  switch_context(&threads_[0].context, &controller_context_);
}

void Scheduler::protect_stack(const Borrowed& borrowed) {
  part<Pages>().add(borrowed.stack + kGuardSize, page_of(borrowed.parked.stack), Pages::Contents::kZero);
  const auto low = reinterpret_cast<std::uintptr_t>(borrowed.stack);
  stack_lies_within(low, low + borrowed.stack_size);
}

void Scheduler::set_baseline() {
  MainBaseline& main = part<MainBaseline>();
  Pages& pages = part<Pages>();
  main.take(threads_[0].context, pages);
  remember_thread_destructors();
  for (std::uint32_t i = 1; i < capacity_; ++i) protect_stack(borrowed_[i]);
  std::vector<DataRange> excepted{{main.storage_from(), main.storage_to()}, {controller_.stack, controller_.stack + controller_.stack_size}};
  for (std::uint32_t i = 1; i < capacity_; ++i) excepted.push_back({borrowed_[i].stack, borrowed_[i].stack + borrowed_[i].stack_size});
  excepted.push_back({program_heap::whole().from, program_heap::whole().to});
  add_memory_of_program(pages, excepted);
  program_heap::set_baseline();
  const program_heap::Range heap = program_heap::baseline_of(0);
  if (heap.from != heap.to) pages.add(heap.from, heap.to);
  pages.protect();
}

void Scheduler::reset() {
  for (std::uint32_t i = 0; i < count_; ++i) threads_[i].clear();
  threads_[0].state = Thread::State::kAlive;
  threads_[0].context = part<MainBaseline>().context();
  threads_[0].pending = {.op = Op::kStart};
  threads_[0].signals = left_to_main_.signals;
  threads_[0].cancel = left_to_main_.cancel;
  threads_[0].locks = left_to_main_.locks;
  std::memcpy(threads_[0].name, left_to_main_.name, sizeof(left_to_main_.name));
  count_ = 1 + early_count_;
  for (std::uint32_t i = 1; i < count_; ++i) {
    begin_thread(i, early_[i].function, early_[i].argument);
    threads_[i].detached = early_[i].detached;
    threads_[i].signals.blocked = early_[i].signals_blocked;
  }
  running_ = 0;
}

bool Scheduler::grow() {
  Pages& pages = part<Pages>();
  const std::uint32_t wanted = std::min(kMaxThreads, capacity_ * 2);
  const std::uint32_t before = capacity_;
  const std::size_t watched = pages.region_count();
  for (std::uint32_t i = 1; i < before; ++i) Pool::rewind(borrowed_[i]);  // their images are taken again below
  while (capacity_ < wanted && pool_.borrow(borrowed_[capacity_], thread_body, nullptr)) ++capacity_;
  // glibc has written to its lists: what it wrote belongs to the baseline now.
  pages.rebase();
  for (std::uint32_t i = 1; i < capacity_; ++i) pool_.take_image(borrowed_[i]);
  part<MainBaseline>().take_storage_again();
  for (std::uint32_t i = before; i < capacity_; ++i) protect_stack(borrowed_[i]);
  pages.protect(watched);
  return capacity_ > before;
}

}  // namespace tarry::native::rt
