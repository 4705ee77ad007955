#include "toolchain/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/hash.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

constexpr std::size_t kMostOutput = std::size_t{4} << 20;

bool is_executable(const std::filesystem::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(file.c_str(), X_OK) == 0;
}

/// As a shell would find it.
std::optional<std::filesystem::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_executable(name) ? std::optional(std::filesystem::absolute(name)) : std::nullopt;
  const char* variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): no thread changes it
  std::string_view rest = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  while (true) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (is_executable(file)) return std::filesystem::absolute(file);
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

/// What the process writes. With a limit it is killed when that is over.
std::string read_to_end(int fd, pid_t process, std::optional<std::chrono::milliseconds> limit) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::string out;
  char buffer[16384];
  while (true) {
    if (limit) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*limit - (Clock::now() - began));
      pollfd waiting{fd, POLLIN, 0};
      if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
        ::kill(process, SIGKILL);
        return out;
      }
    }
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return out;
    if (out.size() < kMostOutput) out.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<std::filesystem::path> find_compiler(const std::string& wanted) {
  if (!wanted.empty()) {
    if (auto found = find_program(wanted)) return *found;
    return Diagnostic{fmt::format("tarry: error: compiler '{}' was not found, or cannot be run", wanted)};
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (auto found = find_program(name)) return *found;
  return Diagnostic{
      "tarry: error: no C++ compiler was found: looked for c++, g++ and clang++ in PATH; on Debian, install one with: apt-get "
      "install g++"};
}

std::string compiler_version(const std::filesystem::path& compiler, const std::filesystem::path& folder) {
  struct stat info {};
  if (::stat(compiler.c_str(), &info) != 0) return "";
  const std::string known_as = fmt::format("{}\n{} {} {}.{:09}\n", compiler.string(), info.st_ino, info.st_size,
                                           info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  const std::filesystem::path note = folder / fmt::format("compiler-{:016x}.txt", hash_of(compiler.string()));
  if (const auto text = read_whole(note, 65536);
      text && text->starts_with(known_as) && text->ends_with('\n') && text->size() > known_as.size() + 1)
    return text->substr(known_as.size(), text->size() - known_as.size() - 1);
  const ProcessResult run = run_process({compiler.string(), "--version"});
  if (run.exit_code != 0) return "";
  std::string line = run.output.substr(0, run.output.find('\n'));
  if (!line.empty()) write_whole(note, known_as + line + "\n", Existing::kReplace);  // if that fails, it is asked again
  return line;
}

ProcessResult run_process(const std::vector<std::string>& arguments, const std::filesystem::path& folder, std::optional<std::chrono::milliseconds> limit) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  ProcessResult result;
  if (::pipe2(ends, O_CLOEXEC) != 0) return result;

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  // Whatever signals this process handles or blocks, the compiler can be interrupted.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  pid_t child = 0;
  result.started = ::posix_spawn(&child, argv[0], &files, &attributes, argv.data(), environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  if (result.started) {
    result.output = read_to_end(ends[0], child, limit);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    else if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  }
  ::close(ends[0]);
  return result;
}

}  // namespace tarry
