// From a model's (or explorer's) source to a shared object, through the user's compiler, with a cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry {

struct BuildRequest {
  std::filesystem::path source;             // a .cpp
  std::vector<std::string> defines;         // "N=4", as given to -D
  std::filesystem::path cache_folder;       // where compiled objects are kept; made if it is not there
  std::string compiler;                     // empty: c++ (g++ or clang++, whichever is there)
  std::filesystem::path tool;               // the tarry executable: headers are looked for beside it
};

struct BuiltObject {
  std::filesystem::path object;             // the .so
  std::uint64_t identity;                   // of the user's sources (not the system's, not Tarry's headers) and the defines
  bool from_cache;
};

/// Compiles unless the cache has it. A diagnostic holds the compiler's own output.
Result<BuiltObject> build_shared_object(const BuildRequest& request);

/// The folder of Tarry's public headers: beside the tool, or where it was built.
Result<std::filesystem::path> find_headers(const std::filesystem::path& tool);

/// The identity of a prebuilt object: of its bytes.
Result<BuiltObject> existing_shared_object(const std::filesystem::path& object);

}  // namespace tarry
