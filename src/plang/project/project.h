// From what the user names to the files of a P program: a project file, a folder, or the files themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "plang/syntax/source.h"

namespace tarry::plang {

struct Project {
  struct File {
    std::filesystem::path path;  // as the user will read it
    bool included = false;       // from a project that was included: its tests are dropped
  };
  std::string name;
  std::vector<File> files;                             // each once; as listed, the content of folders in order of the names
  std::vector<std::filesystem::path> foreign_sources;  // C++
  std::filesystem::path root;                          // the folder that all this is about
  std::filesystem::path output_dir;                    // as the project file says it; empty: not at all
  std::vector<std::string> notes;                      // what was passed over: "file: note: …"
};

/// `named` is one `.pproj` file, one folder (its `.pproj`; without: the `.p` files in it and one level below), or any number of
/// `.p` files, with the C++ files of their foreign functions if there are any. In folders, names that start with '.' are passed over. A folder that a
/// project file names and that is not there is a warning in `notes`: git keeps no empty folders.
Result<Project> open_project(const std::vector<std::filesystem::path>& named);

/// Reads every file of the project whole.
Result<Sources> read_sources(const Project& project);

}  // namespace tarry::plang
