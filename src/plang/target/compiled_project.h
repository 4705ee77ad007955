// A P program as the user names it (a project, a folder, files), compiled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/object_build.h"

namespace tarry::plang {

struct CheckedProgram;
struct Code;
class Foreign;

struct CompileOptions {
  std::vector<std::string> foreign = {};  // --foreign: sources and objects with foreign functions
  bool strict_errors = false;             // stop at the first error
};

/// Shared by the subjects that are its tests.
struct CompiledProject {
  std::unique_ptr<CheckedProgram> program;
  std::unique_ptr<Code> code;
  std::uint64_t identity = 0;
  std::vector<std::string> named;          // what the user calls it: a project, a folder, files
  std::string warnings;                    // of the compiler, as the user will read them
  std::vector<std::string> tests;
  std::vector<std::filesystem::path> foreign_sources;  // sources and objects with foreign functions
  std::vector<BuiltObject> foreign_objects;            // of these, once they are needed
  std::unique_ptr<Foreign> linked;                     // in a child that has loaded them
  ~CompiledProject();
};

/// Is it a .p, a .pproj or a folder?
bool names_a_p_program(const std::filesystem::path& file);

/// Is there a project file in the folder?
bool has_project(const std::filesystem::path& folder);

/// Reads, parses and checks. A diagnostic holds all errors.
Result<std::shared_ptr<CompiledProject>> compile_project(const std::vector<std::string>& files, const CompileOptions& options);

}  // namespace tarry::plang
