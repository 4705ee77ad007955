// The user's compiler: which one, which version, and running it. No shell is involved.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry {

/// The path of the compiler: `wanted` if it is not empty, else the first of c++, g++ and clang++ that is in PATH.
Result<std::filesystem::path> find_compiler(const std::string& wanted);

/// The first line of `compiler --version`. Remembered in the folder for as long as the compiler's file does not change.
std::string compiler_version(const std::filesystem::path& compiler, const std::filesystem::path& folder);

struct ProcessResult {
  bool started = false;
  int exit_code = -1;  // -1 if it was killed
  int signal = 0;      // that killed it
  std::string output;  // standard output and error, as they came; at most 4 MiB
};

/// Runs a program to its end, with nothing on its standard input. `folder`: its working folder, if that is not ours. `limit`: it is killed
/// if it takes longer.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::filesystem::path& folder = {}, std::optional<std::chrono::milliseconds> limit = {});

}  // namespace tarry
