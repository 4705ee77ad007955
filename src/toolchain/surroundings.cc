#include "toolchain/surroundings.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "toolchain/source_files.h"

namespace tarry {
namespace {

bool can_be_written(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return std::filesystem::is_directory(folder, error) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Returns a folder that no other user can write to, because compiled objects are loaded from it. Kept from run to run unless another user has taken its name.
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

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread changes it
  return value == nullptr ? "" : value;
}

std::filesystem::path cache_folder() {
  static const std::filesystem::path folder = [] {
    std::filesystem::path wanted;
    if (const std::string cache = environment_variable("XDG_CACHE_HOME"); !cache.empty()) wanted = std::filesystem::path(cache) / "tarry";
    else if (const std::string home = environment_variable("HOME"); !home.empty()) wanted = std::filesystem::path(home) / ".cache" / "tarry";
    return !wanted.empty() && can_be_written(wanted) ? wanted : temporary_folder();
  }();
  return folder;
}

std::filesystem::path own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

Result<BuiltObject> build_here(const std::string& source, const std::vector<std::string>& defines) {
  return build_shared_object({.source = source, .defines = defines, .cache_folder = cache_folder(), .compiler = environment_variable("CXX"), .tool = own_executable()});
}

Result<BuiltObject> object_of(const std::string& file, const std::string& expected, const std::vector<std::string>& defines) {
  if (const auto problem = unreadable(file)) return *problem;
  if (is_shared_object(file)) return existing_shared_object(file);
  if (!is_cxx_source(file)) return wrong_file(file, expected);
  return build_here(file, defines);
}

}  // namespace tarry
