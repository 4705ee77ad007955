#include "process/inherited_limits.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>

#include "base/units.h"

namespace tarry::process {
namespace {

struct Limit {
  __rlimit_resource resource;
  const char* what;
  const char* name;
  const char* option;  // of ulimit
  bool in_bytes;
};
constexpr Limit kAddressSpace{RLIMIT_AS, "the address space of a process", "RLIMIT_AS", "-v", true};
constexpr Limit kData{RLIMIT_DATA, "the memory of a process", "RLIMIT_DATA", "-d", true};
constexpr Limit kFileSize{RLIMIT_FSIZE, "the size of a file", "RLIMIT_FSIZE", "-f", true};
constexpr Limit kFiles{RLIMIT_NOFILE, "the number of open files", "RLIMIT_NOFILE", "-n", false};
constexpr Limit kProcesses{RLIMIT_NPROC, "the number of processes", "RLIMIT_NPROC", "-u", false};
constexpr Limit kProcessorTime{RLIMIT_CPU, "the processor time of a process", "RLIMIT_CPU", "-t", false};

rlimit now(const Limit& limit) {
  rlimit out{RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(limit.resource, &out);
  return out;
}

std::string words_for(const Limit& limit, rlim_t value) {
  const std::string amount = limit.in_bytes ? size_text(value) : limit.resource == RLIMIT_CPU ? seconds_text(static_cast<double>(value)) : with_separators(value);
  const char* const lifted = limit.resource == RLIMIT_NOFILE ? "1024" : "unlimited";
  return fmt::format("{} is limited to {} ({}); lift the limit with 'ulimit {} {}'", limit.what, amount, limit.name, limit.option, lifted);
}

std::optional<std::string> words_if_set(const Limit& limit) {
  const rlim_t value = now(limit).rlim_cur;
  return value == RLIM_INFINITY ? std::nullopt : std::optional(words_for(limit, value));
}

std::optional<std::string> too_small(const Limit& limit, std::uint64_t needed) {
  const rlim_t value = now(limit).rlim_cur;
  if (value == RLIM_INFINITY || value >= needed) return std::nullopt;
  return fmt::format("needs {}, most of which is reserved and never used, but {}", size_text(needed), words_for(limit, value));
}

void pass_over(int /*signal*/) {}

}  // namespace

std::optional<std::string> limit_behind(int error) {
  switch (error) {
    case ENOMEM: {
      auto words = words_if_set(kAddressSpace);
      return words ? words : words_if_set(kData);
    }
    case EFBIG: return words_if_set(kFileSize);
    case EMFILE: return words_if_set(kFiles);
    case EAGAIN: return words_if_set(kProcesses);
    default: return std::nullopt;
  }
}

std::optional<std::string> limit_behind(const std::exception& exception) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&exception) != nullptr;
  const auto* const error = dynamic_cast<const std::system_error*>(&exception);
  const auto limit = memory ? limit_behind(ENOMEM) : error == nullptr ? std::nullopt : limit_behind(error->code().value());
  if (!limit) return std::nullopt;
  return fmt::format("{}: {}", memory ? "the memory that is needed could not be reserved" : exception.what(), *limit);
}

std::optional<std::string> limit_behind_death(int status, double seconds) {
  if (!WIFSIGNALED(status)) return std::nullopt;
  const rlimit time = now(kProcessorTime);
  if (WTERMSIG(status) == SIGXCPU) return words_if_set(kProcessorTime);
  if (WTERMSIG(status) == SIGXFSZ) return words_if_set(kFileSize);
  constexpr double kShare = 0.5;  // the kernel counts whole ticks against the limit: on a busy machine more than the time that was used
  if (WTERMSIG(status) == SIGKILL && time.rlim_max != RLIM_INFINITY && seconds >= kShare * static_cast<double>(time.rlim_max)) return words_for(kProcessorTime, time.rlim_max);
  return std::nullopt;
}

double processor_seconds(const rusage& usage) {
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

std::optional<std::string> too_small_limit(std::uint64_t address_space, std::uint64_t data, std::uint64_t file) {
  auto words = too_small(kAddressSpace, address_space);
  if (!words) words = too_small(kData, data);
  return words ? words : too_small(kFileSize, file);
}

void fail_at_limit_of_files() {
  struct sigaction action {};
  ::sigaction(SIGXFSZ, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = pass_over;  // not SIG_IGN: what is started later would inherit that
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGXFSZ, &action, nullptr);
}

void end_at_limit_of_files() {
  struct sigaction action {};
  ::sigaction(SIGXFSZ, nullptr, &action);
  if (action.sa_handler == pass_over) ::signal(SIGXFSZ, SIG_DFL);
}

}  // namespace tarry::process
