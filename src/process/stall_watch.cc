#include "process/stall_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace tarry {
namespace {

struct Usage {
  char state;
  std::chrono::milliseconds cpu;
};

/// Reads the usage from /proc. Returns nothing if the thread has ended.
std::optional<Usage> usage_of(pid_t process, std::uint32_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", process, thread));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const std::size_t name_end = text.rfind(')');  // the name may contain any character
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

bool StallWatch::look(pid_t process, std::uint32_t thread, std::uint64_t beat, std::chrono::milliseconds passed, std::chrono::milliseconds timeout) {
  if (thread == 0 || thread != thread_ || beat != beat_) {
    *this = {};
    thread_ = thread;
    beat_ = beat;
    return false;
  }
  if (still_ && waited_ + passed < timeout) {
    waited_ += passed;
    return false;
  }
  const auto usage = usage_of(process, thread);
  if (!usage) return false;
  if (!still_) {
    still_ = true;
    waited_ = std::chrono::milliseconds(0);
    cpu_ = usage->cpu;
    return false;
  }
  waited_ += passed;
  const bool busy = usage->cpu - cpu_ >= timeout;
  const bool asleep = (usage->state == 'S' || usage->state == 'D') && waited_ >= 2 * timeout;
  if (!busy && !asleep) return false;
  slept_ = !busy;
  still_ = false;  // watching starts again, in case the thread is ours and only busy
  return true;
}

}  // namespace tarry
