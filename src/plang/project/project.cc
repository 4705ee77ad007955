// A file is identified by its canonical path, so it is taken once even if several ways lead to it. The same holds for folders, so
// links between them end. Nothing that was named is skipped silently: it is an error or a note.
#include "plang/project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "plang/project/project_file.h"
#include "trace/whole_file.h"

namespace tarry::plang {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongestFile = std::uint64_t{1} << 30;  // bytes

Diagnostic wrong(const fs::path& file, std::string_view what) { return {fmt::format("{}: error: {}", file.string(), what)}; }

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}
/// Returns the extension in lower case: files from Windows may have upper case.
std::string kind_of(const fs::path& path) {
  std::string kind = path.extension().string();
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}
bool is_p(const fs::path& path) { return kind_of(path) == ".p"; }
bool is_project(const fs::path& path) { return kind_of(path) == ".pproj"; }
bool is_cpp(const fs::path& path) { return path.extension() == ".cpp" || path.extension() == ".cc"; }
/// Returns whether a name is hidden, such as ".git", and "._spec.p", which other systems write beside "spec.p". P skips these in
/// folders.
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }
bool is_other_foreign(const fs::path& path) { return kind_of(path) == ".cs" || kind_of(path) == ".java"; }

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_fit = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_fit);
}

fs::path identity_of(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path, error) : result;
}

/// Returns the content of a folder, sorted by name.
Result<std::vector<fs::path>> content_of(const fs::path& folder) {
  std::vector<fs::path> result;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    result.push_back(at->path().lexically_normal());
  if (error) return wrong(folder, fmt::format("cannot be read: {}", error.message()));
  std::ranges::sort(result);
  return result;
}

class Collector {
 public:
  explicit Collector(Project& project) : project_(project) {}

  /// Adds a file that was named or found. Returns false if it is of no use.
  bool add_file(const fs::path& path, bool included) {
    if (!is_p(path) && !is_cpp(path) && !is_other_foreign(path)) return false;
    if (!seen_.insert(identity_of(path)).second) return true;
    if (is_p(path)) project_.files.push_back({path, included});
    else if (is_cpp(path)) project_.foreign_sources.push_back(path);
    else note(path, "is not used: foreign functions are written in C++ here (.cpp, .cc)");
    return true;
  }

  static constexpr int kAllLevels = -1;
  std::optional<Diagnostic> add_folder(const fs::path& folder, bool included, int levels) {
    if (!seen_.insert(identity_of(folder)).second) return std::nullopt;
    const auto content = content_of(folder);
    if (!content) return content.error();
    for (const fs::path& path : *content) {
      if (is_hidden(path)) {
        if (is_p(path) && !is_folder(path)) hidden_.push_back(path);
      } else if (!is_folder(path)) {
        add_file(path, included);
      } else if (levels != 0) {
        if (auto problem = add_folder(path, included, levels == kAllLevels ? kAllLevels : levels - 1)) return problem;
      }
    }
    return std::nullopt;
  }

  /// Reports hidden .p files in one note: there may be many.
  void note_hidden() {
    if (hidden_.empty()) return;
    const std::string others = hidden_.size() == 1 ? "" : fmt::format(" (and {} more)", hidden_.size() - 1);
    note(hidden_[0], fmt::format("is hidden, and not used{}: names of files in folders do not start with '.'", others));
  }

  void warn(const std::string& where, std::string_view what) { project_.notes.push_back(fmt::format("{}: warning: {}", where, what)); }

  void note(const fs::path& path, std::string_view what) {
    project_.notes.push_back(fmt::format("{}: note: {}", path.string(), what));
  }

 private:
  Project& project_;
  std::set<fs::path> seen_;
  std::vector<fs::path> hidden_;
};

// ---- Project files.

/// Returns the path of an entry, in the first of the folders that has it. Projects written on Windows use backslashes.
std::optional<fs::path> resolve(const std::string& text, const std::vector<fs::path>& folders) {
  std::string turned = text;
  std::ranges::replace(turned, '\\', '/');
  for (const fs::path& folder : folders)
    for (const std::string& form : {text, turned})
      if (const fs::path path = (folder / form).lexically_normal(); is_there(path)) return path;
  return std::nullopt;
}

std::optional<Diagnostic> add_inputs(const ProjectFile& file, bool included, Collector& collector) {
  for (const ProjectFile::Entry& entry : file.inputs) {
    if (entry.text.empty()) return file.wrong(entry.place, "<PFile> is empty: expected a file or a folder");
    const auto path = resolve(entry.text, {file.path.parent_path()});
    if (!path) {
      const std::string named = (file.path.parent_path() / entry.text).string();
      if (is_p(named) || is_cpp(named)) return file.wrong(entry.place, fmt::format("no such file or folder: '{}'", named));
      collector.warn(file.source.text(entry.place), fmt::format("no such folder: '{}'; the program goes without it", named));
      continue;
    }
    if (is_folder(*path)) {
      if (auto problem = collector.add_folder(*path, included, Collector::kAllLevels)) return problem;
    } else if (!collector.add_file(*path, included)) {
      collector.note(*path, "is not used: it is neither a .p nor a C++ file (.cpp, .cc)");
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> add_name(const ProjectFile& file, Project& project) {
  if (file.names.empty()) return file.wrong(file.project.place, "the project has no name: expected <ProjectName>");
  if (file.names.size() > 1) return file.wrong(file.names[1].place, "the project has two names: expected <ProjectName> once");
  const auto& [text, place] = file.names[0];
  if (!is_identifier(text))
    return file.wrong(place, fmt::format("'{}' is no name for a project: expected letters, digits and '_'", text));
  project.name = text;
  return std::nullopt;
}

Result<Project> open_project_file(const fs::path& path) {
  Project project;
  Collector collector(project);
  project.root = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::set<fs::path> seen{identity_of(path)};
  std::deque<fs::path> waiting{path};  // the project itself, then the projects that it includes
  for (bool included = false; !waiting.empty(); included = true, waiting.pop_front()) {
    const auto file = read_project_file(waiting.front());
    if (!file) return file.error();
    if (!included) {
      if (auto problem = add_name(*file, project)) return *problem;
      project.output_dir = file->output_dir;
    }
    if (auto problem = add_inputs(*file, included, collector)) return *problem;
    for (const auto& [name, place] : file->unknown)
      project.notes.push_back(fmt::format("{}: note: <{}> is not known here and not used", file->source.text(place), name));
    for (const auto& [text, place] : file->includes) {
      const auto next = resolve(text, {file->path.parent_path(), fs::path()});
      if (text.empty() || !next || is_folder(*next)) return file->wrong(place, fmt::format("no such project file: '{}'", text));
      if (seen.insert(identity_of(*next)).second) waiting.push_back(*next);
    }
  }
  if (project.files.empty()) return wrong(path, "names no .p file");
  collector.note_hidden();
  return project;
}

// ---- Folders and files.

Result<Project> open_folder(const fs::path& folder) {
  const auto content = content_of(folder);
  if (!content) return content.error();
  std::vector<fs::path> projects;
  for (const fs::path& path : *content)
    if (is_project(path) && !is_hidden(path) && !is_folder(path)) projects.push_back(path);
  if (projects.size() == 1) return open_project_file(projects[0]);
  if (!projects.empty()) {
    std::string list;
    for (const fs::path& path : projects) list += (list.empty() ? "" : ", ") + path.filename().string();
    return wrong(folder, fmt::format("has several projects: {}; name one of them", list));
  }
  Project project;
  project.name = identity_of(folder).filename().string();
  project.root = folder;
  Collector collector(project);
  if (auto problem = collector.add_folder(folder, false, 1)) return *problem;
  if (project.files.empty()) return wrong(folder, "has no .pproj file, and no .p file down to one level of folders");
  collector.note_hidden();
  return project;
}

Result<Project> open_files(const std::vector<fs::path>& named) {
  Project project;
  Collector collector(project);
  for (const fs::path& path : named) {
    if (is_folder(path) || is_project(path))
      return wrong(path, "a folder or a project is named alone, without other files");
    if (!is_p(path) && !is_cpp(path))
      return wrong(path, "is no P program: expected a .p or .pproj file or a folder");
    collector.add_file(path, false);
  }
  if (project.files.empty()) return wrong(named[0], "is no P program: expected at least one .p file");
  const fs::path& first = project.files[0].path;
  project.name = first.stem().string();
  project.root = first.has_parent_path() ? first.parent_path() : fs::path(".");
  return project;
}

}  // namespace

Result<Project> open_project(const std::vector<fs::path>& named) {
  if (named.empty()) return Diagnostic{"no P program is named: expected .p files, a .pproj file or a folder"};
  for (const fs::path& path : named)
    if (!is_there(path)) return wrong(path, "no such file or folder");
  if (named.size() == 1 && is_folder(named[0])) return open_folder(named[0]);
  if (named.size() == 1 && is_project(named[0])) return open_project_file(named[0]);
  return open_files(named);
}

Result<Sources> read_sources(const Project& project) {
  Sources sources;
  for (const auto& [path, included] : project.files) {
    Result<std::string> text = read_whole(path, kLongestFile);
    if (!text) return text.error();
    sources.add(path.string(), std::move(*text), included);
  }
  return sources;
}

}  // namespace tarry::plang
