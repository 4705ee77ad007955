// Finds the files of a P program from what the user names: a project file, a folder, or the files themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "plang/syntax/source.h"

namespace tarry::plang {

struct Project {
  struct File {
    std::filesystem::path path;  // as shown to the user
    bool included = false;       // from a project that was included: its tests are dropped
  };
  std::string name;
  std::vector<File> files;                             // each once, in the order listed; the content of folders is sorted by name
  std::vector<std::filesystem::path> foreign_sources;  // C++
  std::filesystem::path root;                          // the folder of the project
  std::filesystem::path output_dir;                    // from the project file; empty: not given
  std::vector<std::string> notes;                      // what was skipped: "file: note: …"
};

/// Opens a project. `named` is one `.pproj` file, one folder (its `.pproj`, or without one the `.p` files in it and one level
/// below), or any number of `.p` files, optionally with the C++ files of their foreign functions. In folders, names that start
/// with '.' are skipped. If a folder that a project file names does not exist, `notes` gets a warning, because git keeps no empty
/// folders.
Result<Project> open_project(const std::vector<std::filesystem::path>& named);

/// Reads all files of the project completely.
Result<Sources> read_sources(const Project& project);

}  // namespace tarry::plang
