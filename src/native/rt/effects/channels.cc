#include "native/rt/effects/channels.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/rt/effects/raw.h"
#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"
#include "native/rt/time/clock.h"
#include "native/rt/time/common_time.h"
#include "native/rt/time/timers.h"

namespace tarry::native::rt {
namespace {

bool is_due(int descriptor, short events) {
  pollfd one{descriptor, events, 0};
  return raw(SYS_poll, &one, 1, 0) != 0;
}
bool can_read(const Operation& operation) { return is_due(static_cast<int>(operation.argument), POLLIN); }
bool can_write(const Operation& operation) { return is_due(static_cast<int>(operation.argument), POLLOUT); }

/// What stands for the channel where data pass from thread to thread: both ends of a pipe have the same. nullptr: it is no channel.
const void* channel(int descriptor) {
  struct stat status {};
  if (raw(SYS_fstat, descriptor, &status) != 0) return nullptr;
  const bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  // Two ends of a socket pair have numbers next to each other; which of them is meant does not matter.
  const std::uint64_t number = S_ISSOCK(status.st_mode) ? 2 : status.st_ino;
  return is_file ? nullptr : reinterpret_cast<const void*>(number << 4 | 1);
}

/// The same of a call. A message queue has a descriptor that can be waited for, and looks like a file otherwise.
const void* channel_of(long number, int descriptor) {
  return number == SYS_mq_timedreceive || number == SYS_mq_timedsend ? reinterpret_cast<const void*>(std::uintptr_t{3} << 4 | 1) : channel(descriptor);
}
/// Message queues have limits of time; of others that is a matter of their own.
bool is_timed(long number, const long (&a)[6]) { return (number == SYS_mq_timedreceive || number == SYS_mq_timedsend) && a[4] != 0; }

bool blocks(int descriptor) { return (raw(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK) == 0; }

long pass(long number, const long (&a)[6]) { return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]); }

struct Sets {
  int count;
  const fd_set* of[3];
};

bool any_due(const Operation& operation) {
  const Sets& sets = *reinterpret_cast<const Sets*>(operation.argument);
  fd_set copies[3];
  for (int i = 0; i < 3; ++i)
    if (sets.of[i] != nullptr) std::memcpy(&copies[i], sets.of[i], sizeof(fd_set));
  timeval now{};
  const auto set = [&](int i) { return sets.of[i] == nullptr ? nullptr : &copies[i]; };
  return raw(SYS_select, sets.count, set(0), set(1), set(2), &now) != 0;
}
bool any_polled(const Operation& operation) {
  const auto* const call = reinterpret_cast<const long*>(operation.argument);
  return raw(SYS_poll, call[0], call[1], 0) != 0;
}

constexpr std::uint64_t kForEver = ~std::uint64_t{0};

std::uint64_t milliseconds(long limit) { return static_cast<int>(limit) < 0 ? kForEver : static_cast<std::uint64_t>(static_cast<int>(limit)) * 1'000'000; }
std::uint64_t limit_of_select(long number, long limit) {
  if (limit == 0) return kForEver;
  if (number == SYS_pselect6) return nanoseconds_of(*reinterpret_cast<const timespec*>(limit));
  const auto& time = *reinterpret_cast<const timeval*>(limit);
  return nanoseconds_of(timespec{time.tv_sec, time.tv_usec * 1000});
}

}  // namespace

bool is_channel(int descriptor) { return channel(descriptor) != nullptr; }
bool can_receive(int descriptor) { return is_due(descriptor, POLLIN); }

long receive(long number, const long (&a)[6], std::uintptr_t pc) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel_of(number, descriptor);
  if (object == nullptr) return pass(number, a);
  const bool in_time = scheduler().point({.op = Op::kReceive, .object = kAllChannels, .ready = blocks(descriptor) ? can_read : nullptr, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc), .timed = is_timed(number, a), .interruptible = true});
  if (!in_time && scheduler().self().timed_out) return -ETIMEDOUT;
  if (scheduler().self().interrupted && blocks(descriptor) && !is_due(descriptor, POLLIN)) return -EINTR;
  const long result = pass(number, a);
  acquire(object);
  if (uses_timers() && result > 0) has_read(descriptor);
  return result;
}

long send(long number, const long (&a)[6], std::uintptr_t pc) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel_of(number, descriptor);
  if (object == nullptr) return pass(number, a);
  const bool in_time = scheduler().point({.op = Op::kSend, .object = kAllChannels, .ready = blocks(descriptor) ? can_write : nullptr, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc), .timed = is_timed(number, a), .interruptible = true});
  if (!in_time && scheduler().self().timed_out) return -ETIMEDOUT;
  if (scheduler().self().interrupted && blocks(descriptor) && !is_due(descriptor, POLLOUT)) return -EINTR;
  release(object);
  release(kAllChannels);
  return pass(number, a);
}

namespace {

/// Waits until `ready`, or for so many nanoseconds; `nullptr`: it only looks.
void wait_for(bool (*ready)(const Operation&), std::uintptr_t argument, std::uint64_t nanoseconds, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  const bool timed = nanoseconds != kForEver;
  self.wakes_at = timed ? time_now() + nanoseconds : kForEver;
  scheduler().point({.op = Op::kPoll, .object = kAllChannels, .ready = ready, .argument = argument, .pc = calling_place(pc), .timed = timed, .may_expire = uses_timers() ? sleeps_undisturbed : nullptr, .yields = ready == nullptr, .interruptible = true});
  acquire(kAllChannels);
  if (!uses_timers()) return;
  if (self.timed_out) pass_time(std::max(self.wakes_at, self.time) - self.time);
  has_seen_descriptors();
}

/// What was found, unless that is nothing and a handler ran.
long or_interrupted(long found) { return found == 0 && scheduler().self().interrupted ? -EINTR : found; }

}  // namespace

long wait_for_channels(long number, const long (&a)[6], std::uintptr_t pc) {
  switch (number) {
    case SYS_poll:
    case SYS_ppoll: {
      const auto* const time = reinterpret_cast<const timespec*>(a[2]);
      const std::uint64_t wait = number == SYS_poll ? milliseconds(a[2]) : time == nullptr ? kForEver : nanoseconds_of(*time);
      wait_for(wait == 0 ? nullptr : any_polled, reinterpret_cast<std::uintptr_t>(a), wait, pc);
      return or_interrupted(raw(SYS_poll, a[0], a[1], 0));
    }
    case SYS_select:
    case SYS_pselect6: {
      const Sets sets{static_cast<int>(a[0]), {reinterpret_cast<fd_set*>(a[1]), reinterpret_cast<fd_set*>(a[2]), reinterpret_cast<fd_set*>(a[3])}};
      wait_for(any_due, reinterpret_cast<std::uintptr_t>(&sets), limit_of_select(number, a[4]), pc);
      timeval none{};
      return or_interrupted(raw(SYS_select, a[0], a[1], a[2], a[3], &none));
    }
    default: {  // epoll: a descriptor that can be read from when there are events
      const std::uint64_t wait = milliseconds(a[3]);
      wait_for(wait == 0 ? nullptr : can_read, static_cast<std::uintptr_t>(a[0]), wait, pc);
      return or_interrupted(raw(SYS_epoll_wait, a[0], a[1], a[2], 0));
    }
  }
}

}  // namespace tarry::native::rt
