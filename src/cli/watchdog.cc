#include "cli/watchdog.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace tarry::cli {
namespace {

struct Usage {
  char state;
  std::chrono::milliseconds cpu;
};

/// From /proc; nothing if the thread has ended.
std::optional<Usage> usage_of(pid_t process, std::uint32_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", process, thread));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const std::size_t name_end = text.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 1));
  Usage usage{};
  rest >> usage.state;
  std::string skipped;
  for (int i = 0; i < 10; ++i) rest >> skipped;
  long user = 0, system = 0;
  rest >> user >> system;
  usage.cpu = std::chrono::milliseconds((user + system) * 1000 / ::sysconf(_SC_CLK_TCK));
  return usage;
}

}  // namespace

Watchdog::Watchdog(Shared& shared, pid_t child, std::chrono::milliseconds timeout)
    : shared_(shared), child_(child), timeout_(timeout), workers_(kMaxWorkers) {}

void Watchdog::tick(std::chrono::milliseconds passed) {
  const Phase phase = shared_.phase.load(std::memory_order_relaxed);
  if (phase == Phase::kDone) return;
  if (phase != Phase::kSearching)
    return look(main_, static_cast<std::uint32_t>(child_), shared_.step.load() << 8 | static_cast<std::uint32_t>(phase), passed);
  for (std::uint32_t i = 0; i < kMaxWorkers; ++i) {
    const WorkerProgress& worker = shared_.progress.workers[i];
    look(workers_[i], worker.thread.load(std::memory_order_relaxed), worker.beat.load(std::memory_order_relaxed), passed);
  }
}

void Watchdog::look(Thread& thread, std::uint32_t id, std::uint64_t beat, std::chrono::milliseconds passed) {
  if (id == 0 || id != thread.id || beat != thread.beat) {
    thread = {.id = id, .beat = beat};
    return;
  }
  if (thread.stuck && thread.waited + passed < timeout_) {
    thread.waited += passed;
    return;
  }
  const auto usage = usage_of(child_, id);
  if (!usage) return;
  if (!thread.stuck) {
    thread.stuck = true;
    thread.waited = std::chrono::milliseconds(0);
    thread.cpu = usage->cpu;
    return;
  }
  thread.waited += passed;
  const bool busy = usage->cpu - thread.cpu >= timeout_ / 2;
  const bool asleep = (usage->state == 'S' || usage->state == 'D') && thread.waited >= 2 * timeout_;
  if (!busy && !asleep) return;
  ::syscall(SYS_tgkill, child_, id, timeout_signal());
  thread.stuck = false;  // should it be one of ours that is busy, it is watched anew
}

}  // namespace tarry::cli
