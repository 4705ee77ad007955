// If sources change during a compilation, it is unknown which contents the compiler saw, and a cache would keep the result for ever. So the compilation is
// repeated until the sources do not change meanwhile.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "base/result.h"
#include "toolchain/build_cache.h"

namespace tarry {

/// Calls `compile`, which compiles and tells the files that went in with their contents afterwards, sorted by name; again if one of them was written
/// meanwhile. Gives up after a few times, with a message that names `source`.
Result<std::vector<Dependency>> compile_unchanged(const std::filesystem::path& source, const std::function<Result<std::vector<Dependency>>()>& compile);

}  // namespace tarry
