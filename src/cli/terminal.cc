#include "cli/terminal.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "core/progress.h"
#include "toolchain/surroundings.h"

namespace tarry::cli {

std::uint64_t machine_memory() {
  std::uint64_t memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {  // containers
    std::uint64_t limit = 0;
    if (std::ifstream(file) >> limit && limit > 0) memory = std::min(memory, limit);
  }
  return memory;
}

std::uint32_t machine_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::clamp(static_cast<std::uint32_t>(CPU_COUNT(&cores)), 1u, kMaxWorkers);
}

bool shows_color(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0 && environment_variable("NO_COLOR").empty() && environment_variable("TERM") != "dumb";
}

int terminal_width(std::FILE* stream) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t page_width(std::FILE* stream) {
  const std::string given = environment_variable("COLUMNS");
  if (!given.empty() && given.size() < 6 && given.find_first_not_of("0123456789") == std::string::npos) {
    const auto width = static_cast<std::size_t>(std::stoul(given));
    if (width >= 20) return width;
  }
  return ::isatty(::fileno(stream)) != 0 ? static_cast<std::size_t>(terminal_width(stream)) : 100;
}

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (std::string locale = environment_variable(name); !locale.empty()) {
      std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
  return false;
}

}  // namespace tarry::cli
