// Where the tool itself is, where it keeps what it compiles, and which compiler the environment names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/object_build.h"

namespace tarry {

/// Returns the folder of compiled objects, and creates it if necessary. No other user can write to it.
std::filesystem::path cache_folder();
std::filesystem::path own_executable();

/// Returns the value of a variable of the environment, or an empty text.
std::string environment_variable(const char* name);

/// Compiles a source into a shared object with the compiler that $CXX names, unless the cache has it.
Result<BuiltObject> build_here(const std::string& source, const std::vector<std::string>& defines);

/// Returns the file itself if it is a compiled object, else the object that it is compiled into. `expected`: what the file should be, for the message if it is
/// neither.
Result<BuiltObject> object_of(const std::string& file, const std::string& expected, const std::vector<std::string>& defines = {});

}  // namespace tarry
