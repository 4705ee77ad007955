#include "cli/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "core/progress.h"

namespace tarry::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool can_be_written(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return std::filesystem::is_directory(folder, error) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// A folder that nobody else can write to, because what is compiled into it is loaded from there. Kept from run to run unless somebody else has taken its name.
std::filesystem::path temporary_folder() {
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
  const std::filesystem::path usual = base / fmt::format("tarry-{}", ::getuid());
  ::mkdir(usual.c_str(), 0700);
  struct stat info {};
  const bool ours = ::lstat(usual.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::getuid() && (info.st_mode & 022) == 0;
  if (ours && can_be_written(usual)) return usual;
  std::string name = (base / "tarry-XXXXXX").string();
  return ::mkdtemp(name.data()) == nullptr ? usual : std::filesystem::path(name);
}

}  // namespace

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

std::filesystem::path cache_folder() {
  static const std::filesystem::path folder = [] {
    std::filesystem::path wanted;
    if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) wanted = std::filesystem::path(cache) / "tarry";
    else if (const std::string home = environment("HOME"); !home.empty()) wanted = std::filesystem::path(home) / ".cache" / "tarry";
    return !wanted.empty() && can_be_written(wanted) ? wanted : temporary_folder();
  }();
  return folder;
}

std::filesystem::path own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::string chosen_compiler() { return environment("CXX"); }

bool shows_color(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

int terminal_width(std::FILE* stream) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t page_width(std::FILE* stream) {
  const std::string given = environment("COLUMNS");
  if (!given.empty() && given.size() < 6 && given.find_first_not_of("0123456789") == std::string::npos) {
    const auto width = static_cast<std::size_t>(std::stoul(given));
    if (width >= 20) return width;
  }
  return ::isatty(::fileno(stream)) != 0 ? static_cast<std::size_t>(terminal_width(stream)) : 100;
}

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (std::string locale = environment(name); !locale.empty()) {
      std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
  return false;
}

}  // namespace tarry::cli
