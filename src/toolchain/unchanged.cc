#include "toolchain/unchanged.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace tarry {
namespace {

bool written_since(const std::vector<Dependency>& dependencies, const timespec& start) {
  return std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
    struct stat info {};
    if (::stat(dependency.file.c_str(), &info) != 0) return true;
    return std::pair(info.st_mtim.tv_sec, info.st_mtim.tv_nsec) > std::pair(start.tv_sec, start.tv_nsec);
  });
}

bool same(const std::vector<Dependency>& a, const std::vector<Dependency>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return x.file == y.file && x.hash == y.hash; });
}

}  // namespace

Result<std::vector<Dependency>> compile_unchanged(const std::filesystem::path& source, const std::function<Result<std::vector<Dependency>>()>& compile) {
  constexpr int kAttempts = 4;
  std::vector<Dependency> seen;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    timespec start{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &start);
    auto now = compile();
    // The same before and after this attempt, or not touched at all.
    if (!now || same(*now, seen) || !written_since(*now, start)) return now;
    seen = std::move(*now);
  }
  return Diagnostic{fmt::format("{}: error: changes while it is compiled; run tarry again when it is written", source.string())};
}

}  // namespace tarry
