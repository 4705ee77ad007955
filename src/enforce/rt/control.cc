#include "enforce/rt/control.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <climits>
#include <cstdio>

#include "enforce/rt/modules.h"
#include "enforce/rt/raw.h"
#include "enforce/rt/state.h"

namespace tarry::enforce::rt {

std::atomic<Mode> g_mode{Mode::kOff};
bool g_has_points = false;
constinit thread_local Self t_self;
Control* g_control = nullptr;

std::uint64_t nanoseconds() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* limit = nullptr) {
  return raw(SYS_futex, raw_address(&word), operation | FUTEX_PRIVATE_FLAG, value, raw_address(limit));
}

// ---------------------------------------------------------------- comparing an event with the traces

bool is_object(std::uint32_t number, const void* address, const Actual& actual) {
  Control& all = *g_control;
  if (number == kNoObject) return address == nullptr && actual.kind != Kind::kJoin;
  const ObjectRecord& object = all.image.objects()[number];
  switch (static_cast<Space>(object.space)) {
    case Space::kThread: return actual.kind == Kind::kJoin && object.value == actual.thread;
    case Space::kValue: return actual.kind == Kind::kInput && object.value == static_cast<std::uint64_t>(actual.value);
    case Space::kData: return all.bases[object.module] + object.value == value_of(address);
    case Space::kEntry: return actual.kind == Kind::kEnterRegion && object.value == static_cast<std::uint64_t>(actual.value);
    case Space::kMemory: return address != nullptr && all.bindings.fits(number, value_of(address));
    default: return address == nullptr;
  }
}

bool is_label(const LabelRecord& label, const Actual& actual) {
  if (label.kind != static_cast<std::uint32_t>(actual.kind) || (label.size != actual.size && !is_timed(actual.kind))) return false;
  if (label.offset != 0 && g_control->bases[label.module] + label.offset != actual.pc) return false;
  return is_object(label.object, actual.object, actual) && is_object(label.also, actual.also, {.kind = Kind::kNone});
}

/// Binds the object of an event that proceeds. Returns false if it cannot be this one: another thread has found it elsewhere meanwhile.
bool bind(std::uint32_t number, const void* address) {
  Control& all = *g_control;
  if (number == kNoObject || all.image.objects()[number].space != static_cast<std::uint32_t>(Space::kMemory)) return true;
  return all.bindings.bind(number, value_of(address));
}

// ---------------------------------------------------------------- unverified events

void take_baton() {
  Control& all = *g_control;
  std::uint32_t expected = 0;
  if (!all.baton.compare_exchange_strong(expected, 1))
    while (all.baton.exchange(2) != 0) futex(all.baton, FUTEX_WAIT, 2);
  t_self.has_baton = true;
}
}  // namespace

void give_baton() {
  Control& all = *g_control;
  t_self.has_baton = false;
  if (all.baton.exchange(0) == 2) futex(all.baton, FUTEX_WAKE, 1);
}

void unverified(Unverified::Why why, const Actual& actual, std::uint32_t expected, const char* text, std::uint32_t cell) {
  Control& all = *g_control;
  RunBlock& block = *all.block;
  if (block.unverified.fetch_add(1) == 0) {
    const Where where = whereabouts(actual.pc);
    Unverified& first = block.first;
    first.thread = t_self.number;
    first.kind = static_cast<std::uint32_t>(actual.kind);
    first.expected = expected;
    first.cell = cell;
    first.offset = where.offset;
    first.value = actual.value;
    first.module = kNobody;
    for (std::uint32_t i = 0; where.module != nullptr && i < all.image.modules().size(); ++i)
      if (all.image.text(all.image.modules()[i]) == where.module) first.module = i;
    std::snprintf(first.text, sizeof(first.text), "%s", text != nullptr ? text : where.module == nullptr ? "" : where.module);
    first.why = why;
  } else if (block.on_unverified == OnUnverified::kAbort) {
    while (true) raw(SYS_pause);  // another thread ends the program
  }
  if (block.on_unverified == OnUnverified::kAbort) {
    if (all.log.on()) all.log.write(0, false, all.set);
    while (true) raw(SYS_exit_group, kUnverifiedExit);
  }
  Mode mode = Mode::kEnforce;
  g_mode.compare_exchange_strong(mode, block.on_unverified == OnUnverified::kAllow ? Mode::kAllow : Mode::kSerialize);
}

namespace {

// ---------------------------------------------------------------- waiting

/// Waits for a random time, for tests that check whether timing matters.
void disturb() {
  const std::uint32_t most = g_control->block->disturb;
  if (most == 0) return;
  std::uint64_t& x = t_self.random;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  if ((x & 1) == 0) return;
  if ((x & 2) == 0) return void(raw(SYS_sched_yield));
  const timespec time{0, static_cast<long>((x >> 8) % most) * 1000};
  raw(SYS_nanosleep, raw_address(&time));
}

/// Returns the line on which a thread sleeps that waits for this event.
CountLine& line_for(std::uint32_t event) {
  Admission& admission = *g_control->admission;
  if (event == Permission::kNone) return admission.common_line();
  const auto touches = admission.touches_of(event);
  if (touches.size() != 1 || g_control->image.objects()[touches[0].object].space == static_cast<std::uint32_t>(Space::kEverything)) return admission.common_line();
  return admission.line(touches[0].object);
}

void wake(CountLine& line) {
  if (line.sleepers.load() == 0) return;
  line.epoch.fetch_add(1);
  futex(line.epoch, FUTEX_WAKE, INT_MAX);
}

/// The waiting of one thread, from its first failed attempt to the one that succeeds.
class Waiting {
 public:
  explicit Waiting(const Actual& actual) : actual_(actual), began_(nanoseconds()) { count_if_late(); }
  ~Waiting() {
    Control& all = *g_control;
    if (counted_) all.waiting.fetch_sub(1);
    const std::uint64_t took = nanoseconds() - began_;
    all.block->waits.fetch_add(1, std::memory_order_relaxed);
    all.block->nanoseconds.fetch_add(took, std::memory_order_relaxed);
    if (slept_) all.block->slept.fetch_add(1, std::memory_order_relaxed);
    if (last_ == Permission::kNone || all.set != 0) return;  // the table is for labels of the first set
    WaitedFor& waited = all.block->waited[all.image.events()[last_].label];
    waited.times.fetch_add(1, std::memory_order_relaxed);
    waited.nanoseconds.fetch_add(took, std::memory_order_relaxed);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  template <class Attempt>
  Permission until(const Attempt& attempt, Permission now) {
    for (int i = 0; i < kSpins && now.answer == Permission::Answer::kWait; ++i) {
      for (int n = 0; n < kPauses; ++n) __builtin_ia32_pause();
      if (i >= kSpins / 2) raw(SYS_sched_yield);
      now = look(attempt);
    }
    while (now.answer == Permission::Answer::kWait && g_mode.load() == Mode::kEnforce) now = sleep(attempt, now);
    return now;
  }

 private:
  static constexpr int kSpins = 20, kPauses = 16;

  template <class Attempt>
  Permission look(const Attempt& attempt) {
    const Permission now = attempt();
    if (now.answer == Permission::Answer::kWait && now.event != Permission::kNone) last_ = now.event;
    return now;
  }

  template <class Attempt>
  Permission sleep(const Attempt& attempt, Permission now) {
    constexpr std::uint64_t kMoment = 50'000'000;
    count_if_late();
    CountLine& line = line_for(now.event);
    line.sleepers.fetch_add(1);
    const std::uint32_t epoch = line.epoch.load();
    now = look(attempt);
    if (now.answer == Permission::Answer::kWait && &line_for(now.event) == &line) {
      const std::uint64_t time = nanoseconds();
      const timespec limit{0, static_cast<long>(actual_.deadline > time ? std::min(kMoment, actual_.deadline - time) : kMoment)};
      slept_ = true;
      const long result = futex(line.epoch, FUTEX_WAIT, epoch, &limit);
      line.sleepers.fetch_sub(1);
      now = look(attempt);
      if (result != 0 && now.answer == Permission::Answer::kWait) look_at_others(now);
      else moments_ = 0;
      return now;
    }
    line.sleepers.fetch_sub(1);
    return now;
  }

  /// A thread that waits for the end of its time goes on by itself then. It counts as waiting for other threads only after that.
  void count_if_late() {
    if (counted_ || actual_.deadline > nanoseconds()) return;
    counted_ = true;
    g_control->waiting.fetch_add(1);
  }

  /// Detects that no other thread can change anything, or that one sleeps where no trace does: some thread took a path on which the awaited event may never happen.
  void look_at_others(Permission now) {
    constexpr int kMoments = 4;
    Control& all = *g_control;
    const std::uint64_t completed = all.admission->completed();
    const bool sleeps = all.unforeseen_sleeps.load() > 0;
    if ((all.waiting.load() < all.live.load() && !sleeps) || completed != completed_) {
      completed_ = completed;
      moments_ = 0;
      return;
    }
    if (++moments_ >= kMoments) unverified(sleeps ? Unverified::Why::kAsleep : Unverified::Why::kStuck, actual_, now.event, nullptr);
  }

  const Actual& actual_;
  std::uint64_t began_;
  std::uint64_t completed_ = ~std::uint64_t{0};
  std::uint32_t last_ = Permission::kNone;
  int moments_ = 0;
  bool slept_ = false;
  bool counted_ = false;
};

/// Writes down an event of a run that is only recorded. A run of very many events is not worth following.
void record(const Actual& actual) {
  if (g_control->log.time() < kMostRecorded) g_control->log.claim(t_self.number, actual);
  else g_mode.store(Mode::kOff);
}

std::uint32_t enter_free() {
  if (g_mode.load() == Mode::kSerialize && !t_self.has_baton && t_self.number != kNobody) take_baton();
  return kFree;
}

}  // namespace

bool is_enforced() { return g_mode.load(std::memory_order_relaxed) == Mode::kEnforce && t_self.number != kNobody; }
bool is_recorded() { return g_mode.load(std::memory_order_relaxed) == Mode::kRecord && t_self.number != kNobody; }
bool remembers_memory() { return g_control != nullptr && g_control->has_memory; }
bool has_threads() { return g_mode.load(std::memory_order_relaxed) != Mode::kOff && t_self.number != kNobody; }
std::uint32_t numbers_given() { return g_control == nullptr ? 0 : g_control->created.load(std::memory_order_relaxed); }
std::uint32_t number_of_self() { return t_self.number; }

void complete_access() {
  if (t_self.open == kFree) return;
  const std::uint32_t event = t_self.open;
  t_self.open = kFree;
  leave(event);
}

std::uint32_t enter(const Actual& actual) {
  if (is_recorded()) record(actual);
  if (!is_enforced()) return g_mode.load(std::memory_order_relaxed) <= Mode::kEnforce ? kFree : enter_free();
  complete_access();
  Control& all = *g_control;
  const std::uint32_t thread = t_self.number;
  if (thread >= all.threads) {
    unverified(Unverified::Why::kNoEvent, actual, Permission::kNone, nullptr);
    return enter_free();
  }
  // A time-out that a trace has is delivered when its time has come.
  const auto is_due = [&](const LabelRecord& label) { return actual.deadline == 0 || label.size == static_cast<std::uint32_t>(Outcome::kInTime) || nanoseconds() >= actual.deadline; };
  const auto attempt = [&] { return all.admission->attempt(thread, [&](const LabelRecord& label) { return is_label(label, actual); }, is_due); };
  Permission permission = attempt();
  if (permission.answer == Permission::Answer::kWait) permission = Waiting(actual).until(attempt, permission);
  if (permission.answer == Permission::Answer::kUnverified)
    unverified(permission.event == Permission::kNone ? Unverified::Why::kNoEvent : Unverified::Why::kOtherEvent, actual, permission.event, nullptr);
  if (permission.answer != Permission::Answer::kGo) return enter_free();
  const LabelRecord& label = all.admission->label_of(permission.event);
  if (all.has_memory && !(bind(label.object, actual.object) && bind(label.also, actual.also))) {
    unverified(Unverified::Why::kOtherEvent, actual, permission.event, nullptr);
    return enter_free();
  }
  if (all.log.on()) {
    Actual delivered = actual;
    delivered.size = label.size;
    all.log.claim(thread, delivered);
  }
  disturb();
  return permission.event;
}

bool is_expired(std::uint32_t event) {
  if (event == kFree) return false;
  const LabelRecord& label = g_control->admission->label_of(event);
  return is_timed(static_cast<Kind>(label.kind)) && label.size == static_cast<std::uint32_t>(Outcome::kExpired);
}

void input(const char* name, std::int64_t value, std::uintptr_t pc) {
  const Actual actual{.kind = Kind::kInput, .pc = pc, .value = value};
  if (is_recorded()) record(actual);
  if (!is_enforced()) return;
  complete_access();
  Control& all = *g_control;
  if (t_self.number < all.threads) {
    const Permission permission = all.admission->attempt_alone(t_self.number, [&](const LabelRecord& label) { return is_label(label, actual); });
    if (permission.answer == Permission::Answer::kGo) {
      if (all.log.on()) all.log.claim(t_self.number, actual);
      return leave(permission.event);
    }
  }
  unverified(Unverified::Why::kInput, actual, Permission::kNone, name);
  enter_free();
}

void leave(std::uint32_t event) {
  if (event == kFree) return;
  Control& all = *g_control;
  disturb();
  if (all.log.on()) all.log.done(t_self.number);
  all.admission->complete(t_self.number, event);
  for (const TouchRecord& touch : all.admission->touches_of(event)) wake(all.admission->line(touch.object));
  wake(all.admission->common_line());
}

void access(const Actual& actual) { t_self.open = enter(actual); }

Blocking::Blocking(bool free) : gave_(free && t_self.has_baton) {
  if (gave_) give_baton();
}
Blocking::~Blocking() {
  if (gave_) take_baton();
}

Sleep::Sleep() {
  if (!is_enforced()) return;
  complete_access();
  Control& all = *g_control;
  const auto follows_sleep = [&](const LabelRecord& label) {
    const auto touches = all.image.touches().subspan(label.touches, label.touch_count);
    return std::any_of(touches.begin(), touches.end(), [&](const TouchRecord& touch) {
      const ObjectRecord& object = all.image.objects()[touch.object];
      return object.space == static_cast<std::uint32_t>(kSleep.space) && object.value == kSleep.value;
    });
  };
  unforeseen_ = t_self.number < all.threads && !all.admission->foresees(t_self.number, follows_sleep);
  if (unforeseen_) all.unforeseen_sleeps.fetch_add(1);
}
Sleep::~Sleep() {
  if (unforeseen_) g_control->unforeseen_sleeps.fetch_sub(1);
}

void out_of_scope(const char* function, std::uintptr_t pc) {
  if (!is_enforced()) return;
  complete_access();
  unverified(Unverified::Why::kOutOfScope, {.kind = Kind::kNone, .pc = pc}, Permission::kNone, function);
}

void creates_thread(std::uintptr_t pc) {
  if (g_mode.load(std::memory_order_relaxed) == Mode::kOutside) unverified(Unverified::Why::kOutOfScope, {.kind = Kind::kNone, .pc = pc}, Permission::kNone, "pthread_create outside of a region");
}

// ---------------------------------------------------------------- threads

std::uint32_t new_thread() {
  g_control->live.fetch_add(1);
  return g_control->created.fetch_add(1);
}

void no_thread() { g_control->live.fetch_sub(1); }

void begin_thread(std::uint32_t number) {
  Control& all = *g_control;
  t_self.number = number;
  if (all.block == nullptr) return void(enter({.kind = Kind::kStart}));  // recording
  t_self.random = (all.block->seed + number + 1) * 0x9E3779B97F4A7C15u | 1;
  if (all.has_memory && number != 0) {
    pthread_attr_t attributes;
    void* stack = nullptr;
    std::size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
      ::pthread_attr_getstack(&attributes, &stack, &size);
      ::pthread_attr_destroy(&attributes);
    }
    t_self.stack = static_cast<const char*>(stack);
    t_self.stack_size = size;
  }
  leave(enter({.kind = Kind::kStart}));
}

void end_thread() {
  if (t_self.number == kNobody) return;
  const std::uint32_t event = enter({.kind = Kind::kEnd});
  if (event != kFree && t_self.stack != nullptr) forget_memory(t_self.stack, t_self.stack_size);
  // A thread that is joined does not live any more: main may enter a region. One that is not joined may be here meanwhile.
  g_control->ending.fetch_add(1);
  g_control->live.fetch_sub(1);
  leave(event);
  g_control->ending.fetch_sub(1);
  if (t_self.has_baton) give_baton();
  t_self.number = kNobody;
}

void forget_memory(const void* from, std::uintptr_t size) { g_control->bindings.forget(value_of(from), size); }

bool is_point(std::uintptr_t pc) {
  const Control& all = *g_control;
  for (std::uint64_t at = pc * 0x9E3779B97F4A7C15u >> 40;; ++at) {
    const std::uintptr_t found = all.points[at & (all.point_slots - 1)];
    if (found == pc) return true;
    if (found == 0) return false;
  }
}

}  // namespace tarry::enforce::rt
