// From the sources of a program with threads to an executable that can be checked, with a cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry::native {

struct ProgramBuild {
  std::filesystem::path folder;            // in which the compiler runs
  std::vector<std::string> files;          // sources in C or C++; objects and libraries, too
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;
  bool address_sanitizer = false;
  std::string c_compiler, cxx_compiler;    // as the user calls them; empty: as the environment says
};

struct BuiltProgram {
  std::filesystem::path executable;
  std::uint64_t identity;                  // of the user's files and the flags
};

/// Compiles and links unless the cache has it. A diagnostic holds the compiler's own output.
Result<BuiltProgram> build_program(const ProgramBuild& build);

}  // namespace tarry::native
