#include "enforce/rt/control.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "enforce/admission.h"
#include "enforce/rt/bindings.h"
#include "enforce/rt/modules.h"
#include "enforce/rt/raw.h"
#include "enforce/rt/run_log.h"
#include "enforce/rt/access_flags.h"
#include "enforce/run_block.h"

namespace tarry::enforce::rt {

std::atomic<Mode> g_mode{Mode::kOff};
bool g_has_points = false;

std::uint64_t nanoseconds() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// State of a thread of the program. Plain data: it is used until the thread is gone.
struct Self {
  std::uint32_t number = kNobody;
  std::uint32_t open = kFree;   // a plain access that was admitted and may not be done yet
  bool has_baton = false;
  std::uint64_t random = 0;
  const char* stack = nullptr;
  std::uint64_t stack_size = 0;
};
thread_local Self t_self;

/// The global state.
struct Control {
  ImageView image;
  RunBlock* block = nullptr;
  Admission* admission = nullptr;
  Bindings bindings;
  bool has_memory = false;           // the set has objects on heaps or stacks
  RunLog log;
  std::uintptr_t* bases = nullptr;   // load addresses of the modules of the set
  std::uintptr_t* points = nullptr;  // a hash table
  std::uint64_t point_slots = 0;
  std::uint32_t threads = 0;         // number of threads in the set
  std::atomic<std::uint32_t> created{1};
  alignas(64) std::atomic<std::uint32_t> live{0};
  std::atomic<std::uint32_t> waiting{0};
  alignas(64) std::atomic<std::uint32_t> baton{0};  // if threads run one at a time: 0 free, 1 taken, 2 taken with waiters
  std::atomic<bool> finished{false};
};
alignas(Control) unsigned char g_control_room[sizeof(Control)];
alignas(Admission) unsigned char g_admission_room[sizeof(Admission)];
Control* g_control = nullptr;

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* limit = nullptr) {
  return raw(SYS_futex, raw_address(&word), operation | FUTEX_PRIVATE_FLAG, value, raw_address(limit));
}
std::uint64_t value_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// ---------------------------------------------------------------- comparing an event with the traces

bool is_object(std::uint32_t number, const void* address, const Actual& actual) {
  Control& all = *g_control;
  if (number == kNoObject) return address == nullptr && actual.kind != Kind::kJoin;
  const ObjectRecord& object = all.image.objects()[number];
  switch (static_cast<Space>(object.space)) {
    case Space::kThread: return actual.kind == Kind::kJoin && object.value == actual.thread;
    case Space::kValue: return actual.kind == Kind::kInput && object.value == static_cast<std::uint64_t>(actual.value);
    case Space::kData: return all.bases[object.module] + object.value == value_of(address);
    case Space::kMemory: return address != nullptr && all.bindings.fits(number, value_of(address));
    default: return address == nullptr;
  }
}

bool is_label(const LabelRecord& label, const Actual& actual) {
  if (label.kind != static_cast<std::uint32_t>(actual.kind) || (label.size != actual.size && !is_timed(actual.kind))) return false;
  if (label.offset != 0 && g_control->bases[label.module] + label.offset != actual.pc) return false;
  return is_object(label.object, actual.object, actual) && is_object(label.also, actual.also, {.kind = Kind::kNone});
}

void bind(std::uint32_t number, const void* address) {
  Control& all = *g_control;
  if (number != kNoObject && all.image.objects()[number].space == static_cast<std::uint32_t>(Space::kMemory)) all.bindings.bind(number, value_of(address));
}

// ---------------------------------------------------------------- unverified events

void take_baton() {
  Control& all = *g_control;
  std::uint32_t expected = 0;
  if (!all.baton.compare_exchange_strong(expected, 1))
    while (all.baton.exchange(2) != 0) futex(all.baton, FUTEX_WAIT, 2);
  t_self.has_baton = true;
}
void give_baton() {
  Control& all = *g_control;
  t_self.has_baton = false;
  if (all.baton.exchange(0) == 2) futex(all.baton, FUTEX_WAKE, 1);
}

/// Reports an unverified event. The mode decides what happens after it.
void unverified(Unverified::Why why, const Actual& actual, std::uint32_t expected, const char* text) {
  Control& all = *g_control;
  RunBlock& block = *all.block;
  if (block.unverified.fetch_add(1) == 0) {
    const Where where = whereabouts(actual.pc);
    Unverified& first = block.first;
    first.thread = t_self.number;
    first.kind = static_cast<std::uint32_t>(actual.kind);
    first.expected = expected;
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
    if (all.log.on()) all.log.write(0, false);
    while (true) raw(SYS_exit_group, kUnverifiedExit);
  }
  Mode mode = Mode::kEnforce;
  g_mode.compare_exchange_strong(mode, block.on_unverified == OnUnverified::kAllow ? Mode::kAllow : Mode::kSerialize);
}

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
    if (last_ == Permission::kNone) return;
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

  /// Detects that no other thread can change anything: some thread took a path on which the awaited event never happens.
  void look_at_others(Permission now) {
    constexpr int kMoments = 4;
    Control& all = *g_control;
    const std::uint64_t completed = all.admission->completed();
    if (all.waiting.load() < all.live.load() || completed != completed_) {
      completed_ = completed;
      moments_ = 0;
      return;
    }
    if (++moments_ >= kMoments) unverified(Unverified::Why::kStuck, actual_, now.event, nullptr);
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
  if (all.has_memory) bind(label.object, actual.object), bind(label.also, actual.also);
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

void out_of_scope(const char* function, std::uintptr_t pc) {
  if (!is_enforced()) return;
  complete_access();
  unverified(Unverified::Why::kOutOfScope, {.kind = Kind::kNone, .pc = pc}, Permission::kNone, function);
}

// ---------------------------------------------------------------- threads

std::uint32_t new_thread() {
  g_control->live.fetch_add(1);
  return g_control->created.fetch_add(1);
}

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
  g_control->live.fetch_sub(1);
  leave(event);
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

// ---------------------------------------------------------------- start and end

namespace {

[[noreturn]] void refuse(const char* why) {
  std::fprintf(stderr, "tarry: error: enforcement cannot begin: %s\n", why);
  while (true) raw(SYS_exit_group, 70);
}

const void* map_file(int file, int protection, int flags) {
  struct stat facts;
  if (::fstat(file, &facts) != 0) refuse("a file that 'tarry run' hands over is not open");
  void* const at = ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), protection, flags, file, 0);
  if (at == MAP_FAILED) refuse("a file that 'tarry run' hands over cannot be mapped");
  ::close(file);
  return at;
}

void find_points(Control& all) {
  all.point_slots = 64;
  while (all.point_slots < all.image.points().size() * 4) all.point_slots *= 2;
  all.points = static_cast<std::uintptr_t*>(fresh_memory(all.point_slots * sizeof(std::uintptr_t)));
  for (const PlaceRecord& place : all.image.points()) {
    const std::uintptr_t pc = all.bases[place.module] + place.offset;
    std::uint64_t at = pc * 0x9E3779B97F4A7C15u >> 40;
    while (all.points[at & (all.point_slots - 1)] != 0) ++at;
    all.points[at & (all.point_slots - 1)] = pc;
  }
  g_has_points = !all.image.points().empty();
}

/// A library that is not loaded has no base: its flags are unknown.
void find_sites(Control& all) {
  auto* const flags = static_cast<std::uintptr_t*>(fresh_memory((all.image.sites().size() + 1) * sizeof(std::uintptr_t)));
  std::uint64_t count = 0;
  for (const PlaceRecord& place : all.image.sites())
    if (all.bases[place.module] != 0 || all.image.modules()[place.module].size == 0) flags[count++] = all.bases[place.module] + place.offset;
  set_flags({flags, count});
}

/// Removes the tool's variables from the environment, so that programs started by this program run without enforcement.
void restore_environment() {
  ::unsetenv(kRunVariable);
  const char* value = std::getenv("LD_PRELOAD");
  for (const char* const ours : {"libtarry_enforce", "libtarry_cxx"}) {
    const char* const found = value == nullptr ? nullptr : std::strstr(value, ours);
    if (found == nullptr) continue;
    const char* const rest = std::strchr(found, ':');
    if (rest != nullptr && rest[1] != '\0') ::setenv("LD_PRELOAD", rest + 1, 1);
    else ::unsetenv("LD_PRELOAD");
    value = std::getenv("LD_PRELOAD");
  }
}

}  // namespace

/// Starts a run that is only written down.
static void begin_recording(int file) {
  restore_environment();
  g_control = new (g_control_room) Control;
  g_control->log.begin(file, kMostThreads);
  __libc_single_threaded = 0;  // as during verification
  g_mode.store(Mode::kRecord);
  begin_thread(0);
}

void begin_main(int /*argc*/, char** /*argv*/) {
  const char* const value = std::getenv(kRunVariable);
  if (int file = -1; value != nullptr && std::sscanf(value, "record:%d", &file) == 1) return begin_recording(file);
  int image = -1, block = -1;
  if (value == nullptr || std::sscanf(value, "%d:%d", &image, &block) != 2) return;
  restore_environment();
  g_control = new (g_control_room) Control;
  Control& all = *g_control;
  all.image = ImageView(map_file(image, PROT_READ, MAP_SHARED | MAP_POPULATE));
  all.block = static_cast<RunBlock*>(const_cast<void*>(map_file(block, PROT_READ | PROT_WRITE, MAP_SHARED)));
  if (all.block->magic != kRunMagic) refuse("the library does not fit the tool that started it");
  all.threads = all.image.header().threads;
  all.bases = static_cast<std::uintptr_t*>(fresh_memory((all.image.modules().size() + 1) * sizeof(std::uintptr_t)));
  for (std::uint32_t i = 0; i < all.image.modules().size(); ++i) all.bases[i] = base_of(all.image.text(all.image.modules()[i]));
  for (const ObjectRecord& object : all.image.objects()) all.has_memory |= object.space == static_cast<std::uint32_t>(Space::kMemory);
  all.bindings.begin(all.image.header().objects, fresh_memory(Bindings::room_for(all.image.header().objects)));
  all.admission = new (g_admission_room) Admission(all.image, all.threads, fresh_memory(Admission::room_for(all.image, all.threads)));
  if (all.block->log != 0) all.log.begin(static_cast<int>(all.block->log - 1), all.threads);
  find_points(all);
  find_sites(all);
  __libc_single_threaded = 0;  // as during verification: reference counts are atomic from the start
  all.live.store(1);
  all.block->attached.store(1);
  g_mode.store(Mode::kEnforce);
  begin_thread(0);
}

void finish() {
  if (g_control == nullptr || g_control->finished.exchange(true)) return;
  complete_access();
  Control& all = *g_control;
  if (all.block == nullptr) return all.log.write(0, false);
  const bool verified = g_mode.load() == Mode::kEnforce;
  all.block->events.store(all.admission->completed());
  all.block->trace = all.admission->trace_taken();
  all.block->finished.store(1);
  if (all.log.on()) all.log.write(all.block->trace, verified);
}

}  // namespace tarry::enforce::rt
