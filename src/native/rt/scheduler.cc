#include "native/rt/scheduler.h"

#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "native/rt/debugger.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/mappings.h"
#include "native/rt/exit.h"
#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/posix/before_main.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/posix/signal.h"
#include "native/rt/real.h"
#include "native/rt/session.h"
#include "native/rt/time/timers.h"
#include "native/rt/watched_ends.h"

namespace tarry::native::rt {

Side g_side = Side::kFree;
Scheduler* g_scheduler = nullptr;

namespace {

constexpr std::uint32_t kFirstPool = 8;
constexpr std::size_t kMainStackWatched = 256 << 10;
constexpr std::size_t kMainStackMost = 64 << 20;

alignas(Scheduler) unsigned char g_room[sizeof(Scheduler)];

char* page_of(const void* address) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(Pages::kSize - 1)); }

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* raw) {
  auto& frames = *static_cast<std::vector<Frame>*>(raw);
  int before = 0;
  std::uintptr_t pc = _Unwind_GetIPInfo(context, &before);
  if (pc == 0 || frames.size() >= 80) return _URC_END_OF_STACK;
  pc = before == 0 ? pc - 1 : pc + 1;  // the call, not what follows it; where a signal came, behind the first byte of the instruction (abi/messages.h)
  frames.push_back({pc, _Unwind_GetCFA(context)});  // that is the frame address of the function that it called
  return _URC_NO_REASON;
}

/// Asynchronously: at accesses to memory, not within functions that nothing may be thrown through.
bool can_be_cancelled_here(const Thread& thread) {
  return thread.cancel_asynchronous && thread.cancel_due() && thread.pending.op >= Op::kLoad && thread.pending.op <= Op::kWrite;
}

}  // namespace

Scheduler& make_scheduler() {
  g_scheduler = new (g_room) Scheduler;
  return *g_scheduler;
}

std::string number_text(std::uint64_t value) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  const auto number = static_cast<std::int64_t>(value);
  if (number > -kLarge && number < kLarge) return std::to_string(number);
  char text[32];
  std::snprintf(text, sizeof(text), "%#lx", value);
  return text;
}

std::string name_of_thread(std::uint32_t number) {
  if (number == 0) return "main";
  return scheduler().thread(number).of_runtime ? "timer" : "thread " + std::to_string(number);
}

std::uint32_t running_thread() { return g_scheduler == nullptr ? 0 : g_scheduler->running(); }

std::vector<Frame> frames_here() {
  std::vector<Frame> frames;
  _Unwind_Backtrace(add_frame, &frames);
  return frames;
}

std::vector<std::uintptr_t> places_of(const std::vector<Frame>& frames) {
  std::vector<std::uintptr_t> places;
  for (const Frame& frame : frames)
    if (!in_runtime(frame.pc)) places.push_back(frame.pc);
  return places;
}

std::uintptr_t calling_place(std::uintptr_t pc) {
  const EngineScope engine;
  const std::uintptr_t place = first_of_program(backtrace());
  return place == 0 ? pc : place + 1;
}

void Thread::clear() {
  destructors.clear();
  auto kept = std::move(destructors);
  Borrowed* const same = borrowed;
  *this = Thread{};
  borrowed = same;
  destructors = std::move(kept);
}

bool Recurrence::comes_again(std::uint64_t stands) {
  constexpr std::uint32_t kLongestLoop = 32;  // times in it
  if (stands == 0) return false;
  ++times;
  if (stands == stood) recurred = times;
  if (times >= kept_next) {
    stood = stands;
    kept_next = times * 2;
  }
  return recurred != 0 && times - recurred <= kLongestLoop;
}

// ---------------------------------------------------------------- the program's side

/// A constructor runs, and no other thread does: an operation takes place if it can.
bool Scheduler::point_before_main(const Operation& operation) {
  Thread& thread = self();
  thread.pending = operation;
  thread.pending.thread = running_;
  thread.interrupted = thread.timed_out = false;
  if (operation.ready == nullptr || operation.ready(thread.pending)) return true;
  if (!operation.timed) waits_for_ever_before_main(early_count_ > 0);
  thread.timed_out = true;
  return false;
}

/// After a point: signals and requests to cancel the thread have come. What `point` returns.
bool Scheduler::attend(Thread& thread) {
  const Operation operation = thread.pending;  // handlers come to points of their own
  if (signals_came()) handle_those_that_came();
  while (thread.signal_due()) {
    if (comes_later(operation) || (operation.first != nullptr && operation.first(operation))) break;
    const bool inside = operation.begun || (thread.signals_pending & ~thread.signals_blocked & operation.unblocks) != 0;
    const Handled handled = handle_signals();
    if (operation.interruptible && handled != Handled::kIgnored &&
        (handled != Handled::kRestart || operation.op == Op::kPause || operation.op == Op::kSleep || operation.op == Op::kPoll) &&
        (inside || decide(2) == 0)) {  // else it ran before the call
      thread.interrupted = true;
      if (uses_timers()) has_gone_on();
      return false;
    }
    thread.pending = operation;
    if (recording) record_stack();
    give_turn(Turn::kPoint);
  }
  if (uses_timers()) has_gone_on();
  if (operation.cancellable && thread.cancel_due()) return false;
  if (can_be_cancelled_here(thread)) cancel_if_due();
  return !thread.timed_out;
}

void Scheduler::record_stack() {
  if (self().of_runtime) return;
  const EngineScope engine;
  point_stacks_[running_] = frames_here();
}

void Scheduler::look_at_self() { self().stands = standing(); }

Scheduler::StackOf Scheduler::stack_of(std::uint32_t thread) const {
  if (thread != 0) return {reinterpret_cast<std::uintptr_t>(borrowed_[thread].stack), reinterpret_cast<std::uintptr_t>(borrowed_[thread].parked.stack)};
  constexpr std::size_t kAboveMain = 8 << 10;  // what called main is not far above the place from which it was taken over
  return {reinterpret_cast<std::uintptr_t>(main_stack_to_ - kMainStackMost), reinterpret_cast<std::uintptr_t>(std::min(main_stack_to_, main_stack_from_ + kAboveMain))};
}

void Scheduler::record_values(std::uint64_t before, const std::uint64_t* after) {
  const EngineScope engine;
  values_ = number_text(before);
  if (after != nullptr) values_ += " -> " + number_text(*after);
}

void Scheduler::record_words(const char* words) {
  const EngineScope engine;
  values_ = words;
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
    failure_ = std::move(failure);
    failed_ = true;
    if (recording) stop_where_it_failed(failure_);
  }
  while (true) give_turn(Turn::kOver);
}

void Scheduler::note(Failure failure) {
  const EngineScope engine;
  if (failure.stack.empty()) failure.stack = backtrace();
  if (failure.pc == 0) failure.pc = first_of_program(failure.stack);
  notes_.push_back(std::move(failure));
  if (recording) stop_where_it_failed(notes_.back());
}

void Scheduler::finish(int exit_code) {
  for (std::uint32_t i = 0; i < count_; ++i) left_running_ |= i != running_ && threads_[i].state == Thread::State::kAlive && !threads_[i].of_runtime;
  exit_code_ = exit_code;
  exited_ = true;
  while (true) give_turn(Turn::kOver);
}

void Scheduler::begin_again() {
  starved_ = true;
  while (true) give_turn(Turn::kOver);
}

void Scheduler::call_off() {
  called_off_ = true;
  while (true) give_turn(Turn::kOver);
}

Context Scheduler::died_in_program(int status) {
  turn_ = Turn::kOver;
  if (WIFEXITED(status)) {
    exit_code_ = WEXITSTATUS(status);
    exited_ = true;
    return controller_context_;
  }
  const char* const name = ::sigabbrev_np(WTERMSIG(status));
  failure_ = {.kind = "crash", .message = "the program was killed by SIG" + std::string(name == nullptr ? "?" : name)};
  failed_ = true;
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
  thread.exit_frame = __builtin_frame_address(0);
  if (setjmp(thread.exit_jump) == 0) {
    if (thread.signal_due()) handle_signals();  // sent before its first step
    thread.result = thread.function(thread.argument);
  }
  run_thread_destructors();
  all.end_thread();
}

void Scheduler::end_thread() {
  Thread& thread = self();
  if (handles_signals()) point({.op = Op::kExit, .object = &thread});  // up to here a signal finds it
  else if (ends_are_points()) point({.op = Op::kEnd, .object = &thread});
  thread.state = thread.detached ? Thread::State::kJoined : Thread::State::kEnded;
  if (seals_ > 0 && sealed_by_ == running_) seals_ = 0, sealed_by_ = kNobody;
  bool last = true;
  for (std::uint32_t i = 0; i < count_; ++i) last &= threads_[i].state != Thread::State::kAlive || threads_[i].of_runtime;
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

std::uint32_t Scheduler::find(pthread_t handle) const {
  for (std::uint32_t i = count_; i-- > 0;)
    if (handle_of(i) == handle) return i;
  return kNobody;
}

std::uint32_t Scheduler::owner_of_stack(const void* address) const {
  const auto* const at = static_cast<const char*>(address);
  for (std::uint32_t i = 1; i < count_; ++i)
    if (at >= borrowed_[i].stack && at < borrowed_[i].stack + borrowed_[i].stack_size) return i;
  return at >= main_stack_to_ - kMainStackMost && at < main_stack_to_ ? 0 : kNobody;
}

pthread_t Scheduler::handle_of(std::uint32_t thread) const {
  return thread == 0 ? static_cast<pthread_t>(main_context_.thread) : borrowed_[thread].handle;
}

// ---------------------------------------------------------------- the engine's side

/// Nobody can run. True if some are to look once more at what they wait for.
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
      if (enabled(i) || (lenient && awaits(threads_[i]))) open |= bit;
    }
    any |= bits[word] = open;
    bits[longs + word] = alive;
  }
  looking_again_ = any == 0 && let_look_again(out);
  out.sealed_by = 0;
  if (sealed_by_ != kNobody && (bits[sealed_by_ / 64] >> (sealed_by_ % 64) & 1) != 0) out.sealed_by = sealed_by_ + 1;
}

void Scheduler::take_control(Body engine, void* argument) {
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  main_context_.thread = static_cast<std::uint64_t>(::pthread_self());
  pool_.borrow(controller_, engine, argument);
  capacity_ = 1 + early_count_;
  for (std::uint32_t i = capacity_; i < kFirstPool + early_count_; ++i) {
    if (!pool_.borrow(borrowed_[i], thread_body, nullptr)) break;
    ++capacity_;
  }
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &low, &size);
    main_stack_to_ = static_cast<char*>(low) + size;
    pthread_attr_destroy(&attributes);
  }
  // The pages below, so that they exist and are zero when they are watched; and some more, which are not: the kernel goes on from them if main's
  // stack grows further, and they have to be writable for that.
  char* const low = page_of(here) - kMainStackWatched - 4 * Pages::kSize;
  for (char* page = page_of(here) - Pages::kSize; page >= low; page -= Pages::kSize) *const_cast<volatile char*>(page) = 0;
  count_ = 1;
  threads_[0].state = Thread::State::kAlive;
  threads_[0].pending = {.op = Op::kStart};
  threads_[0].context.thread = main_context_.thread;
  take_over_state(threads_[0]);
  const Thread& main = threads_[0];
  main_state_ = {main.signals_blocked, main.signals_pending, main.cancel_enabled, main.cancel_asynchronous, main.knows_number, main.robust, {}};
  std::memcpy(main_state_.name, main.name, sizeof(main_state_.name));
  controller_context_ = controller_.parked;
  g_side = Side::kEngine;
  switch_context(&threads_[0].context, &controller_context_);
}

void Scheduler::protect_stack(const Borrowed& borrowed) {
  pages_.add(borrowed.stack + kGuardSize, page_of(borrowed.parked.stack), Pages::Contents::kZero);
}

void Scheduler::set_baseline() {
  main_context_ = threads_[0].context;
  main_destructors_ = threads_[0].destructors;
  main_stack_from_ = static_cast<char*>(main_context_.stack);
  const auto stack_size = static_cast<std::size_t>(main_stack_to_ - main_stack_from_);
  main_stack_image_ = static_cast<char*>(engine_heap::map(stack_size));
  std::memcpy(main_stack_image_, main_stack_from_, stack_size);
  char* const fs = reinterpret_cast<char*>(main_context_.thread);
  // In whole pages, which are not watched: the kernel may write to the record of the thread at any time.
  main_tls_from_ = page_of(fs - static_tls_size());
  main_tls_to_ = page_of(fs + thread_record_size() + Pages::kSize - 1);
  main_tls_image_ = static_cast<char*>(engine_heap::map(static_cast<std::size_t>(main_tls_to_ - main_tls_from_)));
  std::memcpy(main_tls_image_, main_tls_from_, static_cast<std::size_t>(main_tls_to_ - main_tls_from_));

  char* const top = page_of(main_stack_from_);
  std::memset(top - kMainStackWatched + Pages::kSize, 0, kMainStackWatched - Pages::kSize);
  pages_.add(top - kMainStackWatched + Pages::kSize, top, Pages::Contents::kZero);
  for (std::uint32_t i = 1; i < capacity_; ++i) protect_stack(borrowed_[i]);
  std::vector<DataRange> excepted{{main_tls_from_, main_tls_to_}, {controller_.stack, controller_.stack + controller_.stack_size}};
  for (std::uint32_t i = 1; i < capacity_; ++i) excepted.push_back({borrowed_[i].stack, borrowed_[i].stack + borrowed_[i].stack_size});
  add_memory_of_program(pages_, excepted);
  program_heap::set_baseline();
  const program_heap::Range heap = program_heap::baseline_of(0);
  if (heap.from != heap.to) pages_.add(heap.from, heap.to);
  pages_.protect();
}

void Scheduler::reset() {
  pages_.restore();
  undo_mappings();
  program_heap::reset(fresh::on() ? program_heap::Memory::kFresh : program_heap::Memory::kUsed);
  std::memcpy(main_tls_from_, main_tls_image_, static_cast<std::size_t>(main_tls_to_ - main_tls_from_));
  std::memcpy(main_stack_from_, main_stack_image_, static_cast<std::size_t>(main_stack_to_ - main_stack_from_));
  char* const page = page_of(main_stack_from_);
  std::memset(page, 0, static_cast<std::size_t>(main_stack_from_ - page));
  for (std::uint32_t i = 0; i < count_; ++i) threads_[i].clear();
  threads_[0].state = Thread::State::kAlive;
  threads_[0].context = main_context_;
  threads_[0].pending = {.op = Op::kStart};
  threads_[0].destructors = main_destructors_;
  threads_[0].signals_blocked = main_state_.signals_blocked;
  threads_[0].signals_pending = main_state_.signals_pending;
  threads_[0].cancel_enabled = main_state_.cancel_enabled;
  threads_[0].cancel_asynchronous = main_state_.cancel_asynchronous;
  threads_[0].knows_number = main_state_.knows_number;
  threads_[0].robust = main_state_.robust;
  std::memcpy(threads_[0].name, main_state_.name, sizeof(main_state_.name));
  count_ = 1 + early_count_;
  for (std::uint32_t i = 1; i < count_; ++i) {
    begin_thread(i, early_[i].function, early_[i].argument);
    threads_[i].detached = early_[i].detached;
    threads_[i].signals_blocked = early_[i].signals_blocked;
  }
  running_ = 0;
  failed_ = exited_ = starved_ = false;
  exit_code_ = 0;
  seals_ = 0;
  sealed_by_ = kNobody;
  if (!notes_.empty()) notes_.clear();
}

bool Scheduler::grow() {
  const OpenGate open;
  reset();
  const std::uint32_t wanted = std::min(kMaxThreads, capacity_ * 2);
  const std::uint32_t before = capacity_;
  const std::size_t watched = pages_.region_count();
  for (std::uint32_t i = 1; i < before; ++i) Pool::rewind(borrowed_[i]);  // their images are taken again below
  while (capacity_ < wanted && pool_.borrow(borrowed_[capacity_], thread_body, nullptr)) ++capacity_;
  // glibc has written to its lists: what it wrote belongs to the baseline now.
  pages_.rebase();
  for (std::uint32_t i = 1; i < capacity_; ++i) pool_.take_image(borrowed_[i]);
  std::memcpy(main_tls_image_, main_tls_from_, static_cast<std::size_t>(main_tls_to_ - main_tls_from_));
  for (std::uint32_t i = before; i < capacity_; ++i) protect_stack(borrowed_[i]);
  pages_.protect(watched);
  return capacity_ > before;
}

}  // namespace tarry::native::rt
