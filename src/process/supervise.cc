#include "process/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/write_all.h"
#include "process/inherited_limits.h"
#include "process/interrupts.h"
#include "process/watchdog.h"

namespace tarry::process {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A program that recurses for ever must overflow its stack, not exhaust the machine.
void limit_stack() {
  constexpr rlim_t kMost = rlim_t{64} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= kMost) return;
  limit.rlim_cur = kMost;
  ::setrlimit(RLIMIT_STACK, &limit);
}

[[noreturn]] void run_child(Shared& shared, const std::function<std::string(const Say&)>& work, int to, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::syscall(SYS_exit_group, EXIT_FAILURE);
  ::signal(SIGINT, SIG_IGN);  // the parent decides; record_crashes tells those that the program sends to itself
  ::signal(SIGTERM, SIG_IGN);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  limit_stack();
  end_at_limit_of_files();
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what the program prints is not our output
  record_crashes(shared);
  const pid_t self = ::getpid();
  const std::string said = work([to, self](const std::string& text) {
    if (::getpid() == self) write_all(to, text);
  });
  if (::getpid() != self) ::syscall(SYS_exit_group, EXIT_FAILURE);  // a copy that the program made has nothing to say
  shared.phase = Phase::kDone;
  std::fflush(nullptr);
  write_all(to, said);  // else the parent is gone
  while (true) ::syscall(SYS_exit_group, EXIT_SUCCESS);  // no destructors of the program's
}

std::uint64_t resident_bytes(pid_t process) {
  std::uint64_t size = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(process) + "/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Sees to it that the child does not hold far more memory than it may.
void watch_memory(Shared& shared, pid_t child, std::uint64_t limit, ChildEnd& end) {
  constexpr std::uint64_t kLeast = std::uint64_t{256} << 20;
  if (limit == 0) return;
  const std::uint64_t most = limit + std::max(limit / 4, kLeast);
  const std::uint64_t held = resident_bytes(child);
  if (held <= most) return;
  if (end.over_memory == 0) {
    end.over_memory = held;
    end.tables = shared.progress.memory.load(std::memory_order_relaxed);
    shared.progress.out_of_memory = true;
  }
  if (held > 2 * most) ::kill(child, SIGKILL);
}

/// Whether a search that was told to end cannot, although no step of the program's was seen to be what keeps it (those are called off sooner), or
/// because such a step keeps it and there is a finding to wait for.
class LastSteps {
 public:
  explicit LastSteps(const Shared& shared) : shared_(shared), beats_(kMaxWorkers) {}

  bool is_stuck(Clock::time_point now) {
    constexpr auto kPatience = std::chrono::seconds(2);
    const Phase phase = shared_.phase.load(std::memory_order_relaxed);
    if (phase == Phase::kDone) return false;
    bool moved = false, begun = false, running = phase != Phase::kSearching;  // programs are looked at before they are searched
    const std::uint64_t early = shared_.step.load() + shared_.beat.load();
    moved |= std::exchange(early_, early) != early;
    for (std::uint32_t i = 0; i < kMaxWorkers; ++i) {
      const WorkerProgress& worker = shared_.progress.workers[i];
      const std::uint64_t beat = worker.beat.load(std::memory_order_relaxed);
      begun |= beat != 0;
      if (worker.thread.load(std::memory_order_relaxed) == 0) continue;
      running = true;
      moved |= std::exchange(beats_[i], beat) != beat;
    }
    running |= !begun;  // no worker has come to a first step; when all have ended, the result is being sent
    if (moved || !running || !watched_) since_ = now;
    watched_ = true;
    return running && now - since_ > kPatience;
  }

 private:
  const Shared& shared_;
  std::uint64_t early_ = 0;
  std::vector<std::uint64_t> beats_;
  bool watched_ = false;
  Clock::time_point since_{};  // nothing moved
};

/// Whether the child has ended. A child that stopped itself is continued: no other process would do that.
bool has_ended(pid_t child, bool wait, int& status, rusage& usage) {
  while (::wait4(child, &status, wait ? WUNTRACED : WNOHANG | WUNTRACED, &usage) == child) {
    if (!WIFSTOPPED(status)) return true;
    ::kill(child, SIGCONT);
  }
  return false;
}

/// Takes what there is to read; false at the end.
bool take(int from, std::string& to) {
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(from, buffer, sizeof(buffer));
    if (n > 0) to.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0) return false;
    else if (errno == EAGAIN) return true;
    else if (errno != EINTR) return false;
  }
}

}  // namespace

SharedMemory::SharedMemory() {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail("cannot map shared memory");
  shared_ = new (memory) Shared;  // leaves the room of the record untouched
}

SharedMemory::~SharedMemory() { ::munmap(shared_, sizeof(Shared)); }

ChildEnd supervise(Shared& shared, const Supervision& how, const std::function<std::string()>& work) {
  return supervise(shared, how, [&](const Say& /*say*/) { return work(); });
}

ChildEnd supervise(Shared& shared, const Supervision& how, const std::function<std::string(const Say&)>& work) {
  constexpr auto kTick = std::chrono::milliseconds(200);
  constexpr auto kLastStep = std::chrono::milliseconds(100);  // of the processor's time: a busy machine is no reason to cut a step off
  std::fflush(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
  const auto start = Clock::now();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("cannot start a process");
  if (child == 0) run_child(shared, work, ends[1], parent);
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);

  ChildEnd end;
  {
    Interrupts interrupts(shared.progress.stop);
    interrupts.add(child);
    Watchdog watchdog(shared, child, how.step_timeout);
    Watchdog called_off(shared, child, kLastStep);
    LastSteps last_steps(shared);
    auto next_tick = start + kTick;
    auto before = start;
    rusage usage{};
    bool open = true;
    while (!has_ended(child, !open, end.status, usage)) {
      pollfd waiting{ends[0], POLLIN, 0};
      if (::poll(&waiting, 1, 50) > 0) open = take(ends[0], end.said);
      watch_memory(shared, child, how.memory, end);
      const auto now = Clock::now();
      end.out_of_time = how.time && now - start > *how.time;
      const bool told_to_end = how.search_time && (now - start > *how.search_time || interrupts.by() != 0);
      if (told_to_end && !shared.progress.found.load()) {
        shared.called_off = true;
        called_off.tick(std::chrono::duration_cast<std::chrono::milliseconds>(now - before));
      }
      before = now;
      end.cut_off = end.cut_off || (told_to_end && last_steps.is_stuck(now));
      if (end.out_of_time || end.cut_off || (how.gives_up && interrupts.by() != 0)) ::kill(child, SIGKILL);
      if (now < next_tick) continue;
      watchdog.tick(kTick);
      if (how.tick) how.tick(std::chrono::duration<double>(now - start).count());
      next_tick = now + kTick;
    }
    take(ends[0], end.said);
    end.processor_seconds = processor_seconds(usage);
    end.peak_rss = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    end.interrupted_by = interrupts.by();
  }
  ::close(ends[0]);
  end.cut_off = end.cut_off || (shared.crash.complete && shared.crash.cause == Cause::kCalledOff);
  end.came_back = WIFEXITED(end.status) && WEXITSTATUS(end.status) == EXIT_SUCCESS;
  end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return end;
}

}  // namespace tarry::process
