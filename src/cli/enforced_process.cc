#include "cli/enforced_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "cli/command_line.h"
#include "native/target/compilers.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

pid_t g_child = 0;
volatile std::sig_atomic_t g_passed_on = 0;  // the last signal
void pass_on(int signal) {
  g_passed_on = signal;
  if (g_child > 0) ::kill(g_child, signal);
}

/// Passes signals on to the child while it lives.
class PassesOn {
 public:
  PassesOn() {
    struct sigaction passing {};
    passing.sa_handler = pass_on;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &passing, &before_[i]);
  }
  ~PassesOn() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
    g_child = 0;
  }
  PassesOn(const PassesOn&) = delete;
  PassesOn& operator=(const PassesOn&) = delete;
  /// In the child.
  static void forget() {
    for (const int signal : kSignals) ::signal(signal, SIG_DFL);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)] = {};
};

std::string preloaded(const fs::path& library, bool tells_cxx) {
  std::string out = library.string();
  if (tells_cxx) out += ":" + (library.parent_path() / "libtarry_cxx.so").string();
  const char* const theirs = std::getenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe): no thread changes it
  return theirs == nullptr || *theirs == '\0' ? out : out + ":" + theirs;
}

/// Kills the child if it has not ended by then.
void kill_at(std::chrono::milliseconds limit) {
  const int child = static_cast<int>(::syscall(SYS_pidfd_open, g_child, 0));
  if (child < 0) return;
  pollfd wait{child, POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + limit;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const int ready = ::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) break;
    if (ready == 0) {
      ::kill(g_child, SIGKILL);
      break;
    }
  }
  ::close(child);
}

/// Does the work until the child has ended.
void work_until_end(const Meanwhile& meanwhile) {
  const int child = static_cast<int>(::syscall(SYS_pidfd_open, g_child, 0));
  if (child < 0) return;
  pollfd wait[2] = {{child, POLLIN, 0}, {meanwhile.descriptor, POLLIN, 0}};
  for (int pause = meanwhile.work(); (wait[0].revents & POLLIN) == 0; pause = meanwhile.work())
    while (::poll(wait, 2, pause) < 0 && errno == EINTR) {
    }
  ::close(child);
}

int start_and_wait(const std::vector<char*>& words, const std::vector<char*>& variables, Streams streams, std::optional<std::chrono::milliseconds> limit, const Meanwhile& meanwhile) {
  const PassesOn passes_on;
  g_child = ::fork();
  if (g_child == 0) {
    PassesOn::forget();
    if (streams == Streams::kNone) {
      const int nothing = ::open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) ::dup2(nothing, stream);
    }
    ::execve(words[0], words.data(), variables.data());
    ::_exit(127);
  }
  if (g_child > 0 && limit) kill_at(*limit);
  if (g_child > 0 && meanwhile.work) work_until_end(meanwhile);
  int status = -1;
  while (g_child > 0 && ::waitpid(g_child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

SharedFile::SharedFile(const char* name) : number_(::memfd_create(name, 0)) {
  if (number_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
}
SharedFile::~SharedFile() { ::close(number_); }

std::string SharedFile::content() const {
  std::string out;
  char part[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(number_, part, sizeof(part), at);
    if (n <= 0) return out;
    out.append(part, static_cast<std::size_t>(n));
    at += n;
  }
}

MappedBlock::MappedBlock(const SharedFile& file, std::uint64_t labels) : size_(enforce::size_of_block(labels)) {
  if (::ftruncate(file.number(), static_cast<off_t>(size_)) != 0) throw std::system_error(errno, std::generic_category(), "ftruncate");
  void* const at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  at_ = static_cast<enforce::RunBlock*>(at);
  at_->magic = enforce::kRunMagic;
  at_->seed = 1;
  at_->labels = static_cast<std::uint32_t>(labels);
}
MappedBlock::~MappedBlock() { ::munmap(at_, size_); }

Result<fs::path> library_of_enforcement() {
  const auto folder = native::runtime_folder();
  if (!folder) return folder.error();
  fs::path library = folder->path / "libtarry_enforce.so";
  if (!fs::exists(library)) return usage_error("this build of Tarry has no library of enforcement (libtarry_enforce.so)");
  return library;
}

std::vector<std::string> enforced_environment(const fs::path& library, const native::ExecutableFacts& facts, const std::string& what) {
  return {fmt::format("{}={}", enforce::kRunVariable, what), "LD_PRELOAD=" + preloaded(library, facts.shared_cxx && !facts.static_cxx)};
}

int run_and_wait(const std::vector<std::string>& command, const std::vector<std::string>& environment, Streams streams, std::optional<std::chrono::milliseconds> limit, const Meanwhile& meanwhile) {
  std::vector<char*> words, variables;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const auto name_of = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::none_of(environment.begin(), environment.end(), [&](const std::string& ours) { return name_of(ours) == name_of(*variable); })) variables.push_back(*variable);
  for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  std::fflush(nullptr);
  g_passed_on = 0;
  const int status = start_and_wait(words, variables, streams, limit, meanwhile);
  if (streams == Streams::kNone && g_passed_on != 0) ::raise(g_passed_on);  // it was meant for us
  return status;
}

}  // namespace tarry::cli
