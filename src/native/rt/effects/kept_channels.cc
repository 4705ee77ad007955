#include "native/rt/effects/kept_channels.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

struct KeptChannel {
  enum class Kind { kPipe, kCounter, kLost };  // the last: what lies in it cannot be put back
  Kind kind;
  int number, copy;
  long flags;
  std::uint64_t pipe = 0;   // which
  std::string bytes;        // in a pipe, at the baseline
  std::uint64_t count = 0;  // of an eventfd
  bool closed = false;      // in this execution
};

/// They are put back at the end of an execution, in its own process (undo_channels).
struct KeptChannels : Kept {
  static constexpr int kMost = 1024;  // descriptors
  bool inherited[kMost] = {};
  Lasting<std::vector<KeptChannel>> all;
  Lasting<std::vector<long>> numbers;  // of System V semaphores and queues, from this execution; those of queues are negative
  bool closed = false;
};
template struct RoomOf<KeptChannels>;

namespace {

KeptChannels& kept() { return part<KeptChannels>(); }

std::string name_in_proc(const char* folder, int descriptor) {
  char name[64];
  std::snprintf(name, sizeof(name), "/proc/self/%s/%d", folder, descriptor);
  return name;
}

/// An open file of its own for the same pipe, which never blocks. It works for both ends, whichever is given.
long open_again(int descriptor, int mode) { return raw(SYS_openat, AT_FDCWD, name_in_proc("fd", descriptor).c_str(), mode | O_NONBLOCK | O_CLOEXEC); }

std::string drain(int descriptor) {
  std::string out;
  const long file = open_again(descriptor, O_RDONLY);
  char buffer[4096];
  for (long n; file >= 0 && (n = raw(SYS_read, file, buffer, sizeof(buffer))) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  if (file >= 0) raw(SYS_close, file);
  return out;
}

void fill(int descriptor, const std::string& bytes) {
  if (bytes.empty()) return;
  const long file = open_again(descriptor, O_WRONLY);
  if (file < 0) return;
  raw(SYS_write, file, bytes.data(), bytes.size());
  raw(SYS_close, file);
}

/// What the kernel tells about an eventfd.
bool count_of(int descriptor, std::uint64_t& out) {
  const long file = raw(SYS_openat, AT_FDCWD, name_in_proc("fdinfo", descriptor).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[512] = {};
  raw(SYS_read, file, text, sizeof(text) - 1);
  raw(SYS_close, file);
  const char* const at = std::strstr(text, "eventfd-count:");
  if (at != nullptr) out = std::strtoull(at + sizeof("eventfd-count:") - 1, nullptr, 16);
  return at != nullptr;
}

void put_count(const KeptChannel& one) {
  std::uint64_t now = 0;
  if (!count_of(one.copy, now) || now == one.count) return;
  raw(SYS_fcntl, one.copy, F_SETFL, one.flags | O_NONBLOCK);
  std::uint64_t taken = 0;
  while (now > one.count && raw(SYS_read, one.copy, &taken, sizeof(taken)) > 0) now -= taken;  // all at once, or one by one
  const std::uint64_t more = one.count - std::min(now, one.count);
  if (more > 0) raw(SYS_write, one.copy, &more, sizeof(more));
}

KeptChannel* find(int descriptor) {
  for (KeptChannel& one : *kept().all)
    if (one.number == descriptor) return &one;
  return nullptr;
}

bool is_message_queue(int descriptor) {
  constexpr long kMagic = 0x19800202;
  struct statfs status {};
  return raw(SYS_fstatfs, descriptor, &status) == 0 && status.f_type == kMagic;
}

[[noreturn]] void limit(const char* message) {
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = kLimitKind;
    failure.message = message;
  }
  scheduler().fail(std::move(failure));
}

constexpr const char* kLostMessage = "the program uses a socket or message queue in which a constructor has left something before main: it is not there again in the next execution, so make it in main";

}  // namespace

void know_inherited_descriptors() {
  struct stat status {};
  for (int i = 0; i < KeptChannels::kMost; ++i) kept().inherited[i] = raw(SYS_fstat, i, &status) == 0;
}

void remember_channel(int descriptor, int copy) {
  if (descriptor >= KeptChannels::kMost || kept().inherited[descriptor]) return;
  struct stat status {};
  if (raw(SYS_fstat, descriptor, &status) != 0) return;
  KeptChannel one{KeptChannel::Kind::kPipe, descriptor, copy, raw(SYS_fcntl, descriptor, F_GETFL), status.st_ino, {}};
  int waiting = 0;
  if (S_ISFIFO(status.st_mode)) {
    for (const KeptChannel& other : *kept().all)
      if (other.kind == KeptChannel::Kind::kPipe && other.pipe == one.pipe) return kept().all->push_back({KeptChannel::Kind::kPipe, descriptor, copy, one.flags, one.pipe, other.bytes});
    one.bytes = drain(copy);
    fill(copy, one.bytes);
  } else if (count_of(descriptor, one.count)) {
    one.kind = KeptChannel::Kind::kCounter;
  } else if ((S_ISSOCK(status.st_mode) && raw(SYS_ioctl, descriptor, FIONREAD, &waiting) == 0 && waiting > 0) || is_message_queue(descriptor)) {
    one.kind = KeptChannel::Kind::kLost;
  } else {
    return;
  }
  kept().all->push_back(std::move(one));
}

void undo_channels() {
  for (KeptChannel& one : *kept().all) {
    one.closed = false;
    if (one.kind == KeptChannel::Kind::kPipe) drain(one.copy), fill(one.copy, one.bytes);  // both ends: the second finds it refilled already
    if (one.kind == KeptChannel::Kind::kCounter) put_count(one);
    raw(SYS_fcntl, one.copy, F_SETFL, one.flags);
  }
  kept().numbers->clear();
  kept().closed = false;
}

void closes_kept(int descriptor) {
  if (kept().all->empty()) return;
  if (KeptChannel* const one = find(descriptor); one != nullptr && one->kind == KeptChannel::Kind::kPipe) one->closed = kept().closed = true;
}

void uses_kept(int descriptor) {
  if (kept().all->empty()) return;
  const KeptChannel* const one = find(descriptor);
  if (one == nullptr) return;
  if (one->kind == KeptChannel::Kind::kLost) limit(kLostMessage);
  if (!kept().closed || one->kind != KeptChannel::Kind::kPipe || one->closed) return;
  for (const KeptChannel& other : *kept().all)
    if (other.closed && other.pipe == one->pipe) limit("the program closes an end of a pipe that a constructor has made before main, and goes on to use the other end: that the end is closed is not seen there, so make the pipe in main");
}

bool closed_kept() { return kept().closed; }

void got_number(long system_call, long number) {
  if (number < 0) return;
  const EngineScope engine;
  kept().numbers->push_back(system_call == SYS_semget ? number : -1 - number);
}

void uses_number(long system_call, long number) {
  const bool semaphores = system_call == SYS_semop || system_call == SYS_semtimedop || system_call == SYS_semctl;
  const std::vector<long>& known = *kept().numbers;
  if (number < 0 || std::find(known.begin(), known.end(), semaphores ? number : -1 - number) != known.end()) return;
  limit("the program uses System V semaphores or messages that it did not ask for in main (semget, msgget): what an execution does to them is not put back, so ask for them in main");
}

}  // namespace tarry::native::rt
