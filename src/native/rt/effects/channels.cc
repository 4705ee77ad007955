#include "native/rt/effects/channels.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include "native/rt/effects/raw.h"
#include "native/rt/happened.h"
#include "native/rt/modules.h"
#include "native/rt/scheduler.h"

namespace tarry::native::rt {
namespace {

bool is_due(int descriptor, short events) {
  pollfd one{descriptor, events, 0};
  return raw(SYS_poll, &one, 1, 0) != 0;
}
bool can_read(const Operation& operation) { return is_due(static_cast<int>(operation.argument), POLLIN); }
bool can_write(const Operation& operation) { return is_due(static_cast<int>(operation.argument), POLLOUT); }

/// All of them, as one object. In the order of steps every channel is this one: a wait for several depends on what is done to any of them.
const void* const kAll = reinterpret_cast<const void*>(std::uintptr_t{1});

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

}  // namespace

bool is_channel(int descriptor) { return channel(descriptor) != nullptr; }

long receive(long number, const long (&a)[6], std::uintptr_t pc) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel_of(number, descriptor);
  if (object == nullptr) return pass(number, a);
  const bool in_time = scheduler().point({.op = Op::kReceive, .object = kAll, .ready = blocks(descriptor) ? can_read : nullptr, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc), .timed = is_timed(number, a)});
  if (!in_time && scheduler().self().timed_out) return -ETIMEDOUT;
  const long result = pass(number, a);
  acquire(object);
  return result;
}

long send(long number, const long (&a)[6], std::uintptr_t pc) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel_of(number, descriptor);
  if (object == nullptr) return pass(number, a);
  const bool in_time = scheduler().point({.op = Op::kSend, .object = kAll, .ready = blocks(descriptor) ? can_write : nullptr, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc), .timed = is_timed(number, a)});
  if (!in_time && scheduler().self().timed_out) return -ETIMEDOUT;
  release(object);
  release(kAll);
  return pass(number, a);
}

long wait_for_channels(long number, const long (&a)[6], std::uintptr_t pc) {
  const timespec* const time = number == SYS_ppoll ? reinterpret_cast<const timespec*>(a[2]) : nullptr;
  switch (number) {
    case SYS_poll:
    case SYS_ppoll: {
      const auto timeout = static_cast<int>(a[2]);
      const bool timed = number == SYS_poll ? timeout >= 0 : time != nullptr;
      const bool now = number == SYS_poll ? timeout == 0 : time != nullptr && time->tv_sec == 0 && time->tv_nsec == 0;
      scheduler().point({.op = Op::kPoll, .object = kAll, .ready = now ? nullptr : any_polled, .argument = reinterpret_cast<std::uintptr_t>(a), .pc = calling_place(pc), .timed = timed, .yields = now});
      acquire(kAll);
      return raw(SYS_poll, a[0], a[1], 0);
    }
    case SYS_select:
    case SYS_pselect6: {
      const Sets sets{static_cast<int>(a[0]), {reinterpret_cast<fd_set*>(a[1]), reinterpret_cast<fd_set*>(a[2]), reinterpret_cast<fd_set*>(a[3])}};
      scheduler().point({.op = Op::kPoll, .object = kAll, .ready = any_due, .argument = reinterpret_cast<std::uintptr_t>(&sets), .pc = calling_place(pc), .timed = a[4] != 0});
      acquire(kAll);
      timeval none{};
      return raw(SYS_select, a[0], a[1], a[2], a[3], &none);
    }
    default: {  // epoll: a descriptor that can be read from when there are events
      const auto timeout = static_cast<int>(a[3]);
      scheduler().point({.op = Op::kPoll, .object = kAll, .ready = timeout == 0 ? nullptr : can_read, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc), .timed = timeout > 0, .yields = timeout == 0});
      acquire(kAll);
      return raw(SYS_epoll_wait, a[0], a[1], a[2], 0);
    }
  }
}

}  // namespace tarry::native::rt
