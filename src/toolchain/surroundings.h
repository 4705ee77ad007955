// Where the tool itself is, where it keeps what it compiles, and which compiler the environment names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/object_build.h"

namespace tarry {

/// The folder of compiled objects. Made if need be; nobody else can write to it.
std::filesystem::path cache_folder();
std::filesystem::path own_executable();

/// Returns the value of a variable of the environment, or an empty text.
std::string environment_variable(const char* name);

/// Compiles a source into a shared object with the compiler that $CXX names, unless the cache has it.
Result<BuiltObject> build_here(const std::string& source, const std::vector<std::string>& defines);

/// An object that was compiled already, or the one that `source` is compiled into. `expected`: says what the file should be, if it is neither.
Result<BuiltObject> object_of(const std::string& file, const std::string& expected, const std::vector<std::string>& defines = {});

}  // namespace tarry
