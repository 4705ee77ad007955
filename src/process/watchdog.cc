#include "process/watchdog.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace tarry::process {

Watchdog::Watchdog(Shared& shared, pid_t child, std::chrono::milliseconds timeout)
    : shared_(shared), child_(child), timeout_(timeout), workers_(kMaxWorkers) {}

void Watchdog::tick(std::chrono::milliseconds passed) {
  const Phase phase = shared_.phase.load(std::memory_order_relaxed);
  if (phase == Phase::kDone) return;
  if (phase != Phase::kSearching)
    return look(main_, static_cast<std::uint32_t>(child_), (shared_.step.load() + shared_.beat.load()) << 8 | static_cast<std::uint32_t>(phase), passed);
  for (std::uint32_t i = 0; i < kMaxWorkers; ++i) {
    const WorkerProgress& worker = shared_.progress.workers[i];
    look(workers_[i], worker.thread.load(std::memory_order_relaxed), worker.beat.load(std::memory_order_relaxed), passed);
  }
}

void Watchdog::look(StallWatch& watch, std::uint32_t thread, std::uint64_t beat, std::chrono::milliseconds passed) {
  if (watch.look(child_, thread, beat, passed, timeout_)) ::syscall(SYS_tgkill, child_, thread, timeout_signal());
}

}  // namespace tarry::process
