// tarry build: runs a command that builds something, with the compilers in PATH replaced by ones that make what can be checked. For projects whose
// makefiles name their compiler.
//
// The replacements are scripts in a folder of the cache, one for each compiler that PATH has, which call `tarry cc` or `tarry c++` with the real one. The
// folder stays: a project that was configured with them (CMake keeps the compiler's path) is built again without us.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/hash.h"
#include "cli/command_line.h"
#include "native/driver/host_machine.h"
#include "native/target/compilers.h"
#include "toolchain/surroundings.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuildHelp =
    "Usage: tarry build [--] COMMAND ARGUMENTS…\n"
    "\n"
    "Runs a command that builds a program, and adds Tarry's instrumentation: every C and C++ compiler that it finds in PATH is\n"
    "'tarry cc' or 'tarry c++' with that compiler. For projects whose makefiles name their compiler. A compiler that is called by\n"
    "its whole path is not replaced.\n"
    "\n"
    "Examples:\n"
    "  tarry build -- make -j2\n"
    "  tarry build -- cmake -B build && tarry build -- cmake --build build\n"
    "  tarry build -- ./configure && tarry build -- make\n"
    "\n"
    "The exit code is that of the command.\n";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread changes it
  return value == nullptr ? "" : value;
}

std::vector<std::string> folders_of_path() {
  std::vector<std::string> out;
  std::istringstream in(variable("PATH"));
  for (std::string folder; std::getline(in, folder, ':');)
    if (!folder.empty()) out.push_back(folder);
  return out;
}

/// Compilers by the names under which PATH has them, each with its path. Not those of `without`.
std::map<std::string, fs::path> compilers_in_path(const fs::path& without) {
  static const std::regex kName("([a-z0-9_]+-linux-gnu-)?(cc|gcc|c\\+\\+|g\\+\\+|clang|clang\\+\\+|c89|c99)(-[0-9.]+)?");
  std::map<std::string, fs::path> out;
  std::error_code error;
  for (const std::string& folder : folders_of_path()) {
    if (fs::equivalent(folder, without, error)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename();
      if (std::regex_match(name, kName) && ::access(entry.path().c_str(), X_OK) == 0) out.emplace(name, fs::absolute(entry.path()));
    }
  }
  return out;
}

/// As one word of a shell.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::optional<Diagnostic> write_script(const fs::path& file, const std::string& name, const fs::path& real) {
  const bool cxx = name.find("++") != std::string::npos;
  const std::string text = fmt::format("#!/bin/sh\n# Written by tarry build.\nTARRY_{}={} exec {} {} \"$@\"\n", cxx ? "CXX" : "CC", quoted(real.string()), quoted(own_executable().string()), cxx ? "c++" : "cc");
  if (const auto there = read_whole(file); there && *there == text) return std::nullopt;
  const fs::path fresh = scratch_name(file.parent_path(), ".sh");
  std::error_code error;
  const auto fail = [&] { return Diagnostic{fmt::format("{}: error: cannot be written: {}", file.string(), error.message())}; };
  if (std::FILE* const out = std::fopen(fresh.c_str(), "we"); out != nullptr) {
    const bool whole = std::fputs(text.c_str(), out) >= 0;
    if (std::fclose(out) != 0 || !whole) error = {errno, std::generic_category()};
  } else {
    error = {errno, std::generic_category()};
  }
  if (error) return fail();
  fs::permissions(fresh, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec, error);
  if (!error) fs::rename(fresh, file, error);  // others may run it right now
  return error ? std::optional(fail()) : std::nullopt;
}

/// $CC and $CXX may name a compiler by its whole path.
void use_replacement(const char* name, const fs::path& folder) {
  const std::string value = variable(name);
  const std::string first = value.substr(0, value.find(' '));
  std::error_code error;
  if (first.find('/') == std::string::npos || !fs::exists(folder / fs::path(first).filename(), error)) return;
  ::setenv(name, ((folder / fs::path(first).filename()).string() + value.substr(first.size())).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

int become_command(const Arguments& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return refuse(usage_error(fmt::format("'{}' could not be started: {}", command[0], std::generic_category().message(errno))));
}

}  // namespace

int build_command(const Arguments& arguments) {
  Arguments command = arguments;
  if (!command.empty() && (command[0] == "--help" || command[0] == "-h")) return fmt::print("{}", kBuildHelp), kNoBug;
  if (!command.empty() && command[0] == "--") command.erase(command.begin());
  else if (!command.empty() && command[0].starts_with('-')) return refuse(usage_error(fmt::format("unknown option '{}'; put the command after '--', as in: tarry build -- make", command[0])));
  if (command.empty()) return refuse(usage_error("expected a build command, as in: tarry build -- make"));
  if (const auto why = native::refusal(native::this_machine())) return refuse(usage_error(*why));
  if (const auto runtime = native::runtime_folder(); !runtime) return refuse(runtime.error());
  const fs::path folder = fs::absolute(cache_folder()) / "compilers" / fmt::format("{:016x}", hash_of(std::string_view(own_executable().string())));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return refuse(Diagnostic{fmt::format("{}: error: the folder cannot be made: {}", folder.string(), error.message())});
  const auto compilers = compilers_in_path(folder);
  if (compilers.empty()) return refuse(usage_error("no C or C++ compiler was found in PATH; on Debian, install one with: apt-get install g++"));
  for (const auto& [name, real] : compilers)
    if (const auto wrong = write_script(folder / name, name, real)) return refuse(*wrong);
  ::setenv("PATH", (folder.string() + ":" + variable("PATH")).c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  use_replacement("CC", folder);
  use_replacement("CXX", folder);
  return become_command(command);
}

}  // namespace tarry::cli
