// An explorer that the user wrote, loaded from its shared object: by the tool for models and P programs, by the run-time inside a tested
// program with threads.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "core/search.h"

namespace tarry {

struct LoadedExplorer {
  std::string name;
  ExplorerMaker make;
};

/// Loads the object and returns what makes its explorer. Fails if it is no explorer, or one of another version.
Result<LoadedExplorer> load_explorer(const std::filesystem::path& object);

}  // namespace tarry
