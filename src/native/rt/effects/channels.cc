#include "native/rt/effects/channels.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/children.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/posix/signal.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/time/clock.h"
#include "native/rt/time/timers.h"

namespace tarry::native::rt {

/// Channels between threads of the program.
struct Channels {
  /// Those that a send of this execution has left full.
  struct Full {
    static constexpr std::size_t kMost = 32;
    const void* channels[kMost] = {};
    std::size_t count = 0;

    bool contains(const void* channel) const { return count == kMost || std::find(channels, channels + count, channel) != channels + count; }
    void add(const void* channel) {
      if (!contains(channel)) channels[count++] = channel;
    }
  };
  Full full;
  /// Goes up with everything that threads of the program do to a channel, or to something else that the kernel keeps; never 0.
  std::uint32_t changes = 1;

  void reset() { full.count = 0; }
};
template struct RoomOf<Channels>;

namespace {

bool is_due(int descriptor, short events) {
  pollfd one{descriptor, events, 0};
  return raw(SYS_poll, &one, 1, 0) != 0;
}

Channels& channels() { return part<Channels>(); }
void note_change() { channels().changes += channels().changes == ~0U ? 2 : 1; }

/// Returns Operation::argument of a waiting thread: the descriptor and, if an attempt has failed, at which change.
std::uintptr_t waiting_for(int descriptor, std::uint32_t failed_at = 0) { return static_cast<std::uint32_t>(descriptor) | std::uintptr_t{failed_at} << 32; }
bool has_changed(const Operation& operation) { return operation.argument >> 32 != channels().changes; }
bool can_read(const Operation& operation) { return has_changed(operation) && is_due(static_cast<int>(operation.argument), POLLIN); }
bool can_write(const Operation& operation) { return has_changed(operation) && is_due(static_cast<int>(operation.argument), POLLOUT); }

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
bool is_message_queue(long number) { return number == SYS_mq_timedreceive || number == SYS_mq_timedsend; }

// Happens-before through a channel: an operation that observes what another one did to the channel is ordered after it.
// - Every operation releases what its thread did before.
// - A receive, accept or connect acquires it from all operations on the channel before: what it gets depends on what was sent, taken, closed and shut down.
//   So does a send that fails or is cut short: the channel is full, or its other end is gone.
// - A send that succeeds does not see what others sent. It acquires only from receives that made room in a full channel.
// - Waits for descriptors, and calls that ask how much there is, acquire from all operations on all channels.
// The name of a channel is odd; its neighbour stands for the room in it.

const void* room_of(const void* channel) { return static_cast<const char*>(channel) + 1; }

/// Behind one that sees what was done to it. A process that the program has started may pass on what it got from another channel.
void acquires(const void* object) {
  acquire(object);
  if (has_started_processes()) acquire(kKernel);
}
/// Ahead of an operation on the channel.
void hands_on(const void* channel) {
  release(channel);
  release(kKernel);
}
/// The same of one that takes something out of it.
void takes_from(const void* channel) {
  hands_on(channel);
  if (channels().full.contains(channel)) release(room_of(channel));
}
/// A send has ended; `whole`: everything was sent.
void has_sent(const void* channel, int descriptor, bool whole) {
  acquires(room_of(channel));
  if (!whole) acquire(channel);
  if (g_watch.races != nullptr && !is_due(descriptor, POLLOUT)) channels().full.add(channel);
}

constexpr std::uint64_t kForEver = ~std::uint64_t{0};

bool blocks(int descriptor) { return (raw(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK) == 0; }

/// Of a call on a socket: where it has its flags; -1 if it has none.
int flags_at(long number) {
  if (number == SYS_recvfrom || number == SYS_sendto) return 3;
  return number == SYS_recvmsg || number == SYS_sendmsg ? 2 : -1;
}

/// For how long the call waits, in nanoseconds: kForEver, or 0 if it only tries.
std::uint64_t patience(long number, const long (&a)[6], bool sends) {
  const int descriptor = static_cast<int>(a[0]);
  if (const int at = flags_at(number); at >= 0 && (a[at] & (MSG_DONTWAIT | MSG_ERRQUEUE | (sends ? 0 : MSG_OOB))) != 0) return 0;
  if (!blocks(descriptor)) return 0;
  if (is_message_queue(number)) return a[4] == 0 ? kForEver : 1;
  timeval limit{};
  socklen_t size = sizeof(limit);
  if (raw(SYS_getsockopt, descriptor, SOL_SOCKET, sends ? SO_SNDTIMEO : SO_RCVTIMEO, &limit, &size) != 0) return kForEver;
  return limit.tv_sec == 0 && limit.tv_usec == 0 ? kForEver : nanoseconds_of(timespec{limit.tv_sec, limit.tv_usec * 1000});
}

/// The call, so that it fails with EAGAIN where it would block.
long attempt(long number, const long (&a)[6]) {
  const int descriptor = static_cast<int>(a[0]);
  if (is_message_queue(number)) return pass_to_kernel(number, a);
  long b[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
  if (const int at = flags_at(number); at >= 0) {
    b[at] |= MSG_DONTWAIT;
    return pass_to_kernel(number, b);
  }
  const long flags = raw(SYS_fcntl, descriptor, F_GETFL);
  raw(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
  const long result = pass_to_kernel(number, b);
  raw(SYS_fcntl, descriptor, F_SETFL, flags);
  return result;
}

/// What is left of a call's memory when so much of it is done.
struct Rest {
  char* at = nullptr;
  std::size_t size = 0;
};
Rest rest_of(long number, const long (&a)[6], std::size_t done) {
  const iovec* parts = nullptr;
  std::size_t count = 0;
  switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_recvfrom:
    case SYS_sendto: return {reinterpret_cast<char*>(a[1]) + done, static_cast<std::size_t>(a[2]) - std::min(done, static_cast<std::size_t>(a[2]))};
    case SYS_readv:
    case SYS_writev:
      parts = reinterpret_cast<const iovec*>(a[1]);
      count = static_cast<std::size_t>(a[2]);
      break;
    case SYS_recvmsg:
    case SYS_sendmsg:
      parts = reinterpret_cast<const msghdr*>(a[1])->msg_iov;
      count = reinterpret_cast<const msghdr*>(a[1])->msg_iovlen;
      break;
    case SYS_sendfile: return {nullptr, static_cast<std::size_t>(a[3]) - std::min(done, static_cast<std::size_t>(a[3]))};
    default: return {};
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (done < parts[i].iov_len) return {static_cast<char*>(parts[i].iov_base) + done, parts[i].iov_len - done};
    done -= parts[i].iov_len;
  }
  return {};
}

/// The call for what is left of it.
void put(Rest rest, long& number, long (&a)[6]) {
  if (number == SYS_sendfile) {
    a[3] = static_cast<long>(rest.size);
    return;
  }
  const int at = flags_at(number);
  const long flags = at < 0 ? 0 : a[at];
  if (at >= 0) number = number == SYS_recvmsg || number == SYS_recvfrom ? SYS_recvfrom : SYS_sendto;
  else number = number == SYS_readv || number == SYS_read ? SYS_read : SYS_write;
  a[1] = reinterpret_cast<long>(rest.at);
  a[2] = static_cast<long>(rest.size);
  a[3] = flags;
  a[4] = a[5] = 0;
}

/// The call goes on until all of it is done: a write, unless it is a message, and a read that says so.
bool is_whole(long number, const long (&a)[6], bool sends) {
  int type = SOCK_STREAM;
  socklen_t size = sizeof(type);
  raw(SYS_getsockopt, static_cast<int>(a[0]), SOL_SOCKET, SO_TYPE, &type, &size);
  if (type != SOCK_STREAM) return false;
  const int at = flags_at(number);
  return sends || (at >= 0 && (a[at] & MSG_WAITALL) != 0 && (a[at] & MSG_PEEK) == 0);
}

/// Before the call: others run until it can be performed. What it ends with if it cannot; 0: it can.
long wait_to_pass(Op op, int descriptor, std::uint64_t limit, bool queue, std::uint32_t failed_at, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  const bool timed = limit != 0 && limit != kForEver;
  const bool sends = op == Op::kSend;
  self.time.wakes_at = timed ? self.time.passed + limit : kForEver;
  scheduler().point({.op = op, .object = kKernel, .ready = limit == 0 ? nullptr : sends ? can_write : can_read, .argument = waiting_for(descriptor, failed_at), .pc = calling_place(pc), .timed = timed, .may_expire = timed && uses_timers() ? sleeps_undisturbed : nullptr, .interruptible = true});
  if (scheduler().self().timed_out) {
    if (!queue) pass_time(limit);
    return queue ? -ETIMEDOUT : -EAGAIN;
  }
  if (scheduler().self().signals.interrupted && limit != 0 && !is_due(descriptor, sends ? POLLOUT : POLLIN)) return -EINTR;
  return 0;
}

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

void closes_channel(int descriptor) {
  if (const void* const object = channel(descriptor); object != nullptr) takes_from(object);
}
long change_channel(long number, const long (&a)[6]) {
  const int descriptor = static_cast<int>(a[0]);
  closes_channel(descriptor);
  const long result = pass_to_kernel(number, a);
  if (const void* const object = channel(descriptor); result < 0 && object != nullptr) acquires(object);
  return result;
}
void channels_change() { note_change(); }
std::uint32_t changes_so_far() { return channels().changes; }

namespace {

/// In pieces, if need be: between them others run.
long transfer(Op op, long number, const long (&a)[6], std::uintptr_t pc, bool tries) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel_of(number, descriptor);
  if (object == nullptr) return pass_to_kernel(number, a);
  const bool sends = op == Op::kSend;
  const std::uint64_t limit = tries ? 0 : patience(number, a, sends);
  const bool whole = limit != 0 && is_whole(number, a, sends);
  long call = number;
  long now[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
  std::size_t done = 0;
  std::uint32_t failed_at = 0;
  while (true) {
    uses_kept(descriptor);
    const long why = wait_to_pass(op, descriptor, limit, is_message_queue(number), failed_at, pc);
    uses_kept(descriptor);
    if (why != 0) return done > 0 ? static_cast<long>(done) : why;
    sends ? hands_on(object) : takes_from(object);
    const long result = limit == 0 && !tries ? pass_to_kernel(call, now) : attempt(call, now);
    if (sends) has_sent(object, descriptor, result >= 0 && rest_of(call, now, static_cast<std::size_t>(result)).size == 0);
    else acquires(object);
    failed_at = result == -EAGAIN ? channels().changes : 0;
    if (failed_at != 0 && limit != 0) continue;  // it would have blocked after all
    if (result >= 0) note_change();
    if (!sends && uses_timers() && result > 0) has_read(descriptor);
    if (result > 0) done += static_cast<std::size_t>(result);
    const Rest rest = whole && result > 0 ? rest_of(number, a, done) : Rest{};
    if (rest.size == 0) return done > 0 ? static_cast<long>(done) : result;
    put(rest, call, now);
  }
}

bool both_due(const Operation& operation) {
  const auto* const ends = reinterpret_cast<const int*>(operation.argument);
  return is_due(ends[0], POLLIN) && is_due(ends[1], POLLOUT);
}

}  // namespace

long receive(long number, const long (&a)[6], std::uintptr_t pc, bool tries) { return transfer(Op::kReceive, number, a, pc, tries); }
long send(long number, const long (&a)[6], std::uintptr_t pc, bool tries) { return transfer(Op::kSend, number, a, pc, tries); }

long move_data(long number, const long (&a)[6], std::uintptr_t pc) {
  const int flags_in = number == SYS_splice ? 5 : 3;
  const int ends[2] = {static_cast<int>(a[0]), static_cast<int>(number == SYS_splice ? a[2] : number == SYS_tee ? a[1] : a[0])};
  long now[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
  const bool waits = (a[flags_in] & SPLICE_F_NONBLOCK) == 0 && number != SYS_vmsplice && blocks(ends[0]) && blocks(ends[1]);
  now[flags_in] |= SPLICE_F_NONBLOCK;
  scheduler().point({.op = Op::kSend, .object = kKernel, .ready = waits ? both_due : nullptr, .argument = reinterpret_cast<std::uintptr_t>(ends), .pc = calling_place(pc), .interruptible = true});
  if (scheduler().self().signals.interrupted && waits) return -EINTR;
  for (const int end : ends)
    if (const void* const object = channel(end); object != nullptr) acquires(object), takes_from(object);
  const long result = pass_to_kernel(number, number == SYS_vmsplice ? a : now);
  if (const void* const object = channel(ends[1]); object != nullptr) has_sent(object, ends[1], result > 0);
  if (result > 0) note_change();
  return result;
}

long connect_channel(const long (&a)[6], std::uintptr_t pc) {
  const int descriptor = static_cast<int>(a[0]);
  const void* const object = channel(descriptor);
  if (object == nullptr) return pass_to_kernel(SYS_connect, a);
  std::uint64_t limit = 0;
  std::uint32_t failed_at = 0;
  while (true) {
    const long why = wait_to_pass(Op::kSend, descriptor, limit, false, failed_at, pc);
    if (why != 0) return why;
    hands_on(object);
    const long result = attempt(SYS_connect, a);
    acquires(object);
    note_change();
    if (!blocks(descriptor)) return result;
    limit = patience(SYS_connect, a, true);
    failed_at = channels().changes;
    if (result == -EAGAIN) continue;  // who listens has no room for it
    if (result != -EINPROGRESS) return result;
    if (const long late = wait_to_pass(Op::kSend, descriptor, limit, false, 0, pc); late != 0) return late;
    int error = 0;
    socklen_t size = sizeof(error);
    raw(SYS_getsockopt, descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    return -error;
  }
}

namespace {

/// The mask that a call has for its time; nullptr: none.
const std::uint64_t* mask_of(long number, const long (&a)[6]) {
  const auto at = [](long address) { return reinterpret_cast<const std::uint64_t*>(address); };
  switch (number) {
    case SYS_ppoll: return at(a[3]);
    case SYS_pselect6: return a[5] == 0 ? nullptr : at(*reinterpret_cast<const long*>(a[5]));  // a pointer, and the size of the mask
    // Those that only look do not look for signals.
    case SYS_epoll_pwait: return a[3] == 0 ? nullptr : at(a[4]);
    case SYS_epoll_pwait2: return a[3] != 0 && nanoseconds_of(*reinterpret_cast<const timespec*>(a[3])) == 0 ? nullptr : at(a[4]);
    default: return nullptr;
  }
}

/// Waits until `due`, or for so many nanoseconds; 0: it only looks. With a mask, the call ends either with what is due, and then signals stay pending, or
/// with a handler.
void wait_for(bool (*due)(const Operation&), std::uintptr_t argument, std::uint64_t nanoseconds, std::uintptr_t pc, const MaskDuringCall& mask) {
  bool (*const ready)(const Operation&) = nanoseconds == 0 ? nullptr : due;
  Thread& self = scheduler().self();
  const bool timed = nanoseconds != kForEver;
  self.time.wakes_at = timed ? time_now() + nanoseconds : kForEver;
  scheduler().point({.op = Op::kPoll, .object = kKernel, .ready = ready, .argument = argument, .pc = calling_place(pc), .timed = timed, .may_expire = uses_timers() ? sleeps_undisturbed : nullptr, .yields = ready == nullptr, .interruptible = true, .unblocks = mask.unblocks(), .first = mask.replaces() ? due : nullptr});
  acquire(kKernel);
  if (self.timed_out) pass_time(std::max(self.time.wakes_at, self.time.passed) - self.time.passed);
  if (uses_timers()) has_seen_descriptors();
}

/// What was found, unless that is nothing and a handler ran, or the call ended by the handler.
long or_interrupted(long found, const MaskDuringCall& mask) { return (found == 0 || mask.replaces()) && scheduler().self().signals.interrupted ? -EINTR : found; }

}  // namespace

long control_channel(const long (&a)[6], std::uintptr_t pc) {
  const auto request = static_cast<unsigned long>(a[1]);
  const bool asks = request == FIONREAD || request == TIOCOUTQ || request == SIOCATMARK;
  if ((!asks && request != FIONBIO) || channel(static_cast<int>(a[0])) == nullptr) return pass_to_kernel(SYS_ioctl, a);
  if (asks) {
    wait_for(nullptr, 0, 0, pc, MaskDuringCall(nullptr));
    return pass_to_kernel(SYS_ioctl, a);
  }
  scheduler().point({.op = Op::kSend, .object = kKernel, .argument = static_cast<std::uintptr_t>(a[0]), .pc = calling_place(pc)});
  const long result = pass_to_kernel(SYS_ioctl, a);
  note_change();
  return result;
}

long wait_for_channels(long number, const long (&a)[6], std::uintptr_t pc) {
  const MaskDuringCall mask(mask_of(number, a));
  switch (number) {
    case SYS_poll:
    case SYS_ppoll: {
      const auto* const time = reinterpret_cast<const timespec*>(a[2]);
      const std::uint64_t wait = number == SYS_poll ? milliseconds(a[2]) : time == nullptr ? kForEver : nanoseconds_of(*time);
      wait_for(any_polled, reinterpret_cast<std::uintptr_t>(a), wait, pc, mask);
      return or_interrupted(raw(SYS_poll, a[0], a[1], 0), mask);
    }
    case SYS_select:
    case SYS_pselect6: {
      const Sets sets{static_cast<int>(a[0]), {reinterpret_cast<fd_set*>(a[1]), reinterpret_cast<fd_set*>(a[2]), reinterpret_cast<fd_set*>(a[3])}};
      wait_for(any_due, reinterpret_cast<std::uintptr_t>(&sets), limit_of_select(number, a[4]), pc, mask);
      timeval none{};
      return or_interrupted(raw(SYS_select, a[0], a[1], a[2], a[3], &none), mask);
    }
    default: {  // epoll: a descriptor that can be read from when there are events
      const auto* const time = reinterpret_cast<const timespec*>(a[3]);
      const std::uint64_t wait = number != SYS_epoll_pwait2 ? milliseconds(a[3]) : time == nullptr ? kForEver : nanoseconds_of(*time);
      wait_for(can_read, static_cast<std::uintptr_t>(a[0]), wait, pc, mask);
      return or_interrupted(raw(SYS_epoll_wait, a[0], a[1], a[2], 0), mask);
    }
  }
}

}  // namespace tarry::native::rt
