#include "native/rt/time/timers.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/signal.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {

struct TimersRoom : Kept {
  void* timers = nullptr;  // in the program's memory
};
template struct RoomOf<TimersRoom>;

namespace {

struct Timer {
  enum class Kind : std::uint8_t { kFree, kDescriptor, kSignal, kSilent };
  Kind kind;
  bool armed;
  bool absolute;           // set for a time of the clock, not from now on
  bool again;              // periodic, and has expired before
  bool untaken;            // has expired, and nobody has read it or got its signal
  std::uint32_t handled_by;  // the thread that ran its handler and has not gone on since, plus 1
  std::uint32_t passed;      // how many times others expired again while it could have
  int descriptor;
  int signal;
  sigval value;
  std::uint32_t to;        // the thread that the signal is for, plus 1; 0: the process
  clockid_t clock;
  std::uint32_t owner;     // the thread that set it, by whose time
  std::uint64_t set;       // how many were set before it
  std::uint64_t span;      // from when it was set to `due`
  std::uint64_t due, interval, expired;
};

/// In the program's memory.
struct Timers {
  static constexpr std::uint32_t kRoom = 256;
  std::array<Timer, kRoom> all;  // the first is that of alarm and setitimer
  std::uint32_t used;            // none from here on is in use
  std::uint64_t set;             // how many times
  bool has_thread;
};
Timers* timers() { return static_cast<Timers*>(part<TimersRoom>().timers); }

constexpr long kFirstId = 1000;  // of timer_create; the kernel's own begin with 0
constexpr int kSignalOfLibc = 32;  // for SIGEV_THREAD

/// What stands for all timers in the order of steps.
const void* const kTimers = object_of(Thing::kTimers);

Timer& alarm_timer() { return timers()->all[0]; }

template <class Act>
void for_all(const Act& act) {
  for (std::uint32_t i = 0; i < timers()->used; ++i) act(timers()->all[i]);
}

/// Not to be held up for ever by those that expire again and again. Two times are what fairness grants a thread that yields, too.
bool is_overdue(const Timer& timer) { return timer.armed && timer.kind != Timer::Kind::kSilent && !timer.untaken && timer.passed >= 2; }

/// A periodic one that has expired: only if that was taken, by a thread that has gone on since or waits; and no other is overdue.
bool can_expire_again(const Timer& timer) {
  if (timer.untaken || (timer.handled_by != 0 && scheduler().enabled(timer.handled_by - 1))) return false;
  bool can = true;
  for_all([&](const Timer& other) { can = can && !(is_overdue(other) && other.passed > timer.passed); });
  return can;
}

bool can_expire(const Timer& timer) { return timer.armed && timer.kind != Timer::Kind::kSilent && (!timer.again || can_expire_again(timer)); }

/// Must `a` have expired when `b` does? Where times count from when a thread set them, that may have been later than by its own clock.
bool comes_before(const Timer& a, const Timer& b) {
  if (a.again || b.again) return false;
  if (a.absolute) return b.absolute ? a.due < b.due : a.due <= b.due;
  if (b.absolute || a.set >= b.set) return false;
  return a.span <= b.span || (a.owner == b.owner && a.due <= b.due);
}

bool is_next(const Timer& timer) {
  if (!can_expire(timer)) return false;
  bool next = true;
  for_all([&](const Timer& other) { next = next && !(can_expire(other) && comes_before(other, timer)); });
  return next;
}

bool any_can_expire(const Operation& /*operation*/) {
  bool any = false;
  for_all([&](const Timer& timer) { any = any || can_expire(timer); });
  return any;
}

/// Once the thread's own clock shows its time, it must have expired. (Clocks of threads are behind the truth, not ahead of it.)
bool is_by_clock_of(const Timer& timer, std::uint32_t thread) { return timer.absolute || timer.owner == thread; }

void expire(Timer& timer) {
  if (timer.again) for_all([&](Timer& other) { if (&other != &timer && can_expire(other)) ++other.passed; });
  timer.passed = 0;
  timer.expired = timer.due;
  timer.again = timer.interval != 0;
  if (timer.again) timer.due += timer.interval;
  else timer.armed = false;
  timer.untaken = true;
  acquire(kTimers);
  release(kTimers);
  if (timer.kind == Timer::Kind::kSignal) {
    const SignalDetails details{&timer == &alarm_timer() ? SI_KERNEL : SI_TIMER, timer.value};
    if (timer.to == 0) give_to_process(timer.signal, details);
    else give_to_thread(timer.to - 1, timer.signal, details);
    return;
  }
  release(kKernel);
  const std::uint64_t once = 1;
  raw(SYS_write, timer.descriptor, &once, sizeof(once));
}

/// The running thread has learned that it expired.
void take(Timer& timer) {
  timer.untaken = false;
  std::uint64_t& time = scheduler().self().time.passed;
  time = std::max(time, timer.expired);
  if (timer.again && timer.due <= time) timer.due += ((time - timer.due) / timer.interval + 1) * timer.interval;
  acquire(kTimers);
}

Operation next_expiry() { return {.op = Op::kExpire, .object = kTimers, .also = kKernel, .ready = any_can_expire, .yields = true}; }

/// The thread of the timers.
void* expire_one_by_one(void* /*unused*/) {
  while (true) {
    std::uint32_t count = 0;
    for_all([&](const Timer& timer) { count += is_next(timer) ? 1 : 0; });
    std::uint32_t skip = scheduler().decide(count);
    for (std::uint32_t i = 0; i < timers()->used; ++i) {
      if (!is_next(timers()->all[i]) || skip-- > 0) continue;
      expire(timers()->all[i]);
      break;
    }
    scheduler().point(next_expiry());
  }
}

void need_thread() {
  if (timers()->has_thread) return;
  Scheduler& all = scheduler();
  const std::uint32_t number = all.start_thread(expire_one_by_one, nullptr);
  if (number == Scheduler::kNobody) {
    admit("the program has more than 1,022 threads: there is none left for its timers, which do not expire");
    return;
  }
  timers()->has_thread = true;
  Thread& thread = all.thread(number);
  thread.of_runtime = thread.detached = true;
  thread.signals.blocked = ~std::uint64_t{0};
  std::strcpy(thread.name, "timer");
  thread.pending = next_expiry();
  thread.pending.thread = number;
  created(all.running(), number);
}

// ---------------------------------------------------------------- system calls

std::uint64_t nanoseconds_in(const timeval& time) { return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_usec) * 1000; }
timespec shown_as(std::uint64_t nanoseconds) { return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)}; }
timeval value_of(std::uint64_t nanoseconds) { return {static_cast<time_t>(nanoseconds / kSecond), static_cast<suseconds_t>(nanoseconds % kSecond / 1000)}; }

bool is_time(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond); }
bool is_time(const timeval& time) { return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1'000'000; }

/// Until it expires; 0 if it is not set.
std::uint64_t rest_of(const Timer& timer) {
  if (!timer.armed) return 0;
  const std::uint64_t now = scheduler().self().time.passed;
  if (timer.due > now) return timer.due - now;
  if (timer.kind != Timer::Kind::kSilent) return 1;  // it will at once
  return timer.interval == 0 ? 0 : timer.interval - (now - timer.due) % timer.interval;
}

void reach(Op op, std::uintptr_t pc) { scheduler().point({.op = op, .object = kTimers, .also = kKernel, .pc = calling_place(pc)}); }

/// `due` in time since the start, if that is after now.
void set(Timer& timer, bool armed, bool absolute, std::uint64_t due, std::uint64_t interval) {
  Scheduler& all = scheduler();
  const std::uint64_t now = all.self().time.passed;
  if (timer.kind == Timer::Kind::kDescriptor && timer.untaken) {
    std::uint64_t forgotten = 0;
    if (can_receive(timer.descriptor)) raw(SYS_read, timer.descriptor, &forgotten, sizeof(forgotten));
  }
  timer.armed = armed;
  timer.absolute = absolute;
  timer.again = timer.untaken = false;
  timer.handled_by = timer.passed = 0;
  timer.interval = interval;
  timer.owner = all.running();
  timer.set = ++timers()->set;
  timer.due = due;
  timer.span = due > now ? due - now : 0;
  release(kTimers);
  if (!armed || timer.kind == Timer::Kind::kSilent) return;
  need_thread();
  expire_passed();
}

/// timerfd_settime and timer_settime: their flag for absolute times is the same.
long set(Timer& timer, long flags, const itimerspec* to, itimerspec* before, std::uintptr_t pc) {
  if (to == nullptr) return -EFAULT;
  if (!is_time(to->it_value) || !is_time(to->it_interval)) return -EINVAL;
  const itimerspec wanted = *to;
  reach(Op::kSetTimer, pc);
  if (before != nullptr) *before = {shown_as(timer.interval), shown_as(rest_of(timer))};
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const bool armed = wanted.it_value.tv_sec != 0 || wanted.it_value.tv_nsec != 0;
  set(timer, armed, absolute, absolute ? time_at(timer.clock, wanted.it_value) : time_now() + nanoseconds_of(wanted.it_value), nanoseconds_of(wanted.it_interval));
  return 0;
}

long get(const Timer& timer, itimerspec* out, std::uintptr_t pc) {
  if (out == nullptr) return -EFAULT;
  reach(Op::kReadTimer, pc);
  *out = {shown_as(timer.interval), shown_as(rest_of(timer))};
  return 0;
}

std::uint64_t set_alarm(std::uint64_t from_now, std::uint64_t interval, std::uintptr_t pc) {
  reach(Op::kSetTimer, pc);
  Timer& timer = alarm_timer();
  const std::uint64_t rest = rest_of(timer);
  timer.kind = Timer::Kind::kSignal;
  timer.signal = SIGALRM;
  timers()->used = std::max(timers()->used, 1u);
  set(timer, from_now != 0, false, time_now() + from_now, interval);
  return rest;
}

long set_interval_timer(const itimerval* to, itimerval* before, std::uintptr_t pc) {
  if (to != nullptr && (!is_time(to->it_value) || !is_time(to->it_interval))) return -EINVAL;
  const itimerval wanted = to == nullptr ? itimerval{} : *to;
  const std::uint64_t interval = alarm_timer().interval;
  const std::uint64_t rest = set_alarm(nanoseconds_in(wanted.it_value), nanoseconds_in(wanted.it_interval), pc);
  if (before != nullptr) *before = {value_of(interval), value_of(rest)};
  return 0;
}

Timer* find_descriptor(long descriptor) {
  Timer* found = nullptr;
  for_all([&](Timer& timer) { if (timer.kind == Timer::Kind::kDescriptor && timer.descriptor == descriptor) found = &timer; });
  return found;
}

Timer* find_id(long id) {
  if (id < kFirstId || id - kFirstId >= static_cast<long>(timers()->used)) return nullptr;
  Timer& timer = timers()->all[static_cast<std::size_t>(id - kFirstId)];
  return timer.kind == Timer::Kind::kSignal || timer.kind == Timer::Kind::kSilent ? &timer : nullptr;
}

/// nullptr if there is no room.
Timer* make(Timer::Kind kind, long clock) {
  for (std::uint32_t i = 1; i < Timers::kRoom; ++i) {
    Timer& timer = timers()->all[i];
    if (timer.kind != Timer::Kind::kFree) continue;
    timer = {};
    timer.kind = kind;
    timer.clock = static_cast<clockid_t>(clock);
    timers()->used = std::max(timers()->used, i + 1);
    return &timer;
  }
  admit("the program has more than 255 timers: it was told that there can be no more");
  return nullptr;
}

bool is_known_clock(long clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

long make_descriptor(long clock, long flags) {
  if (!is_known_clock(clock) || (flags & ~static_cast<long>(TFD_CLOEXEC | TFD_NONBLOCK)) != 0) return -EINVAL;
  descriptors_change();
  const long descriptor = raw(SYS_eventfd2, 0, flags);
  if (descriptor < 0) return descriptor;
  closes_descriptor(static_cast<int>(descriptor));  // in case that it went unnoticed
  Timer* const timer = make(Timer::Kind::kDescriptor, clock);
  if (timer == nullptr) {
    raw(SYS_close, descriptor);
    return -EMFILE;
  }
  timer->descriptor = static_cast<int>(descriptor);
  return descriptor;
}

long left_to_kernel(long number, const long (&a)[6]) {
  admit("the program sets timers of processor time, or such as run functions in threads: they run in real time, and no thread is known to wait for them (a deadlock or livelock may be none)");
  fresh::need("the program sets timers");
  return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long make_timer(long number, const long (&a)[6]) {
  const auto* const event = reinterpret_cast<const sigevent*>(a[1]);
  const int notify = event == nullptr ? SIGEV_SIGNAL : event->sigev_notify;
  const bool to_thread = notify == SIGEV_THREAD_ID;
  const long thread = to_thread ? event->_sigev_un._tid - kProcess : 0;
  if (!is_known_clock(a[0]) || notify == SIGEV_THREAD || (to_thread && event->sigev_signo == kSignalOfLibc)) return left_to_kernel(number, a);
  if (thread < 0 || thread >= static_cast<long>(scheduler().thread_count())) return -EINVAL;
  if (notify != SIGEV_NONE && event != nullptr && (event->sigev_signo < 1 || event->sigev_signo > 64)) return -EINVAL;
  Timer* const timer = make(notify == SIGEV_NONE ? Timer::Kind::kSilent : Timer::Kind::kSignal, a[0]);
  if (timer == nullptr) return -EAGAIN;
  const long id = kFirstId + (timer - timers()->all.data());
  timer->signal = event == nullptr ? SIGALRM : event->sigev_signo;
  if (event == nullptr) timer->value.sival_int = static_cast<int>(id);
  else timer->value = event->sigev_value;
  timer->to = to_thread ? static_cast<std::uint32_t>(thread) + 1 : 0;
  *reinterpret_cast<int*>(a[2]) = static_cast<int>(id);
  return 0;
}

long remove(Timer& timer, std::uintptr_t pc) {
  reach(Op::kSetTimer, pc);
  timer = {};
  return 0;
}

}  // namespace

void make_timers() {
  if (timers() == nullptr) part<TimersRoom>().timers = new (program_heap::allocate(sizeof(Timers))) Timers{};
}

bool uses_timers() { return timers() != nullptr && timers()->set != 0; }

long call_timers(long number, const long (&a)[6], std::uintptr_t pc) {
  const auto spec = [&](int i) { return reinterpret_cast<itimerspec*>(a[i]); };
  switch (number) {
    case SYS_alarm: {
      const std::uint64_t rest = set_alarm(static_cast<std::uint64_t>(static_cast<unsigned>(a[0])) * kSecond, 0, pc);
      return rest == 0 ? 0 : static_cast<long>(std::max((rest + kSecond / 2) / kSecond, std::uint64_t{1}));
    }
    case SYS_setitimer:
      if (a[0] != ITIMER_REAL) return left_to_kernel(number, a);
      return set_interval_timer(reinterpret_cast<const itimerval*>(a[1]), reinterpret_cast<itimerval*>(a[2]), pc);
    case SYS_getitimer:
      if (a[0] != ITIMER_REAL) return left_to_kernel(number, a);
      reach(Op::kReadTimer, pc);
      *reinterpret_cast<itimerval*>(a[1]) = {value_of(alarm_timer().interval), value_of(rest_of(alarm_timer()))};
      return 0;
    case SYS_timerfd_create: return make_descriptor(a[0], a[1]);
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime: {
      Timer* const timer = find_descriptor(a[0]);
      if (timer == nullptr) return raw(SYS_fcntl, a[0], F_GETFD) < 0 ? -EBADF : -EINVAL;
      return number == SYS_timerfd_settime ? set(*timer, a[1], spec(2), spec(3), pc) : get(*timer, spec(1), pc);
    }
    case SYS_timer_create: return make_timer(number, a);
    default: {
      Timer* const timer = find_id(a[0]);
      if (timer == nullptr) return raw(number, a[0], a[1], a[2], a[3]);
      if (number == SYS_timer_settime) return set(*timer, a[1], spec(2), spec(3), pc);
      if (number == SYS_timer_gettime) return get(*timer, spec(1), pc);
      return number == SYS_timer_delete ? remove(*timer, pc) : 0;  // timer_getoverrun: expiries that nobody took are not counted
    }
  }
}

void closes_descriptor(int descriptor) {
  if (Timer* const timer = find_descriptor(descriptor); timer != nullptr) *timer = {};
}

void copies_descriptor(int descriptor) {
  if (find_descriptor(descriptor) != nullptr) admit("the program copies the descriptor of a timerfd: the timer is known by the first one only, and ends when that is closed");
}

void has_read(int descriptor) {
  if (Timer* const timer = find_descriptor(descriptor); timer != nullptr && timer->untaken) take(*timer);
}

void has_seen_descriptors() {
  std::uint64_t& time = scheduler().self().time.passed;
  for_all([&](const Timer& timer) { if (timer.kind == Timer::Kind::kDescriptor && timer.untaken) time = std::max(time, timer.expired); });
}

void has_signal(int signal) {
  for_all([&](Timer& timer) {
    if (timer.kind != Timer::Kind::kSignal || timer.signal != signal || !timer.untaken) return;
    take(timer);
    timer.handled_by = scheduler().running() + 1;
  });
}

void has_gone_on() {
  for_all([&](Timer& timer) { if (timer.handled_by == scheduler().running() + 1) timer.handled_by = 0; });
}

void expire_passed() {
  if (!in_program()) return;
  Scheduler& all = scheduler();
  const std::uint64_t now = all.self().time.passed;
  while (true) {
    Timer* first = nullptr;
    for_all([&](Timer& timer) {
      if (can_expire(timer) && is_by_clock_of(timer, all.running()) && timer.due <= now && (first == nullptr || timer.due < first->due)) first = &timer;
    });
    if (first == nullptr) break;
    changed(kTimers);
    changed(kKernel);
    expire(*first);
  }
  if (!all.self().signals.due()) return;
  handle_signals();
  has_gone_on();
}

bool sleeps_undisturbed(const Operation& operation) {
  bool undisturbed = true;
  for_all([&](const Timer& timer) {
    if (!timer.again && can_expire(timer) && is_by_clock_of(timer, operation.thread) && timer.due <= scheduler().thread(operation.thread).time.wakes_at) undisturbed = false;
  });
  return undisturbed;
}

}  // namespace tarry::native::rt
