// A .pproj file: XML with the name of a project, its files and the projects that it includes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plang/syntax/source.h"

namespace tarry::plang {

struct ProjectFile {
  /// The content and the place of an element.
  struct Entry {
    std::string text;
    Place place;
  };
  std::filesystem::path path;
  Sources source;
  Entry project;                // of the root element
  std::vector<Entry> names;     // <ProjectName>: the caller expects one
  std::vector<Entry> inputs;    // <PFile> under <InputFiles>
  std::vector<Entry> includes;  // <IncludeProject>
  std::string output_dir;
  std::vector<Entry> unknown;  // unknown elements

  /// "Main.pproj:3:7: error: …"
  Diagnostic wrong(Place place, std::string_view what) const;
};

/// Reads a project file. Fails if it cannot be read, is not XML, or does not have the root <Project>.
Result<ProjectFile> read_project_file(const std::filesystem::path& path);

}  // namespace tarry::plang
